import TestSupport

/// The agent's cost per notification, depending on the number of pending notifications.
enum Delivery: Benchmark {
  static let name = "delivery"
  private static let delivered = 4

  /// A run whose steps all stay pending, except the first few.
  private struct Load {
    let steps: Int
    let name: String
    /// The lengths of the first step and the next few in seconds; the agent has that much time for each.
    let lead, spacing: Double
  }

  private static let few = Load(steps: 20, name: "20", lead: 2, spacing: 0.5)

  /// Returns loads whose first step is long enough to start the largest of them.
  private static func many(_ shape: SequenceText.Shape) -> [Load] {
    let lead: Double =
      switch shape {
      case .flat: 40
      case .rounds: 15
      }
    return [
      Load(steps: 1000, name: "1,000", lead: 2, spacing: 0.5),
      Load(steps: 100_000, name: "100,000", lead: lead, spacing: 3),
    ]
  }

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    for shape in SequenceText.Shape.allCases {
      let least = try cost(workplace, shape, few)
      for load in many(shape) {
        let most = try cost(workplace, shape, load)
        let what = "delivery with \(load.name) pending, \(shape.rawValue)"
        try report(
          Row("\(what): processor time", most.time, beside: "20 pending", least.time, goal: .ratio(1.5)))
        try report(Row("\(what): lateness, median", most.lateness, beside: "20 pending", least.lateness))
      }
    }
  }

  private static func cost(
    _ workplace: Workplace, _ shape: SequenceText.Shape, _ load: Load
  ) throws -> (time: Figure, lateness: Figure) {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let tool = try Tool(workplace, bus: bus)
    let lengths = [load.lead] + Array(repeating: load.spacing, count: delivered)
    try tool("start", try tool.file(SequenceText.long(shape, steps: load.steps, after: lengths)))
    let agent = try tool.runningAgent()
    let due = try DueTimes(of: tool, first: delivered + 1)
    // The first notification is not counted, because the agent may still be starting.
    _ = try server.next("notify", within: .seconds(60))
    let settling = Duration.seconds(load.spacing / 2)
    pause(settling)
    let before = try ProcessFigures(of: agent)
    var lateness = Samples()
    for _ in 0..<delivered {
      lateness.add(Double(try due.lateness(of: try server.next("notify", within: .seconds(60)))))
    }
    pause(settling)
    let time = try ProcessFigures(of: agent).processorTime - before.processorTime
    return (.nanoseconds(Double(time) / Double(delivered)), lateness.medianTime)
  }
}
