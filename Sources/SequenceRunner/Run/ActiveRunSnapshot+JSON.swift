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

  private static func isUsable(_ time: Duration) -> Bool {
    abs(time.seconds) <= SequenceLimits.longestDuration.seconds
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

// MARK: - Writing

extension ActiveRunSnapshot {
  /// Writes the run without its sequence.
  ///
  /// Members are sorted. Durations are whole nanoseconds, and moments whole microseconds, so that they are read exactly.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("current") { current.write(to: &$0) }
      json.member("deadline", deadline)
      json.member("isYielding", isYielding ? true : nil)
      json.member("log") { log.write(to: &$0) }
      json.member("name", name)
      if options != .unspecified { json.member("options") { options.write(to: &$0) } }
      json.member("remark", remark)
      json.member("runID", runID.text)
      json.member("schema", Int64(ActiveRunSnapshot.currentSchema))
      json.member("source", source.rawValue)
      json.member("startedAt", startedAt)
      json.member("unrecorded", unrecorded == .zero ? nil : unrecorded)
    }
  }
}

extension ActiveRunSnapshot.CurrentStep {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("clock") { clock.write(to: &$0) }
      json.member("extended", extended)
      json.member("length", length)
      if let spare { json.member("spare") { spare.write(to: &$0) } }
      json.member("startedAt", startedAt)
    }
  }
}

extension SpareTime {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("amount", amount)
      json.member("first", Int64(first))
    }
  }
}

extension ActiveRunSnapshot.StepClock {
  func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .running(let since, let before):
        json.member("elapsed", before)
        json.member("since", since)
      case .paused(let elapsed):
        json.member("elapsed", elapsed)
      case .suspended(let elapsed, let suspend):
        json.member("elapsed", elapsed)
        json.member("suspend") { suspend.write(to: &$0) }
      }
    }
  }
}

extension StepLog.Entry {
  func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .single(let single):
        json.member("single") { json in json.object { $0.member("_0") { single.write(to: &$0) } } }
      case .chain(let steps, let start, let spare):
        json.member("chain") { json in
          json.object { json in
            if let spare { json.member("spare") { spare.write(to: &$0) } }
            json.member("start", start)
            json.member("steps", Int64(steps))
          }
        }
      }
    }
  }
}

extension StepLog.Single {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("actual", actual)
      json.member("endedAt", endedAt)
      json.member("outcome", outcome.rawValue)
      json.member("planned", planned)
      json.member("startedAt", startedAt)
    }
  }
}
