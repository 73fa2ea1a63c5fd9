import Foundation
import SequenceRunner
import TestSupport

/// The lateness at the end of a long plan.
enum LongPlan: Benchmark {
  static let name = "plan"
  private static let steps = 10_000
  private static let length = Duration.milliseconds(10)

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let tool = try Tool(workplace, bus: bus)
    let file = try tool.file(
      "title: Plan\ncards: [{ rounds: \(steps), cards: [{ title: Work, countdown: 0.01s }] }]\n")
    let planned = Int64(length * steps / .nanoseconds(1))
    let loopStart = bootTime()
    let loop = try ChildProcess(
      workplace.peerSource("sleep-loop.sh"), [String(steps), "0.01"], environment: ["PATH": "/usr/bin:/bin"])
    let id = try tool("start", file)
    guard let run = try tool.store().settle().run, case .running(let since, _) = run.current.clock else {
      throw BenchmarkError("no run")
    }
    // The current step started after a whole number of ended steps.
    let start = since.boot.nanoseconds - Int64(run.log.count) * Int64(length / .nanoseconds(1))
    guard try tool.begin("wait", id).exitStatus(within: .seconds(200)) == 0 else {
      throw BenchmarkError("the run did not finish")
    }
    let waited = bootTime() - start - planned
    let shown = try server.next("notify", within: .seconds(5)) { $0.summary == "Plan is finished" }.at
    guard let ended = try tool.store().history().first else { throw BenchmarkError("no history") }
    let recorded = ended.endedAt.microseconds - ended.snapshot.startedAt.microseconds
    _ = try loop.exitStatus(within: .seconds(400))
    let looped = Figure.nanoseconds(bootTime() - loopStart - planned)
    let what = "end of 10,000 steps of 10 ms after the planned one"
    try report(
      Row(
        "\(what), recorded", .nanoseconds(recorded * 1000 - planned), beside: "loop of sleep", looped,
        goal: .limit(.nanoseconds(0))))
    for (name, late) in [("notified", shown - start - planned), ("wait returns", waited)] {
      try report(
        Row("\(what), \(name)", .nanoseconds(late), beside: "loop of sleep", looped, goal: .ratio(1 / 100)))
    }
  }
}
