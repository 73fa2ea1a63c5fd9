import Foundation
import SequenceRunner
import TestSupport

/// The cost of commands, depending on the number of steps.
enum Size: Benchmark {
  static let name = "size"
  private static let sizes = [10, 1000, 100_000]

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    for shape in SequenceText.Shape.allCases {
      let runs = try sizes.map { try SizedRun(workplace, shape, steps: $0) }
      try acting("start", on: runs, shape, report) { try $0.start() }
      try acting("pause", on: runs, shape, report) { try $0.pause() }
      try acting("next", on: runs, shape, report) { try $0.next() }
      try acting("stop", on: runs, shape, report) { try $0.stop() }
      try acting("check", on: runs, shape, report) { try $0.check() }
      try looking(at: runs, report)
    }
  }

  private static func acting(
    _ command: String, on runs: [SizedRun], _ shape: SequenceText.Shape, _ report: (Row) throws -> Void,
    _ body: @escaping (SizedRun) throws -> Duration
  ) throws {
    // The largest list takes a second each time.
    let slow = shape == .flat ? runs.suffix(1) : []
    let samples =
      try interleaved(8, runs.dropLast(slow.count).map { run in { try body(run) } })
      + interleaved(4, warmUps: 0, slow.map { run in { try body(run) } })
    for (run, sample) in zip(runs, samples).dropFirst() {
      try report(Row("\(command), \(run.name)", sample.medianTime, beside: "10 steps", samples[0].medianTime))
    }
  }

  /// Measures `status`, whose additional cost for more steps must not exceed that of reading the stored run.
  private static func looking(at runs: [SizedRun], _ report: (Row) throws -> Void) throws {
    let looks = try interleaved(6, runs.flatMap { [$0.status, $0.readSnapshot, $0.parseSnapshot] })
    let smallest = looks[0].median
    for (index, run) in runs.enumerated().dropFirst() {
      let (status, read, parse) = (looks[3 * index], looks[3 * index + 1], looks[3 * index + 2])
      try report(Row("status, \(run.name)", status.medianTime, beside: "10 steps", looks[0].medianTime))
      try report(
        Row(
          "status, \(run.name): more than for 10 steps", .nanoseconds(status.median - smallest),
          beside: "cksum and JSONSerialization", .nanoseconds(read.median + parse.median), goal: .ratio(1)))
    }
  }
}
