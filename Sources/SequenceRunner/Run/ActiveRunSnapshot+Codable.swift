import FoundationEssentials
import Platform

extension ActiveRunSnapshot: Codable {
  private enum CodingKeys: String, CodingKey {
    case schema, runID, sequence, options, startedAt, log, current, unrecorded
  }

  /// Reads what `encode(to:)` wrote.
  ///
  /// - Throws: `DecodingError` if it is of another schema, or its parts contradict each other.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let schema = try container.decode(Int.self, forKey: .schema)
    guard schema == ActiveRunSnapshot.currentSchema else {
      throw DecodingError.dataCorruptedError(
        forKey: .schema, in: container, debugDescription: "schema \(schema) is not known")
    }
    runID = try container.decode(UUID.self, forKey: .runID)
    do {
      timeline = try Timeline(try container.decode(SequenceDefinition.self, forKey: .sequence))
    } catch let error as TimelineError {
      throw DecodingError.dataCorruptedError(
        forKey: .sequence, in: container, debugDescription: "a sequence that cannot run: \(error)")
    }
    options = try container.decodeIfPresent(RunOptions.self, forKey: .options) ?? .unspecified
    startedAt = try container.decode(Moment.self, forKey: .startedAt)
    log = try container.decode(StepLog.self, forKey: .log)
    current = try container.decode(CurrentStep.self, forKey: .current)
    unrecorded = .nanoseconds(try container.decodeIfPresent(Int64.self, forKey: .unrecorded) ?? 0)
    guard log.count <= timeline.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .log, in: container, debugDescription: "more steps are over than there are")
    }
  }

  /// Writes whole numbers, which come back exactly.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(ActiveRunSnapshot.currentSchema, forKey: .schema)
    try container.encode(runID, forKey: .runID)
    try container.encode(sequence, forKey: .sequence)
    if options != .unspecified { try container.encode(options, forKey: .options) }
    try container.encode(startedAt, forKey: .startedAt)
    try container.encode(log, forKey: .log)
    try container.encode(current, forKey: .current)
    if unrecorded != .zero { try container.encode(unrecorded.nanoseconds, forKey: .unrecorded) }
  }
}

extension ActiveRunSnapshot.CurrentStep: Codable {
  private enum CodingKeys: String, CodingKey { case startedAt, extended, clock }

  /// Reads what `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    startedAt = try container.decode(Moment.self, forKey: .startedAt)
    extended = .nanoseconds(try container.decode(Int64.self, forKey: .extended))
    guard Self.isUsable(extended: extended) else {
      throw DecodingError.dataCorruptedError(
        forKey: .extended, in: container, debugDescription: "a step that was extended by \(extended)")
    }
    clock = try container.decode(ActiveRunSnapshot.StepClock.self, forKey: .clock)
  }

  /// Writes whole numbers, which come back exactly.
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

extension ActiveRunSnapshot.StepClock: Codable {
  private enum CodingKeys: String, CodingKey { case since, elapsed, absence }

  /// Reads what `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let elapsed = Duration.nanoseconds(try container.decode(Int64.self, forKey: .elapsed))
    guard elapsed >= .zero else {
      throw DecodingError.dataCorruptedError(
        forKey: .elapsed, in: container, debugDescription: "a clock that has counted \(elapsed)")
    }
    if let absence = try container.decodeIfPresent(Absence.self, forKey: .absence) {
      self = .away(elapsed: elapsed, absence)
    } else if let since = try container.decodeIfPresent(Reading.self, forKey: .since) {
      self = .running(since: since, elapsedBefore: elapsed)
    } else {
      self = .paused(elapsed: elapsed)
    }
  }

  /// Writes whole numbers, which come back exactly.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .running(let since, let before):
      try container.encode(since, forKey: .since)
      try container.encode(before.nanoseconds, forKey: .elapsed)
    case .paused(let elapsed):
      try container.encode(elapsed.nanoseconds, forKey: .elapsed)
    case .away(let elapsed, let absence):
      try container.encode(elapsed.nanoseconds, forKey: .elapsed)
      try container.encode(absence, forKey: .absence)
    }
  }
}
