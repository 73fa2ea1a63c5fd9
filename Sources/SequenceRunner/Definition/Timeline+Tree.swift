extension Timeline {
  /// A card or a group with the number of steps that it unfolds to.
  struct Node: Sendable {
    let kind: Kind
    let steps: Int

    enum Kind: Sendable {
      /// The index of the card among the cards of the timeline.
      case card(Int32)
      case group(GroupNode)
    }
  }

  /// A group; its last round may lack the cards that are left out there.
  struct GroupNode: Sendable {
    let rounds: Int
    let everyRound: [Node]
    let lastRound: [Node]
    let stepsPerRound: Int
  }

  /// Collects the cards and the steps while a sequence is flattened.
  struct Builder {
    var cards: [Card] = []
    var cardOfStep: [Int32] = []

    init(capacity: Int) {
      cardOfStep.reserveCapacity(capacity)
    }

    /// The nodes of elements; each card gets its number.
    mutating func nodes(_ elements: [SequenceElement]) -> [Node] {
      elements.map { element in
        switch element {
        case .card(let card):
          cards.append(card)
          return Node(kind: .card(Int32(cards.count - 1)), steps: 1)
        case .group(let group):
          let everyRound = nodes(group.elements)
          let lastRound = everyRound.filter { node in
            guard case .card(let number) = node.kind else { return true }
            return !cards[Int(number)].skipsLastRound
          }
          let stepsPerRound = everyRound.reduce(0) { $0 + $1.steps }
          let stepsInLast = lastRound.reduce(0) { $0 + $1.steps }
          return Node(
            kind: .group(
              GroupNode(
                rounds: group.rounds, everyRound: everyRound, lastRound: lastRound,
                stepsPerRound: stepsPerRound)),
            steps: (group.rounds - 1) * stepsPerRound + stepsInLast)
        }
      }
    }

    /// Appends the steps of nodes, in order.
    mutating func append(_ nodes: [Node]) {
      for node in nodes {
        switch node.kind {
        case .card(let number):
          cardOfStep.append(number)
        case .group(let group):
          // Rounds that unfold to nothing are not walked: there may be billions of them.
          if group.stepsPerRound > 0 {
            for _ in 1..<group.rounds { append(group.everyRound) }
          }
          append(group.lastRound)
        }
      }
    }
  }

  /// The steps that elements unfold to, and not a number past `SequenceLimits.mostSteps` by much.
  static func stepCount(_ elements: [SequenceElement], depth: Int) throws(TimelineError) -> Int {
    guard depth <= SequenceLimits.deepestNesting else { throw .tooDeep }
    var all = 0
    for element in elements {
      switch element {
      case .card: all += 1
      case .group(let group):
        guard group.rounds >= 1 else { throw .noRounds }
        let inner = try stepCount(group.elements, depth: depth + 1)
        let skipped = group.elements.count { element in
          if case .card(let card) = element { card.skipsLastRound } else { false }
        }
        let (product, overflowed) = inner.multipliedReportingOverflow(by: group.rounds)
        guard !overflowed, product - skipped <= SequenceLimits.mostSteps else { throw .tooManySteps }
        all += product - skipped
      }
      guard all <= SequenceLimits.mostSteps else { throw .tooManySteps }
    }
    return all
  }
}
