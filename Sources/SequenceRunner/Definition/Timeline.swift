import Platform

/// The steps of a sequence in running order, with the countdown time before each.
///
/// Groups are flattened once, with prefix sums of the durations, so that the step at a given time is found by
/// bisection. Creating a timeline takes O(steps). The rounds of a step are calculated on request.
public struct Timeline: Sendable {
  /// The sequence that was flattened.
  public let definition: SequenceDefinition

  private let cards: [Card]
  private let cardOfStep: [Int32]
  /// The nanoseconds of countdown before each step, followed by the total.
  private let offsets: [Int64]
  /// The indices of the steps that do not end by themselves, ascending.
  private let stops: [Int]
  /// The index after the last count-up; 0 without a count-up.
  private let countUpsEnd: Int
  private let tree: [Node]

  /// Flattens a sequence.
  ///
  /// The steps are counted before anything is built, so that a sequence with too many steps costs nothing.
  ///
  /// - Throws: `TimelineError` if the sequence has no steps or exceeds `SequenceLimits`.
  public init(_ definition: SequenceDefinition) throws(TimelineError) {
    let count = try Timeline.stepCount(definition.elements, depth: 0)
    guard count > 0 else { throw .noSteps }
    guard count <= SequenceLimits.mostSteps else { throw .tooManySteps }

    var builder = Builder(capacity: count)
    tree = builder.nodes(definition.elements)
    builder.append(tree)
    guard builder.cards.allSatisfy(\.timing.isUsable) else { throw .unusableTiming }

    // Once per card rather than once per step, because a duration has 128 bits.
    let lengths = builder.cards.map { $0.timing.duration?.nanoseconds ?? 0 }
    let longestTotal = SequenceLimits.longestTotal.nanoseconds
    var offsets: [Int64] = [0]
    offsets.reserveCapacity(count + 1)
    var stops: [Int] = []
    var countUpsEnd = 0
    var total: Int64 = 0
    for (index, card) in builder.cardOfStep.enumerated() {
      // Cannot overflow: a length is at most 30 days, and the total at most 36,500 days.
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

  /// The number of steps; at least one.
  public var count: Int { cardOfStep.count }

  /// Returns the step at an index below `count`.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
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

  /// Returns the card of the step at an index below `count`.
  public func card(at index: Int) -> Card { cards[Int(cardOfStep[index])] }

  /// Returns the total countdown time of the steps in a range; count-ups add nothing.
  ///
  /// - Complexity: O(1).
  public func duration(of steps: Range<Int>) -> Duration {
    .nanoseconds(offsets[steps.upperBound] - offsets[steps.lowerBound])
  }

  /// Returns the index of the first step at or after `index` that only the user can end; `count` without one.
  ///
  /// - Complexity: O(log steps).
  public func firstStop(from index: Int) -> Int {
    let place = Timeline.partition(stops.startIndex..<stops.endIndex) { stops[$0] >= index }
    return place == stops.endIndex ? count : stops[place]
  }

  /// Returns whether the step at an index or a later step is a count-up.
  ///
  /// - Complexity: O(1).
  public func hasCountUp(from index: Int) -> Bool { index < countUpsEnd }

  /// Returns the index of the step that is current `time` after the start of the step at `first`.
  ///
  /// Stops at the first step that only the user can end. Returns `count` if all steps have ended. A step with
  /// no time left has ended.
  ///
  /// - Complexity: O(log steps).
  public func stepReached(from first: Int, after time: Duration) -> Int {
    let nanoseconds = time.nanoseconds
    return Timeline.partition(first..<firstStop(from: first)) {
      offsets[$0 + 1] - offsets[first] > nanoseconds
    }
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

/// The reason why a sequence cannot run.
public enum TimelineError: ExplainedError, Equatable {
  /// The sequence has no card, or every card is left out in the last round of a group with one round.
  case noSteps
  /// The sequence has more than `SequenceLimits.mostSteps` steps.
  case tooManySteps
  /// The countdowns together take longer than `SequenceLimits.longestTotal`.
  case tooLong
  /// Groups nest deeper than `SequenceLimits.deepestNesting`.
  case tooDeep
  /// A group has fewer than one round.
  case noRounds
  /// A card has times or numbers out of range.
  ///
  /// Either a duration, goal or cadence is not above zero or exceeds `SequenceLimits.longestDuration`, or a
  /// goal has a negative number of reminders or more than `SequenceLimits.mostReminders`.
  case unusableTiming

  /// The problem of the sequence as a whole.
  public var problem: String {
    switch self {
    case .noSteps: "the sequence has no steps"
    case .tooManySteps: "the sequence has more than \(SequenceLimits.mostSteps) steps"
    case .tooLong: "the countdowns are longer than 36500 days in total"
    case .tooDeep: "groups are nested deeper than \(SequenceLimits.deepestNesting) levels"
    case .noRounds: "a group has no rounds"
    case .unusableTiming:
      "a card has a time outside of 0 to 30d, or more than \(SequenceLimits.mostReminders) reminders"
    }
  }

  /// The change that makes the sequence valid.
  public var remedy: String? {
    switch self {
    case .noSteps: "add at least one card"
    case .tooManySteps: "use fewer cards or rounds"
    case .tooLong: "use fewer or shorter countdowns"
    case .tooDeep: "use fewer levels"
    case .noRounds: "set rounds to 1 or more"
    case .unusableTiming: "correct the times or the reminders"
    }
  }
}
