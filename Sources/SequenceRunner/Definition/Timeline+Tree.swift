extension Timeline {
  /// A card or a group that expands to at least one step.
  struct Node: Sendable {
    let kind: Kind
    let steps: Int
    /// The number of steps of the nodes before it, in the same round.
    var start = 0

    enum Kind: Sendable {
      /// The index of a card in the timeline's `cards`.
      case card(Int32)
      case group(GroupNode)
    }
  }

  /// A group whose last round omits the cards that skip it, and may be empty.
  struct GroupNode: Sendable {
    let rounds: Int
    let everyRound: [Node]
    let lastRound: [Node]
    let stepsPerRound: Int
  }

  /// A collector of cards and steps while a sequence is flattened.
  struct Builder {
    var cards: [Card] = []
    var cardOfStep: [Int32] = []

    init(capacity: Int) {
      cardOfStep.reserveCapacity(capacity)
    }

    /// Returns the nodes of elements, and gives each card its index.
    ///
    /// Groups that expand to no step are left out, because a sequence may have many of them in many rounds.
    mutating func nodes(_ elements: [SequenceElement]) -> [Node] {
      var nodes: [Node] = []
      for element in elements {
        switch element {
        case .card(let card):
          cards.append(card)
          nodes.append(Node(kind: .card(Int32(cards.count - 1)), steps: 1))
        case .group(let group):
          let node = node(group)
          if node.steps > 0 { nodes.append(node) }
        }
      }
      return Builder.placed(nodes)
    }

    private mutating func node(_ group: Group) -> Node {
      let everyRound = nodes(group.elements)
      let lastRound = Builder.placed(
        everyRound.filter { node in
          guard case .card(let number) = node.kind else { return true }
          return !cards[Int(number)].skipsLastRound
        })
      let stepsPerRound = Builder.steps(of: everyRound)
      return Node(
        kind: .group(
          GroupNode(
            rounds: group.rounds, everyRound: everyRound, lastRound: lastRound, stepsPerRound: stepsPerRound)),
        steps: (group.rounds - 1) * stepsPerRound + Builder.steps(of: lastRound))
    }

    private static func steps(of nodes: [Node]) -> Int { nodes.last.map { $0.start + $0.steps } ?? 0 }

    /// Returns the nodes with `start` set.
    private static func placed(_ nodes: [Node]) -> [Node] {
      var nodes = nodes
      var start = 0
      for index in nodes.indices {
        nodes[index].start = start
        start += nodes[index].steps
      }
      return nodes
    }

    /// Appends the steps of nodes, in order.
    mutating func append(_ nodes: [Node]) {
      for node in nodes {
        switch node.kind {
        case .card(let number):
          cardOfStep.append(number)
        case .group(let group):
          for _ in 1..<group.rounds { append(group.everyRound) }
          append(group.lastRound)
        }
      }
    }
  }

  /// Counts the steps that elements expand to; stops soon after `SequenceLimits.mostSteps`.
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
