import SequenceRunner
import TestSupport

/// The memory growth of a real agent and of the live display over an hour of one-second steps.
enum RealHour: Benchmark {
  static let name = "hour"
  static let isLong = true

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let tool = try Tool(workplace, bus: bus)
    let file = try tool.file(
      "title: Hour\ncards: [{ rounds: 3700, cards: [{ title: Work, countdown: 1s }] }]\n")
    try tool("start", file)
    let display = try Resting(
      "live display", onTerminal: "\(workplace.sequence) attach", environment: tool.environment,
      keeping: [tool, bus, server])
    let processes = [("agent", try tool.runningAgent()), (display.name, display.process)]
    pause(.seconds(300))
    let before = try processes.map { try ProcessMemory(of: $0.1) }
    pause(.seconds(3300))
    for ((name, process), before) in zip(processes, before) {
      let after = try ProcessMemory(of: process)
      let what = "\(name), an hour of steps of 1 s: growth after 5 min"
      let goal = Row.Goal.limit(.kibibytes(1024))
      try report(Row("\(what), Rss", .kibibytes(after.resident - before.resident), goal: goal))
      try report(Row("\(what), anonymous", .kibibytes(after.anonymous - before.anonymous), goal: goal))
    }
    withExtendedLifetime(display) {}
  }
}
