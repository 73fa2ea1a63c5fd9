import FoundationEssentials
import SequencePlatform
import SequenceStore

extension ActiveRunSnapshot {
  /// - Parameter timeline: the steps of the sequence, which is stored beside the snapshot.
  init(from json: inout JSONReader, timeline: Timeline) throws(JSONReader.Failure) {
    var (schema, runID, startedAt) = (Int64?.none, UUID?.none, Moment?.none)
    var (log, current) = (StepLog?.none, CurrentStep?.none)
    var (options, unrecorded) = (RunOptions.unspecified, Duration.zero)
    var (name, source, deadline) = (String?.none, RunSource?.none, ClockReading?.none)
    var (isYielding, remark) = (false, String?.none)
    try json.object { json, member throws(JSONReader.Failure) in
      switch member {
      case "schema": schema = try json.integer()
      case "runID": runID = try UUID(from: &json)
      case "name": name = try json.string()
      case "source": source = try json.known(RunSource(rawValue: try json.string()), "source")
      case "options": options = try RunOptions(from: &json)
      case "startedAt": startedAt = try json.moment()
      case "deadline": deadline = try json.reading()
      case "isYielding": isYielding = try json.boolean()
      case "log": log = try StepLog(from: &json)
      case "current": current = try CurrentStep(from: &json)
      case "remark": remark = try json.string()
      case "unrecorded": unrecorded = .nanoseconds(try json.integer())
      default: try json.skip()
      }
    }
    guard try json.required(schema, "schema") == Int64(ActiveRunSnapshot.currentSchema) else {
      throw json.unknown("schema")
    }
    self.runID = try json.required(runID, "runID")
    self.name = try json.required(name, "name")
    self.source = try json.required(source, "source")
    self.timeline = timeline
    self.options = options
    self.startedAt = try json.required(startedAt, "startedAt")
    self.log = try json.required(log, "log")
    self.current = try json.required(current, "current")
    self.unrecorded = unrecorded
    self.deadline = deadline
    self.isYielding = isYielding
    self.remark = remark
    guard unrecorded >= .zero else { throw json.failure("active time that is not negative") }
    guard timeline.hasListedStep(self.log.first) else { throw json.failure("a first step of the sequence") }
    guard self.log.count <= timeline.end else {
      throw json.failure("no more steps that are over than there are")
    }
  }
}

extension ActiveRunSnapshot.CurrentStep {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (startedAt, extended, length) = (Moment?.none, Int64?.none, Int64?.none)
    var spare: SpareTime?
    var clock: ActiveRunSnapshot.StepClock?
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "startedAt": startedAt = try json.moment()
      case "extended": extended = try json.integer()
      case "length": length = try json.integer()
      case "spare": spare = try SpareTime(from: &json)
      case "clock": clock = try ActiveRunSnapshot.StepClock(from: &json)
      default: try json.skip()
      }
    }
    self.startedAt = try json.required(startedAt, "startedAt")
    self.extended = extended.map { .nanoseconds($0) }
    self.length = length.map { .nanoseconds($0) }
    self.spare = spare
    self.clock = try json.required(clock, "clock")
    guard [self.extended, self.length].allSatisfy({ $0.map(ActiveRunSnapshot.CurrentStep.isUsable) ?? true })
    else { throw json.failure("an extension and a length within the limits") }
  }
}

extension SpareTime {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (amount, first) = (Int64?.none, Int64?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "amount": amount = try json.integer()
      case "first": first = try json.integer()
      default: try json.skip()
      }
    }
    let step = try json.required(first, "first")
    guard (0...Int64(StepLog.mostSteps)).contains(step) else { throw json.failure("the index of a step") }
    self.init(.nanoseconds(try json.required(amount, "amount")), from: Int(step))
  }
}

extension ActiveRunSnapshot.StepClock {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (since, elapsed, suspend) = (ClockReading?.none, Int64?.none, Suspend?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "since": since = try json.reading()
      case "elapsed": elapsed = try json.integer()
      case "suspend": suspend = try Suspend(from: &json)
      default: try json.skip()
      }
    }
    let counted = Duration.nanoseconds(try json.required(elapsed, "elapsed"))
    guard counted >= .zero else { throw json.failure("a clock that has counted something") }
    switch (suspend, since) {
    case (let suspend?, _): self = .suspended(elapsed: counted, suspend)
    case (nil, let since?): self = .running(since: since, elapsedBefore: counted)
    case (nil, nil): self = .paused(elapsed: counted)
    }
  }
}

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

extension StepLog {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (first, entries) = (Int64(0), [Entry]?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "first": first = try json.integer()
      case "entries":
        var read: [Entry] = []
        try json.array { json throws(JSONReader.Failure) in read.append(try Entry(from: &json)) }
        entries = read
      default: try json.skip()
      }
    }
    guard (0...Int64(SequenceLimits.mostSteps)).contains(first) else {
      throw json.failure("a first step within the limits")
    }
    guard let log = StepLog(from: Int(first), entries: try json.required(entries, "entries")) else {
      throw json.failure("chains within the limits")
    }
    self = log
  }
}

extension StepLog.Entry {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var entry: StepLog.Entry?
    try json.object { json, kind throws(JSONReader.Failure) in
      switch kind {
      case "single":
        try json.object { json, name throws(JSONReader.Failure) in
          if name == "_0" { entry = .single(try StepLog.Single(from: &json)) } else { try json.skip() }
        }
      case "chain": entry = try StepLog.Entry.chain(from: &json)
      default: throw json.unknown("kind of entry")
      }
    }
    self = try json.required(entry, "single or chain")
  }

  private static func chain(from json: inout JSONReader) throws(JSONReader.Failure) -> StepLog.Entry {
    var (steps, start, spare) = (Int64?.none, Moment?.none, SpareTime?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "steps": steps = try json.integer()
      case "start": start = try json.moment()
      case "spare": spare = try SpareTime(from: &json)
      default: try json.skip()
      }
    }
    return .chain(
      steps: Int(try json.required(steps, "steps")), start: try json.required(start, "start"), spare: spare)
  }
}

extension StepLog.Single {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (startedAt, endedAt) = (Moment?.none, Moment?.none)
    var (planned, actual, outcome) = (Int64?.none, Int64?.none, StepOutcome?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "startedAt": startedAt = try json.moment()
      case "endedAt": endedAt = try json.moment()
      case "planned": planned = try json.integer()
      case "actual": actual = try json.integer()
      case "outcome":
        outcome = try json.known(StepOutcome(rawValue: try json.string()), "outcome")
      default: try json.skip()
      }
    }
    self.init(
      startedAt: try json.required(startedAt, "startedAt"), endedAt: try json.required(endedAt, "endedAt"),
      planned: planned.map { .nanoseconds($0) }, actual: .nanoseconds(try json.required(actual, "actual")),
      outcome: try json.required(outcome, "outcome"))
  }
}
