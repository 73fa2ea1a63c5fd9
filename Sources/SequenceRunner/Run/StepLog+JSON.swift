import SequencePlatform
import SequenceStore

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
