import TestSupport

/// The complete cost of a command, such as a status bar runs it every second.
enum StartUp: Benchmark {
  static let name = "startup"
  private static let rounds = 100

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let (running, idle) = (try Tool(workplace, bus: bus), try Tool(workplace))
    try running("start", "--card", "Work 1h", "--card", "Rest 1h")
    _ = try running.runningAgent()
    // The store exists and is empty.
    try idle("status")
    let samples = try interleaved(
      rounds,
      [
        running.process("status").duration, idle.process("status").duration,
        WholeProcess(["/usr/bin/notify-send", "--version"]).duration,
        WholeProcess([workplace.floor("exec")]).duration,
      ])
    let figures = samples.map(\.medianTime)
    withExtendedLifetime(server) {}
    for (index, what) in ["with a run and its agent", "without a run"].enumerated() {
      let what = "start-up: status \(what)"
      try report(Row(what, figures[index], beside: "notify-send --version", figures[2], goal: .ratio(1)))
      try report(Row(what, figures[index], beside: "floor: exec", figures[3]))
    }
  }
}
