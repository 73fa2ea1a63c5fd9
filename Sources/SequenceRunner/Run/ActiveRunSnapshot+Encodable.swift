import FoundationEssentials
import SequencePlatform

/// The JSON of the sequence of a run, and of what the run knows of its cards.
struct EncodedSequence: Encodable {
  let timeline: Timeline

  private enum CodingKeys: String, CodingKey { case estimates }

  private struct CardEstimate: Encodable {
    let card: UUID
    /// In nanoseconds; `nil` for a length that was chosen.
    let usual: Int64?
  }

  func encode(to encoder: any Encoder) throws {
    try timeline.definition.encode(to: encoder)
    guard !timeline.estimates.isEmpty else { return }
    var container = encoder.container(keyedBy: CodingKeys.self)
    let estimates = timeline.estimates.sorted { $0.key < $1.key }.map { card, estimate in
      CardEstimate(card: card, usual: estimate.usual?.nanoseconds)
    }
    try container.encode(estimates, forKey: .estimates)
  }
}

/// The JSON of a run, without its sequence.
struct EncodedSnapshot: Encodable {
  let run: ActiveRunSnapshot

  private enum CodingKeys: String, CodingKey {
    case schema, runID, name, source, options, startedAt, deadline, isYielding, log, current, unrecorded,
      remark
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
    try container.encodeIfPresent(run.deadline, forKey: .deadline)
    if run.isYielding { try container.encode(true, forKey: .isYielding) }
    try container.encode(run.log, forKey: .log)
    try container.encode(run.current, forKey: .current)
    if run.unrecorded != .zero { try container.encode(run.unrecorded.nanoseconds, forKey: .unrecorded) }
    try container.encodeIfPresent(run.remark, forKey: .remark)
  }
}

extension ActiveRunSnapshot.CurrentStep: Encodable {
  private enum CodingKeys: String, CodingKey { case startedAt, extended, length, spare, clock }

  /// Encodes durations and moments as whole numbers, so that they are decoded exactly.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(startedAt, forKey: .startedAt)
    try container.encodeIfPresent(extended?.nanoseconds, forKey: .extended)
    try container.encodeIfPresent(length?.nanoseconds, forKey: .length)
    try container.encodeIfPresent(spare, forKey: .spare)
    try container.encode(clock, forKey: .clock)
  }
}

extension ActiveRunSnapshot.CurrentStep {
  static func isUsable(_ time: Duration) -> Bool {
    abs(time.seconds) <= SequenceLimits.longestDuration.seconds
  }
}

extension SpareTime: Encodable {
  private enum CodingKeys: String, CodingKey { case amount, first }

  /// Encodes the amount as whole nanoseconds, so that it is decoded exactly.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(amount.nanoseconds, forKey: .amount)
    try container.encode(first, forKey: .first)
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
