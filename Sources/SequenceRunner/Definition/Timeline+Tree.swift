import FoundationEssentials

extension Timeline {
  /// The number of steps, and their countdown time and that of the rests among them in nanoseconds.
  struct Size: Sendable {
    var steps = 0
    var time: Int64 = 0
    var rest: Int64 = 0
  }

  /// A card or a group that expands to at least one step.
  struct Node: Sendable {
    let kind: Kind
    let size: Size
    let hasStop: Bool
    /// The index after its last count-up; 0 without one.
    let countUpsEnd: Int
    /// The size of the nodes before it, in the same row.
    var start = Size()

    enum Kind: Sendable {
      case card(Int)
      case group(GroupNode)
    }
  }

  struct Row: Sendable {
    private var nodes: [Node] = []
    /// The places of the nodes with a step that only the user can end, ascending.
    private var stops: [Int] = []
    private(set) var size = Size()
    private(set) var countUpsEnd = 0

    var hasStop: Bool { !stops.isEmpty }

    /// Returns whether the time is within the limit.
    mutating func append(_ node: Node) -> Bool {
      var node = node
      node.start = size
      if node.hasStop { stops.append(nodes.count) }
      if node.countUpsEnd > 0 { countUpsEnd = size.steps + node.countUpsEnd }
      nodes.append(node)
      size.steps += node.size.steps
      // Cannot overflow: both are within the limit, which is a third of the largest number.
      size.time += node.size.time
      size.rest += node.size.rest
      return size.time <= SequenceLimits.longestTotal.nanoseconds
    }

    /// Returns the first node that satisfies a condition that holds for all nodes after it, too.
    func node(where holds: (Node) -> Bool) -> Node {
      nodes[Row.partition(nodes.indices) { holds(nodes[$0]) }]
    }

    func filter(_ isIncluded: (Node) -> Bool) -> Row {
      var row = Row()
      for node in nodes where isIncluded(node) { _ = row.append(node) }
      return row
    }

    func firstStop(from index: Int) -> Int? {
      let first = Row.partition(nodes.indices) { nodes[$0].start.steps + nodes[$0].size.steps > index }
      let place = Row.partition(stops.indices) { stops[$0] >= first }
      for stop in stops[place...] {
        let node = nodes[stop]
        switch node.kind {
        case .card: return node.start.steps
        case .group(let group):
          // Only the first of the groups can have its stops before the index.
          if let found = group.firstStop(from: max(0, index - node.start.steps)) {
            return node.start.steps + found
          }
        }
      }
      return nil
    }

    /// Returns the first index of a range that satisfies a monotonic condition.
    private static func partition(_ range: Range<Int>, where holds: (Int) -> Bool) -> Int {
      var (low, high) = (range.lowerBound, range.upperBound)
      while low < high {
        let middle = low + (high - low) / 2
        if holds(middle) { high = middle } else { low = middle + 1 }
      }
      return low
    }
  }

  /// A group whose last round omits the cards that skip it, and may be empty.
  struct GroupNode: Sendable {
    let rounds: Int
    let everyRound: Row
    let lastRound: Row

    func row(ofRound round: Int) -> Row { round == rounds - 1 ? lastRound : everyRound }

    var hasStop: Bool { rounds > 1 && everyRound.hasStop || lastRound.hasStop }

    var countUpsEnd: Int {
      if lastRound.countUpsEnd > 0 {
        (rounds - 1) * everyRound.size.steps + lastRound.countUpsEnd
      } else if rounds > 1, everyRound.countUpsEnd > 0 {
        (rounds - 2) * everyRound.size.steps + everyRound.countUpsEnd
      } else {
        0
      }
    }

    /// Returns the index of the first step at or after another that only the user can end.
    func firstStop(from index: Int) -> Int? {
      let steps = everyRound.size.steps
      let first = min(index / steps, rounds - 1)
      // The round of the index, the next one, and the last one: all between are like the next one.
      for round in Set([first, min(first + 1, rounds - 1), rounds - 1]).sorted() {
        if let found = row(ofRound: round).firstStop(from: max(0, index - round * steps)) {
          return round * steps + found
        }
      }
      return nil
    }
  }

  struct Builder {
    private(set) var cards: [Card] = []
    private(set) var isUnusable = false
    private(set) var isTooLong = false
    private(set) var hasLongText = false
    /// The size of the titles and notes of the cards, in bytes.
    private(set) var text = 0
    /// Sorted: to make the type of a set of ids takes a tenth of the run time of a short command.
    var repeatedID: UUID? {
      let ids = cards.map(\.id).sorted()
      return zip(ids, ids.dropFirst()).first { $0 == $1 }?.0
    }

    /// Returns the row of elements, and gives each card its index.
    ///
    /// Groups that expand to no step are left out, because a sequence may have many of them in many rounds.
    mutating func row(_ elements: [SequenceElement]) -> Row {
      var row = Row()
      for element in elements {
        switch element {
        case .card(let card):
          let timing = card.timing
          if !card.isUsable { isUnusable = true }
          check(card)
          let time = timing.isUsable ? timing.duration?.nanoseconds ?? 0 : 0
          cards.append(card)
          add(
            Node(
              kind: .card(cards.count - 1), size: Size(steps: 1, time: time, rest: card.isRest ? time : 0),
              hasStop: !timing.endsByItself,
              countUpsEnd: timing.duration == nil ? 1 : 0), to: &row)
        case .group(let group):
          // An endless group is the last one, and its rounds are not part of a row.
          guard case .times(let rounds) = group.rounds, let node = node(group, rounds) else { continue }
          add(node, to: &row)
        }
      }
      return row
    }

    private mutating func check(_ card: Card) {
      for text in [card.title, card.note ?? "", card.sound ?? "", card.image ?? ""] {
        if SequenceLimits.isTooLong(text) { hasLongText = true }
        self.text += text.utf8.count
      }
    }

    private mutating func add(_ node: Node, to row: inout Row) {
      // Beyond the limit times could overflow, and the sequence is refused anyway.
      guard !isTooLong else { return }
      if !row.append(node) { isTooLong = true }
    }

    private mutating func node(_ group: Group, _ rounds: Int) -> Node? {
      let everyRound = row(group.elements)
      let lastRound = everyRound.filter { node in
        guard case .card(let number) = node.kind else { return true }
        return !cards[number].skipsLastRound
      }
      let tree = GroupNode(rounds: rounds, everyRound: everyRound, lastRound: lastRound)
      let steps = (rounds - 1) * everyRound.size.steps + lastRound.size.steps
      let (time, overflowed) = everyRound.size.time.multipliedReportingOverflow(by: Int64(rounds - 1))
      let limit = SequenceLimits.longestTotal.nanoseconds
      guard !overflowed, time <= limit, time + lastRound.size.time <= limit else {
        isTooLong = true
        return nil
      }
      guard steps > 0 else { return nil }
      let rest = everyRound.size.rest * Int64(rounds - 1) + lastRound.size.rest
      return Node(
        kind: .group(tree), size: Size(steps: steps, time: time + lastRound.size.time, rest: rest),
        hasStop: tree.hasStop, countUpsEnd: tree.countUpsEnd)
    }
  }

  /// Counts the steps that elements expand to, with one round of an endless group; stops soon after
  /// `SequenceLimits.mostSteps`.
  static func stepCount(_ elements: [SequenceElement], depth: Int) throws(TimelineError) -> Int {
    guard depth <= SequenceLimits.deepestNesting else { throw .tooDeep }
    var all = 0
    for (index, element) in elements.enumerated() {
      switch element {
      case .card: all += 1
      case .group(let group):
        let inner = try stepCount(group.elements, depth: depth + 1)
        switch group.rounds {
        case .times(let rounds):
          guard rounds >= 1 else { throw .noRounds }
          let skipped = group.elements.count(where: \.skipsLastRound)
          let (product, overflowed) = inner.multipliedReportingOverflow(by: rounds)
          guard !overflowed, product - skipped <= SequenceLimits.mostSteps else { throw .tooManySteps }
          all += product - skipped
        case .forever:
          guard depth == 0, index == elements.count - 1 else { throw .foreverNotLast }
          all += inner
        }
      }
      guard all <= SequenceLimits.mostSteps else { throw .tooManySteps }
    }
    return all
  }
}
