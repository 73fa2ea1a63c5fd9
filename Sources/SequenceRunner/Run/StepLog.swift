import Platform

/// The steps of a run that are over, in order and without gaps.
///
/// Steps that ended one after the other by themselves are kept as one chain, since all their moments
/// follow from where the chain began. So the log grows with what the user does, not with the steps.
public struct StepLog: Hashable, Sendable, Encodable {
  /// How many steps are over.
  public private(set) var count = 0

  private var entries: [Entry] = []

  /// A log of no steps.
  init() {}

  /// Appends the step that follows the last one.
  mutating func append(
    startedAt: Moment, endedAt: Moment, planned: Duration?, actual: Duration, outcome: StepOutcome
  ) {
    entries.append(
      .single(
        Single(startedAt: startedAt, endedAt: endedAt, planned: planned, actual: actual, outcome: outcome)))
    count += 1
  }

  /// Appends steps that follow the last one and ended by themselves one after the other.
  mutating func appendChain(of steps: Int, startingAt start: Moment) {
    guard steps > 0 else { return }
    entries.append(.chain(steps: steps, start: start))
    count += steps
  }

  /// Takes the record of the last step away; there must be one.
  mutating func removeLast() {
    guard case .chain(let steps, let start) = entries.removeLast(), steps > 1 else {
      count -= 1
      return
    }
    entries.append(.chain(steps: steps - 1, start: start))
    count -= 1
  }

  /// The record of the last step; `nil` if none is over.
  func last(in timeline: Timeline) -> StepRecord? {
    count == 0 ? nil : records(from: count - 1, in: timeline).first
  }

  /// How many steps were completed.
  ///
  /// - Complexity: O(entries).
  var completedCount: Int {
    entries.reduce(0) { sum, entry in
      switch entry {
      case .single(let single): sum + (single.outcome == .completed ? 1 : 0)
      case .chain(let steps, _): sum + steps
      }
    }
  }

  /// The active time of the steps before an index, or of all.
  ///
  /// - Complexity: O(entries).
  func active(in timeline: Timeline, before end: Int = .max) -> Duration {
    var sum = Duration.zero
    var index = 0
    for entry in entries where index < end {
      switch entry {
      case .single(let single): sum += single.actual
      case .chain(let steps, _): sum += timeline.duration(of: index..<min(end, index + steps))
      }
      index += entry.steps
    }
    return sum
  }

  /// The records of the steps from an index on.
  ///
  /// - Complexity: O(entries + records returned).
  package func records(from first: Int = 0, in timeline: Timeline) -> [StepRecord] {
    var records: [StepRecord] = []
    var index = 0
    for entry in entries {
      let steps = index..<index + entry.steps
      index = steps.upperBound
      guard steps.upperBound > first else { continue }
      switch entry {
      case .single(let single): records.append(single.record(index: steps.lowerBound))
      case .chain(_, let start):
        for step in max(first, steps.lowerBound)..<steps.upperBound {
          let begin = start.advanced(by: timeline.duration(of: steps.lowerBound..<step))
          let end = start.advanced(by: timeline.duration(of: steps.lowerBound..<step + 1))
          let duration = timeline.duration(of: step..<step + 1)
          records.append(
            StepRecord(
              index: step, startedAt: begin, endedAt: end, planned: duration, actual: duration,
              outcome: .completed))
        }
      }
    }
    return records
  }

  private enum CodingKeys: String, CodingKey { case entries }

  /// The log of some entries; `nil` if one of them has no steps, or more than there can be.
  init?(entries: [Entry]) {
    guard entries.allSatisfy({ (1...SequenceLimits.mostSteps).contains($0.steps) }) else { return nil }
    self.entries = entries
    count = entries.reduce(0) { $0 + $1.steps }
  }

  /// Writes whole numbers, which come back exactly.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entries, forKey: .entries)
  }
}
