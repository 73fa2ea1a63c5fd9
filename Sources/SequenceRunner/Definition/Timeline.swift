import Platform

/// The steps of a sequence in the order in which they run, with the time that lies before each.
///
/// Groups are flattened once, with prefix sums of the durations, so that the step that a moment falls into
/// is found by bisection. Making one costs O(steps); a step's rounds are worked out when they are asked for.
public struct Timeline: Sendable {
  /// The sequence that was flattened.
  public let definition: SequenceDefinition

  private let cards: [Card]
  private let cardOfStep: [Int32]
  /// Nanoseconds of countdown before each step; one more entry than there are steps.
  private let offsets: [Int64]
  /// The steps that do not end by themselves, ascending.
  private let stops: [Int]
  /// The index after that of the last count-up; 0 without one.
  private let countUpsEnd: Int
  private let tree: [Node]

  /// Flattens a sequence.
  ///
  /// - Throws: `TimelineError` if it has no steps or exceeds `SequenceLimits`; it is counted before anything
  ///   is built.
  public init(_ definition: SequenceDefinition) throws(TimelineError) {
    let count = try Timeline.stepCount(definition.elements, depth: 0)
    guard count > 0 else { throw .noSteps }
    guard count <= SequenceLimits.mostSteps else { throw .tooManySteps }

    var builder = Builder(capacity: count)
    tree = builder.nodes(definition.elements)
    builder.append(tree)
    guard builder.cards.allSatisfy(\.timing.isUsable) else { throw .unusableTiming }

    // Once a card and not once a step: a duration is a number of 128 bits.
    let lengths = builder.cards.map { $0.timing.duration?.nanoseconds ?? 0 }
    let longestTotal = SequenceLimits.longestTotal.nanoseconds
    var offsets: [Int64] = [0]
    offsets.reserveCapacity(count + 1)
    var stops: [Int] = []
    var countUpsEnd = 0
    var total: Int64 = 0
    for (index, card) in builder.cardOfStep.enumerated() {
      // Both are at most 30 days and 36,500 days: far from overflowing.
      total += lengths[Int(card)]
      guard total <= longestTotal else { throw .tooLong }
      offsets.append(total)
      let timing = builder.cards[Int(card)].timing
      if !timing.endsByItself { stops.append(index) }
      if timing.duration == nil { countUpsEnd = index + 1 }
    }
    self.definition = definition
    self.cards = builder.cards
    self.cardOfStep = builder.cardOfStep
    self.offsets = offsets
    self.stops = stops
    self.countUpsEnd = countUpsEnd
  }

  /// How many steps there are; at least one.
  public var count: Int { cardOfStep.count }

  /// The step at an index below `count`.
  ///
  /// - Complexity: O(depth of the groups x log elements of a group).
  public func step(at index: Int) -> Step {
    var rounds: [Step.Round] = []
    var nodes = tree
    var offset = index
    while true {
      let node = nodes[Timeline.partition(nodes.indices) { nodes[$0].start + nodes[$0].steps > offset }]
      guard case .group(let group) = node.kind else { break }
      offset -= node.start
      let round = min(offset / group.stepsPerRound, group.rounds - 1)
      rounds.append(Step.Round(round: round + 1, of: group.rounds))
      offset -= round * group.stepsPerRound
      nodes = round == group.rounds - 1 ? group.lastRound : group.everyRound
    }
    return Step(index: index, card: card(at: index), rounds: rounds)
  }

  /// The card of the step at an index below `count`.
  public func card(at index: Int) -> Card { cards[Int(cardOfStep[index])] }

  /// The countdown time of the steps in a range, together; count-ups add nothing.
  ///
  /// - Complexity: O(1).
  public func duration(of steps: Range<Int>) -> Duration {
    .nanoseconds(offsets[steps.upperBound] - offsets[steps.lowerBound])
  }

  /// The first step from an index on that only the user can pass; `count` if there is none.
  ///
  /// - Complexity: O(log steps).
  public func firstStop(from index: Int) -> Int {
    let place = Timeline.partition(stops.startIndex..<stops.endIndex) { stops[$0] >= index }
    return place == stops.endIndex ? count : stops[place]
  }

  /// Whether the step at an index or one after it is a count-up.
  ///
  /// - Complexity: O(1).
  public func hasCountUp(from index: Int) -> Bool { index < countUpsEnd }

  /// The step in which one is, a time after the start of the step at `first`, as far as steps end by
  /// themselves; `count` if all are over.
  ///
  /// With nothing left a step is over.
  ///
  /// - Complexity: O(log steps).
  public func stepReached(from first: Int, after time: Duration) -> Int {
    let nanoseconds = time.nanoseconds
    return Timeline.partition(first..<firstStop(from: first)) {
      offsets[$0 + 1] - offsets[first] > nanoseconds
    }
  }

  /// The first place of a range from which on a condition holds.
  private static func partition(_ range: Range<Int>, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Why a sequence cannot run.
public enum TimelineError: ExplainedError, Equatable {
  /// There is no card, or each is left out in the last round of a group of one round.
  case noSteps
  /// There are more than `SequenceLimits.mostSteps`.
  case tooManySteps
  /// The countdowns together take longer than `SequenceLimits.longestTotal`.
  case tooLong
  /// Groups nest deeper than `SequenceLimits.deepestNesting`.
  case tooDeep
  /// A group has fewer than one round.
  case noRounds
  /// A duration, a goal or a cadence is not longer than zero or longer than `SequenceLimits.longestDuration`, or a
  /// goal has fewer than no reminders or more than `SequenceLimits.mostReminders`.
  case unusableTiming

  /// The problem of the sequence as a whole.
  public var problem: String {
    switch self {
    case .noSteps: "there is no step"
    case .tooManySteps: "there are more than \(SequenceLimits.mostSteps) steps"
    case .tooLong: "the countdowns take more than 36500 days together"
    case .tooDeep: "groups nest deeper than \(SequenceLimits.deepestNesting)"
    case .noRounds: "a group has no rounds"
    case .unusableTiming:
      "a card's times are not between zero and 30d, or it has more than \(SequenceLimits.mostReminders) reminders"
    }
  }

  /// What would be right.
  public var remedy: String? {
    switch self {
    case .noSteps: "a sequence needs one card at least"
    case .tooManySteps: "use fewer cards or rounds"
    case .tooLong: "use fewer or shorter ones"
    case .tooDeep: "use fewer levels"
    case .noRounds: "give it one at least"
    case .unusableTiming: "change them"
    }
  }
}
