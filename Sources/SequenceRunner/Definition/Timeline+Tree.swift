import FoundationEssentials

extension Timeline {
  /// The number of steps, and sums of times over them in nanoseconds.
  struct Size: Sendable {
    var steps = 0
    /// The countdowns.
    var time: Int64 = 0
    /// The countdowns of rests.
    var rest: Int64 = 0
    /// The time by which the steps can be shorter and longer.
    var give: Int64 = 0
    var take: Int64 = 0
    /// The planned time: a step that waits for the user counts as its usual length or its goal.
    var planned: Int64 = 0

    /// The longest time that the steps stand for.
    var longest: Int64 { max(time + take, planned) }

    static func += (left: inout Size, right: Size) {
      left.steps += right.steps
      left.time += right.time
      left.rest += right.rest
      left.give += right.give
      left.take += right.take
      left.planned += right.planned
    }

    static func * (size: Size, count: Int) -> Size {
      let times = Int64(count)
      return Size(
        steps: size.steps * count, time: size.time * times, rest: size.rest * times, give: size.give * times,
        take: size.take * times, planned: size.planned * times)
    }
  }

  /// A card or a group that expands to at least one step.
  struct Node: Sendable {
    let kind: Kind
    /// The size in the first round of its row; of a card with a list only the step.
    var size: Size
    /// What each further round adds to the size.
    var added = Size()
    /// The times of a card with a list, by round.
    var list: [Size] = []
    let hasStop: Bool
    /// The index after its last count-up; 0 without one.
    let countUpsEnd: Int
    /// The size of the nodes before it, in the first round of the same row.
    var start = Size()
    /// What each further round adds to the start.
    var startAdded = Size()
    /// The number of nodes with a list before it.
    var lists = 0

    enum Kind: Sendable {
      case card(Int)
      // Most nodes are cards, which would have the size of a group.
      indirect case group(GroupNode)
    }

    /// - Parameter round: a round of the row, from 0.
    func size(inRound round: Int) -> Size {
      var size = size
      size += added * round
      if !list.isEmpty { size += list[round] }
      return size
    }

    func fixed(inRound round: Int) -> Node {
      var node = self
      (node.size, node.added, node.list) = (size(inRound: round), Size(), [])
      return node
    }
  }

  /// The nodes of each round of a group, or of the sequence.
  struct Row: Sendable {
    /// The number of rounds in which nodes with other times in each round are steps.
    private let rounds: Int
    private var nodes: [Node] = []
    /// The places of the nodes with a step that only the user can end, ascending.
    private var stops: [Int] = []
    /// The size in the first round, without lists.
    private(set) var size = Size()
    private(set) var added = Size()
    /// For each node with a list, its times and those of the lists before it together, by round.
    private var lists: [[Size]] = []
    private(set) var countUpsEnd = 0
    /// Whether each node has the same times in all rounds; that of the round is not enough, for its parts may differ.
    private(set) var isSame = true

    init(rounds: Int = 1) { self.rounds = rounds }

    var hasStop: Bool { !stops.isEmpty }

    /// Returns whether the time is within the limit.
    mutating func append(_ node: Node) -> Bool {
      var node = node
      (node.start, node.startAdded, node.lists) = (size, added, lists.count)
      if node.hasStop { stops.append(nodes.count) }
      if node.countUpsEnd > 0 { countUpsEnd = size.steps + node.countUpsEnd }
      nodes.append(node)
      size += node.size
      // With one round there is no later one, in which the sum would be checked.
      if rounds > 1 { added += node.added }
      if node.added.time != 0 || !node.list.isEmpty { isSame = false }
      // Cannot overflow: all are within the limit, which is a third of the largest number.
      let limit = SequenceLimits.longestTotal.nanoseconds
      var last = size
      last += added * (rounds - 1)
      var isWithin = size.longest <= limit && last.longest <= limit
      if !node.list.isEmpty {
        let before = lists.last
        lists.append(
          node.list.prefix(rounds).enumerated().map { round, time in
            var sum = before?[round] ?? Size()
            sum += time
            return sum
          })
        isWithin = isWithin && lists.last?.allSatisfy { $0.longest <= limit } ?? true
      }
      return isWithin
    }

    /// Returns the first node that ends after a time from the start of the round, in nanoseconds.
    func node(endingAfter time: Int64, inRound round: Int) -> Node {
      guard !isSame else { return node { $0.start.time + $0.size.time > time } }
      return node { start(of: $0, inRound: round).time + $0.size(inRound: round).time > time }
    }

    /// Returns the size of the nodes before a node.
    ///
    /// - Parameter round: the round, from 0.
    func start(of node: Node, inRound round: Int) -> Size {
      var size = node.start
      if !isSame {
        size += node.startAdded * round
        if node.lists > 0 { size += lists[node.lists - 1][round] }
      }
      return size
    }

    /// The times of all lists together, by round; empty without lists.
    var listTimes: [Size] { lists.last ?? [] }

    /// Returns the first node that satisfies a condition that holds for all nodes after it, too.
    func node(where holds: (Node) -> Bool) -> Node {
      nodes[Row.partition(nodes.indices) { holds(nodes[$0]) }]
    }

    /// Returns a row of some nodes as they are in a round; `nil` if the time exceeds the limit.
    func filter(inRound round: Int, _ isIncluded: (Node) -> Bool) -> Row? {
      var row = Row()
      for node in nodes where isIncluded(node) {
        guard row.append(node.fixed(inRound: round)) else { return nil }
      }
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
    fileprivate static func partition(_ range: Range<Int>, where holds: (Int) -> Bool) -> Int {
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
    /// The times of the lists in all rounds before a round; empty without lists.
    private let listsBefore: [Size]

    init(rounds: Int, everyRound: Row, lastRound: Row) {
      (self.rounds, self.everyRound, self.lastRound) = (rounds, everyRound, lastRound)
      var (sums, sum) = ([Size](), Size())
      for time in everyRound.listTimes {
        sums.append(sum)
        sum += time
      }
      listsBefore = sums.isEmpty ? [] : sums + [sum]
    }

    /// Returns the size of the rounds before a round, from 0.
    func start(ofRound round: Int) -> Size {
      var size = everyRound.size * round
      if !everyRound.isSame {
        size += everyRound.added * (round * (round - 1) / 2)
        if !listsBefore.isEmpty { size += listsBefore[round] }
      }
      return size
    }

    /// Returns the round, from 0, of a time after the start of the group, in nanoseconds.
    func round(after time: Int64) -> Int {
      guard everyRound.isSame else { return round { start(ofRound: $0 + 1).time > time } }
      let length = everyRound.size.time
      return length > 0 ? Int(min(time / length, Int64(rounds - 1))) : rounds - 1
    }

    /// Returns the first round, from 0, that satisfies a condition that holds for all rounds after it, or the last one.
    func round(where holds: (Int) -> Bool) -> Int { Row.partition(0..<rounds - 1, where: holds) }

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
    private let estimates: [UUID: Estimate]
    private(set) var cards: [Card] = []
    /// Whether the rows are those of an endless group.
    var isEndless = false
    private(set) var isUnusable = false
    /// The mistake of the first card whose rounds, or shortest and longest durations, are not possible.
    private(set) var mistakeOfRounds: TimelineError?
    private(set) var isTooLong = false
    private(set) var hasLongText = false
    /// The size of the titles and notes of the cards, in bytes.
    private(set) var text = 0

    init(_ estimates: [UUID: Estimate]) { self.estimates = estimates }

    /// Sorted: to make the type of a set of ids takes a tenth of the run time of a short command.
    var repeatedID: UUID? {
      let ids = cards.map(\.id.bits).sorted()
      return zip(ids, ids.dropFirst()).first { $0 == $1 }.map { UUID($0.0) }
    }

    /// Returns the row of elements, and gives each card its index.
    ///
    /// Groups that expand to no step are left out, because a sequence may have many of them in many rounds.
    ///
    /// - Parameter rounds: those of the group around the elements; `nil` outside of groups and in endless rounds.
    mutating func row(_ elements: [SequenceElement], in rounds: Int? = nil) -> Row {
      // The last round has a row of its own.
      var row = Row(rounds: max(1, (rounds ?? 1) - 1))
      for element in elements {
        switch element {
        case .card(let card):
          if !card.isUsable { isUnusable = true }
          let own = rounds.map { card.skipsLastRound ? $0 - 1 : $0 }
          let mistake =
            card.mistakeOfRounds(in: own) ?? card.mistakeOfBounds(in: own, isEndless: isEndless)
          if mistakeOfRounds == nil { mistakeOfRounds = mistake }
          check(card)
          cards.append(card)
          add(node(of: card, isPossible: card.timing.isUsable && mistake == nil), to: &row)
        case .group(let group):
          // An endless group is the last one, and its rounds are not part of a row.
          guard case .times(let rounds) = group.rounds, let node = node(group, rounds) else { continue }
          add(node, to: &row)
        }
      }
      return row
    }

    private func node(of card: Card, isPossible: Bool) -> Node {
      let usual = estimates.isEmpty || card.timing.endsByItself ? nil : estimates[card.id]?.usual
      /// The sums of a step with this countdown.
      func size(_ countdown: Duration, steps: Int = 0) -> Size {
        let time = countdown.nanoseconds
        return Size(
          steps: steps, time: time, rest: card.isRest ? time : 0,
          give: card.atLeast.map { time - $0.nanoseconds } ?? 0,
          take: card.atMost.map { $0.nanoseconds - time } ?? 0,
          planned: (usual ?? card.timing.goal?.duration)?.nanoseconds ?? time)
      }
      let first = card.timing.duration ?? .zero
      var node = Node(
        kind: .card(cards.count - 1), size: isPossible ? size(first, steps: 1) : Size(steps: 1),
        hasStop: !card.timing.endsByItself, countUpsEnd: card.timing.duration == nil ? 1 : 0)
      switch isPossible ? card.laterRounds : nil {
      case .lengths(let lengths):
        (node.size, node.list) = (Size(steps: 1), ([first] + lengths).map { size($0) })
      case .adding(let time):
        node.added = size(first + time)
        node.added += size(first) * -1
      case nil: break
      }
      return node
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
      let everyRound = row(group.elements, in: rounds)
      guard !isTooLong, mistakeOfRounds == nil else { return nil }
      let last = everyRound.filter(inRound: rounds - 1) { node in
        guard case .card(let number) = node.kind else { return true }
        return !cards[number].skipsLastRound
      }
      guard let lastRound = last, isWithinLimit(everyRound, rounds - 1, lastRound) else {
        isTooLong = true
        return nil
      }
      let tree = GroupNode(rounds: rounds, everyRound: everyRound, lastRound: lastRound)
      var size = tree.start(ofRound: rounds - 1)
      size += lastRound.size
      guard size.steps > 0 else { return nil }
      return Node(
        kind: .group(tree), size: size, hasStop: tree.hasStop, countUpsEnd: tree.countUpsEnd)
    }

    /// - Parameter count: the number of rounds before the last one.
    private func isWithinLimit(_ row: Row, _ count: Int, _ last: Row) -> Bool {
      let pairs = Int128(count) * Int128(count - 1) / 2
      func isWithin(_ time: (Size) -> Int64) -> Bool {
        let listed = row.listTimes.prefix(count).reduce(Int128(time(last.size))) { $0 + Int128(time($1)) }
        // A sum of times within the limit: what shrinks is never more than twice the sum.
        let linear = Int128(count) * Int128(time(row.size)) + pairs * Int128(time(row.added))
        return listed + linear <= Int128(SequenceLimits.longestTotal.nanoseconds)
      }
      return isWithin { $0.time + $0.take } && isWithin { $0.planned }
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
