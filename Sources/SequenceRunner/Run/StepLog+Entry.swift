import SequencePlatform

extension StepLog {
  enum Entry: Hashable, Sendable, Encodable {
    /// A step whose times cannot be derived from others.
    case single(Single)
    /// Countdowns that ended by themselves, each at the start of the next.
    case chain(steps: Int, start: Moment)

    var steps: Int {
      switch self {
      case .single: 1
      case .chain(let steps, _): steps
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

extension StepLog.Single: Encodable {
  private enum CodingKeys: String, CodingKey { case startedAt, endedAt, planned, actual, outcome }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(startedAt, forKey: .startedAt)
    try container.encode(endedAt, forKey: .endedAt)
    try container.encodeIfPresent(planned?.nanoseconds, forKey: .planned)
    try container.encode(actual.nanoseconds, forKey: .actual)
    try container.encode(outcome, forKey: .outcome)
  }
}
