import Foundation
import SequenceRunner
import TestSupport

final class SizedRun {
  let name: String
  private let tool: Tool
  private let file: String
  private let snapshot: Data
  private let snapshotFile: String

  init(_ workplace: Workplace, _ shape: SequenceText.Shape, steps: Int) throws {
    let count = steps.formatted(.number.locale(Locale(identifier: "en")))
    name = "\(count) steps, \(shape.rawValue)"
    tool = try Tool(workplace)
    file = try tool.file(SequenceText.long(shape, steps: steps))
    try tool("start", file)
    let text = try tool.store().database.rows(
      "SELECT '[' || sequence || ',' || snapshot || ']' FROM active_run"
    ) { $0.text(0) }
    guard let text = text.first, !text.isEmpty else { throw BenchmarkError("nothing is stored") }
    snapshot = Data(text.utf8)
    snapshotFile = try tool.file(text, named: "snapshot.json")
    try stopAgent()
  }

  func check() throws -> Duration { try tool.process("check", file).duration() }

  /// Restarts the run.
  func start() throws -> Duration {
    try tool("stop")
    let duration = try tool.process("start", file).duration()
    try stopAgent()
    return duration
  }

  func pause() throws -> Duration {
    let duration = try tool.process("pause").duration()
    try tool("resume")
    try stopAgent()
    return duration
  }

  func next() throws -> Duration {
    let duration = try tool.process("next").duration()
    try stopAgent()
    return duration
  }

  func stop() throws -> Duration {
    let duration = try tool.process("stop").duration()
    try tool("start", file)
    try stopAgent()
    return duration
  }

  func status() throws -> Duration { try tool.process("status").duration() }

  func readSnapshot() throws -> Duration { try WholeProcess(["/usr/bin/cksum", snapshotFile]).duration() }

  func parseSnapshot() throws -> Duration {
    let start = ContinuousClock.now
    _ = try JSONSerialization.jsonObject(with: snapshot)
    return ContinuousClock.now - start
  }

  /// Stops the newly started agent, which would affect the next measurement.
  private func stopAgent() throws {
    kill(try tool.runningAgent(), SIGKILL)
    try tool.waitForEndOfAgent()
  }
}
