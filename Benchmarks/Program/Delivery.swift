import NotificationLedger
import SequenceRunner
import TestSupport

/// Whether the agent takes longer for a notification where more of them are pending.
enum Delivery: Benchmark {
  static let name = "delivery"
  private static let delivered = 8

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    for shape in SequenceText.Shape.allCases {
      let few = try cost(workplace, shape, steps: 20)
      for (steps, size) in [(1000, "1,000"), (100_000, "100,000")] {
        let many = try cost(workplace, shape, steps: steps)
        let what = "delivery with \(size) pending, \(shape.rawValue)"
        try report(
          Row("\(what): processor time", many.time, beside: "20 pending", few.time, goal: .ratio(1.5)))
        try report(Row("\(what): lateness, median", many.lateness, beside: "20 pending", few.lateness))
      }
    }
  }

  /// What the agent takes of the processor for a notification, and how late that is shown.
  private static func cost(
    _ workplace: Workplace, _ shape: SequenceText.Shape, steps: Int
  ) throws -> (time: Figure, lateness: Figure) {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let tool = try Tool(workplace, bus: bus)
    let text = SequenceText.long(shape, steps: steps, shortSteps: delivered + 2, seconds: 1)
    try tool("start", try tool.file(text))
    let agent = try tool.runningAgent()
    let requests = try tool.store().ledger.entries(in: .everything).prefix(delivered + 2).map(\.request)
    let due = Dictionary(
      requests.map { ("\($0.summary) \($0.body)", $0.due.boot.nanoseconds) }, uniquingKeysWith: min)
    // The first are not counted, since the agent may still be busy with beginning.
    _ = try server.next("notify", within: .seconds(30))
    _ = try server.next("notify", within: .seconds(30))
    pause(.milliseconds(500))
    let before = try ProcessFigures(of: agent)
    var lateness = Samples()
    for _ in 0..<delivered {
      let event = try server.next("notify", within: .seconds(30))
      guard let due = due["\(event.summary ?? "") \(event.body ?? "")"] else {
        throw BenchmarkError("a notification was not planned: \(event)")
      }
      lateness.add(Double(event.at - due))
    }
    pause(.milliseconds(500))
    let time = try ProcessFigures(of: agent).processorTime - before.processorTime
    return (.nanoseconds(Double(time) / Double(delivered)), lateness.medianTime)
  }
}
