import Platform

/// The steps of a sequence in running order.
///
/// Rounds are not unrolled: a timeline takes the time and memory of its cards, however many steps it has. The step at a
/// given time is found by bisection in each group around it.
public struct Timeline: Sendable {
  /// The sequence that the steps belong to.
  public let definition: SequenceDefinition

  private let cards: [Card]
  private let row: Row

  /// Counts and measures the steps of a sequence.
  ///
  /// - Throws: `TimelineError` if the sequence has no steps or exceeds `SequenceLimits`.
  /// - Complexity: O(cards and groups).
  public init(_ definition: SequenceDefinition) throws(TimelineError) {
    let count = try Timeline.stepCount(definition.elements, depth: 0)
    guard count > 0 else { throw .noSteps }
    guard count <= SequenceLimits.mostSteps else { throw .tooManySteps }

    var builder = Builder()
    row = builder.row(definition.elements)
    guard !builder.isUnusable else { throw .unusableTiming }
    guard !builder.isTooLong, row.size.time <= SequenceLimits.longestTotal.nanoseconds else { throw .tooLong }
    self.definition = definition
    cards = builder.cards
  }

  /// The number of steps; at least one.
  public var count: Int { row.size.steps }

  /// Returns the step at an index below `count`.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  public func step(at index: Int) -> Step {
    var rounds: [Step.Round] = []
    let (card, _) = descend(to: index) { rounds.append($0) }
    return Step(index: index, card: card, rounds: rounds)
  }

  /// Returns the card of the step at an index below `count`.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  public func card(at index: Int) -> Card { descend(to: index) { _ in }.card }

  /// Returns the total countdown time of the steps in a range; count-ups add nothing.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  public func duration(of steps: Range<Int>) -> Duration {
    .nanoseconds(time(before: steps.upperBound) - time(before: steps.lowerBound))
  }

  /// Returns the index of the first step at or after `index` that only the user can end; `count` without one.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  public func firstStop(from index: Int) -> Int {
    index < count ? row.firstStop(from: index) ?? count : count
  }

  /// Returns whether the step at an index or a later step is a count-up.
  ///
  /// - Complexity: O(1).
  public func hasCountUp(from index: Int) -> Bool { index < row.countUpsEnd }

  /// Returns the index of the step that is current `time` after the start of the step at `first`.
  ///
  /// Stops at the first step that only the user can end. Returns `count` if all steps have ended. A step with
  /// no time left has ended.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  public func stepReached(from first: Int, after time: Duration) -> Int {
    let (end, overflowed) = self.time(before: first).addingReportingOverflow(time.nanoseconds)
    let reached = overflowed ? count : step(after: end)
    return max(first, min(reached, firstStop(from: first)))
  }

  /// Returns the card of a step and the countdown time before it, in nanoseconds.
  ///
  /// - Parameter visit: receives the round of each group around the step, outermost first.
  private func descend(to index: Int, visit: (Step.Round) -> Void) -> (card: Card, time: Int64) {
    var (row, offset, time) = (row, index, Int64(0))
    while true {
      let node = row.node { $0.start.steps + $0.size.steps > offset }
      time += node.start.time
      offset -= node.start.steps
      switch node.kind {
      case .card(let number): return (cards[number], time)
      case .group(let group):
        let round = min(offset / group.everyRound.size.steps, group.rounds - 1)
        visit(Step.Round(round: round + 1, of: group.rounds))
        offset -= round * group.everyRound.size.steps
        time += Int64(round) * group.everyRound.size.time
        row = group.row(ofRound: round)
      }
    }
  }

  /// Returns the countdown time before a step, in nanoseconds; the total for the index `count`.
  private func time(before index: Int) -> Int64 {
    index < count ? descend(to: index) { _ in }.time : row.size.time
  }

  /// Returns the index of the first step that ends after a time, in nanoseconds; `count` without one.
  private func step(after time: Int64) -> Int {
    guard time < row.size.time else { return count }
    var (row, left, index) = (row, time, 0)
    while true {
      let node = row.node { $0.start.time + $0.size.time > left }
      index += node.start.steps
      left -= node.start.time
      guard case .group(let group) = node.kind else { return index }
      let everyRound = group.everyRound.size
      let round =
        everyRound.time > 0 ? Int(min(left / everyRound.time, Int64(group.rounds - 1))) : group.rounds - 1
      index += round * everyRound.steps
      left -= Int64(round) * everyRound.time
      row = group.row(ofRound: round)
    }
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
