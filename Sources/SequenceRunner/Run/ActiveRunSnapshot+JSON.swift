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
