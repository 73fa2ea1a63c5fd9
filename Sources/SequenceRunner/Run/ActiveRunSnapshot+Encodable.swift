import FoundationEssentials
import SequencePlatform

/// The JSON of a run, without its sequence.
struct EncodedSnapshot: Encodable {
  let run: ActiveRunSnapshot

  private enum CodingKeys: String, CodingKey {
    case schema, runID, name, source, options, startedAt, log, current, unrecorded
  }

  /// Encodes durations and moments as whole numbers, so that they are decoded exactly.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(ActiveRunSnapshot.currentSchema, forKey: .schema)
    try container.encode(run.runID, forKey: .runID)
    try container.encode(run.name, forKey: .name)
    try container.encode(run.source, forKey: .source)
    if run.options != .unspecified { try container.encode(run.options, forKey: .options) }
    try container.encode(run.startedAt, forKey: .startedAt)
    try container.encode(run.log, forKey: .log)
    try container.encode(run.current, forKey: .current)
    if run.unrecorded != .zero { try container.encode(run.unrecorded.nanoseconds, forKey: .unrecorded) }
  }
}

extension ActiveRunSnapshot.CurrentStep: Encodable {
  private enum CodingKeys: String, CodingKey { case startedAt, extended, clock }

  /// Encodes durations and moments as whole numbers, so that they are decoded exactly.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(startedAt, forKey: .startedAt)
    try container.encode(extended.nanoseconds, forKey: .extended)
    try container.encode(clock, forKey: .clock)
  }
}

extension ActiveRunSnapshot.CurrentStep {
  static func isUsable(extended: Duration) -> Bool {
    abs(extended.seconds) <= SequenceLimits.longestDuration.seconds
  }
}

extension ActiveRunSnapshot.StepClock: Encodable {
  private enum CodingKeys: String, CodingKey { case since, elapsed, suspend }

  /// Encodes durations and moments as whole numbers, so that they are decoded exactly.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .running(let since, let before):
      try container.encode(since, forKey: .since)
      try container.encode(before.nanoseconds, forKey: .elapsed)
    case .paused(let elapsed):
      try container.encode(elapsed.nanoseconds, forKey: .elapsed)
    case .suspended(let elapsed, let suspend):
      try container.encode(elapsed.nanoseconds, forKey: .elapsed)
      try container.encode(suspend, forKey: .suspend)
    }
  }
}
