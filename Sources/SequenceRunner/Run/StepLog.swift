public import SequencePlatform
import SequenceStore

/// The ended steps of a run, in order and without gaps.
///
/// Steps that ended by themselves one after the other are stored as one chain, because all their times follow
/// from the start of the chain. So the log grows with the user's actions and not with the steps.
package struct StepLog: Hashable, Sendable {
  /// The index of the first step of the run; the run began there, so steps before it are not in the log.
  package let first: Int
  /// The number of steps before the current one, and so the index of the current one: the steps before the first one,
  /// and the ended ones.
  package private(set) var count: Int

  private var entries: [Entry] = []

  init(from first: Int = 0) { (self.first, count) = (first, first) }

  package var endedCount: Int { count - first }

  mutating func append(
    startedAt: Moment, endedAt: Moment, planned: Duration?, actual: Duration, outcome: StepOutcome
  ) {
    entries.append(
      .single(
        Single(startedAt: startedAt, endedAt: endedAt, planned: planned, actual: actual, outcome: outcome)))
    count += 1
  }

  mutating func appendChain(of steps: Int, startingAt start: Moment, sharing spare: SpareTime?) {
    guard steps > 0 else { return }
    entries.append(.chain(steps: steps, start: start, spare: spare))
    count += steps
  }

  /// Removes the record of the last step; the log must not be empty.
  mutating func removeLast() {
    guard case .chain(let steps, let start, let spare) = entries.removeLast(), steps > 1 else {
      count -= 1
      return
    }
    entries.append(.chain(steps: steps - 1, start: start, spare: spare))
    count -= 1
  }

  func last(in timeline: Timeline) -> StepRecord? {
    entries.isEmpty ? nil : records(from: count - 1, in: timeline).first
  }

  /// Calls a function with the index and the active time of each completed step that is not part of a chain, the last
  /// first.
  func forEachCompletedAlone(_ body: (Int, Duration) -> Void) {
    var index = count
    for entry in entries.reversed() {
      index -= entry.steps
      if case .single(let single) = entry, single.outcome == .completed { body(index, single.actual) }
    }
  }

  /// - Complexity: O(entries).
  package var completedCount: Int {
    entries.reduce(0) { sum, entry in
      switch entry {
      case .single(let single): sum + (single.outcome == .completed ? 1 : 0)
      case .chain(let steps, _, _): sum + steps
      }
    }
  }

  /// - Complexity: O(entries).
  func active(in timeline: Timeline, before end: Int = .max) -> Duration {
    var sum = Duration.zero
    var index = first
    for entry in entries where index < end {
      switch entry {
      case .single(let single): sum += single.actual
      case .chain(let steps, _, let spare):
        sum += timeline.duration(of: index..<min(end, index + steps), sharing: timeline.shares(of: spare))
      }
      index += entry.steps
    }
    return sum
  }

  /// Returns the active time of the rests among the steps.
  ///
  /// - Complexity: O(entries × log steps); O(steps × log steps) with a deadline.
  func rest(in timeline: Timeline) -> Duration {
    var index = first
    return entries.reduce(.zero) { sum, entry in
      defer { index += entry.steps }
      return switch entry {
      case .single(let single): timeline.card(at: index).isRest ? sum + single.actual : sum
      case .chain(let steps, _, let spare):
        sum + StepLog.rest(of: index..<index + steps, in: timeline, sharing: timeline.shares(of: spare))
      }
    }
  }

  private static func rest(
    of steps: Range<Int>, in timeline: Timeline, sharing shares: Timeline.Shares?
  ) -> Duration {
    guard let shares else { return timeline.rest(of: steps) }
    // Only the sum of the shares of all steps in a row has a closed form.
    return steps.reduce(.zero) { sum, step in
      timeline.card(at: step).isRest
        ? sum + timeline.duration(of: step..<step + 1, sharing: shares) : sum
    }
  }

  /// Counts the steps that have ended in each period.
  ///
  /// - Parameters:
  ///   - end: returns the end of the period of a moment.
  ///   - body: receives a moment of a period, and the steps that ended in it.
  /// - Complexity: O(entries + periods × log steps).
  func countSteps(
    in timeline: Timeline, untilEnd end: (Moment) -> Moment,
    _ body: (_ moment: Moment, _ completed: Int, _ skipped: Int) -> Void
  ) {
    var index = first
    for entry in entries {
      switch entry {
      case .single(let single):
        body(single.endedAt, single.outcome == .completed ? 1 : 0, single.outcome == .skipped ? 1 : 0)
        index += 1
      case .chain(let steps, let start, let spare):
        let (begin, last, shares) = (index, index + steps, timeline.shares(of: spare))
        while index < last {
          let moment = start.advanced(by: timeline.duration(of: begin..<index + 1, sharing: shares))
          let time = end(moment).duration(since: start) - .nanoseconds(1)
          let reached = timeline.stepReached(from: begin, after: time, sharing: shares)
          let next = min(last, max(index + 1, reached))
          body(moment, next - index, 0)
          index = next
        }
      }
    }
  }

  /// Returns the start and the active time of each step or chain of steps.
  ///
  /// - Complexity: O(entries).
  func intervals(in timeline: Timeline) -> [(start: Moment, active: Duration)] {
    var index = first
    return entries.map { entry in
      defer { index += entry.steps }
      return switch entry {
      case .single(let single): (single.startedAt, single.actual)
      case .chain(let steps, let start, let spare):
        (start, timeline.duration(of: index..<index + steps, sharing: timeline.shares(of: spare)))
      }
    }
  }

  /// - Complexity: O(entries + records returned).
  package func records(from begin: Int = 0, atMost count: Int = .max, in timeline: Timeline) -> [StepRecord] {
    var records: [StepRecord] = []
    var index = first
    for entry in entries where records.count < count {
      let steps = index..<index + entry.steps
      index = steps.upperBound
      guard steps.upperBound > begin else { continue }
      switch entry {
      case .single(let single): records.append(single.record(index: steps.lowerBound))
      case .chain(_, let start, let spare):
        let shares = timeline.shares(of: spare)
        for step in (max(begin, steps.lowerBound)..<steps.upperBound).prefix(count - records.count) {
          let before = timeline.duration(of: steps.lowerBound..<step, sharing: shares)
          let after = timeline.duration(of: steps.lowerBound..<step + 1, sharing: shares)
          let (startedAt, end) = (start.advanced(by: before), start.advanced(by: after))
          let duration = after - before
          records.append(
            StepRecord(
              index: step, startedAt: startedAt, endedAt: end, planned: duration, actual: duration,
              outcome: .completed))
        }
      }
    }
    return records
  }

  /// The most steps of a log: at one step in a nanosecond, more than clocks can count.
  package static let mostSteps = 1 << 62

  /// Creates a log from entries; `nil` if an entry has no steps, or all together have more than is possible.
  ///
  /// - Parameter first: the index of the first step of the run, from 0 to `SequenceLimits.mostSteps`.
  init?(from first: Int = 0, entries: [Entry]) {
    self.init(from: first)
    for entry in entries {
      guard entry.steps > 0, entry.steps <= StepLog.mostSteps - count else { return nil }
      count += entry.steps
    }
    self.entries = entries
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("entries") { json in
        json.array { json in for entry in entries { entry.write(to: &json) } }
      }
      if first > 0 { json.member("first", Int64(first)) }
    }
  }
}

extension StepLog {
  enum Entry: Hashable, Sendable {
    /// A step whose times cannot be derived from others.
    case single(Single)
    /// Countdowns that ended by themselves, each at the start of the next, and the spare time that they shared.
    case chain(steps: Int, start: Moment, spare: SpareTime? = nil)

    var steps: Int {
      switch self {
      case .single: 1
      case .chain(let steps, _, _): steps
      }
    }
  }

  /// The contents of a `StepRecord` without the index, which follows from the place in the log.
  struct Single: Hashable, Sendable {
    let startedAt: Moment
    let endedAt: Moment
    let planned: Duration?
    let actual: Duration
    let outcome: StepOutcome

    func record(index: Int) -> StepRecord {
      StepRecord(
        index: index, startedAt: startedAt, endedAt: endedAt, planned: planned, actual: actual,
        outcome: outcome)
    }
  }
}

/// The record of an ended step of a run.
public struct StepRecord: Hashable, Sendable {
  /// The position of the step in the timeline, from 0.
  public let index: Int
  /// The start of the step, by the wall clock.
  public let startedAt: Moment
  /// The end of the step, by the wall clock.
  public let endedAt: Moment
  /// The planned duration or goal, with extensions; `nil` for a count-up without a goal.
  public let planned: Duration?
  /// The active time of the step, without pauses.
  public let actual: Duration
  /// The outcome of the step.
  public let outcome: StepOutcome
}

/// The outcome of a step.
@nonexhaustive
public enum StepOutcome: String, Hashable, Sendable {
  /// The time of the step was over, or the user completed it.
  case completed
  /// The user skipped the step or stopped the run during it.
  case skipped
}
