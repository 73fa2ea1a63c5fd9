import Foundation
import SequenceRunner
import TestSupport

/// A run of a sequence of some size, to which things are done that take time.
final class SizedRun {
  let name: String
  private let tool: Tool
  private let file: String
  private let snapshot: Data
  private let snapshotFile: String

  /// A run that has started.
  init(_ workplace: Workplace, _ shape: SequenceText.Shape, steps: Int) throws {
    let count = steps.formatted(.number.locale(Locale(identifier: "en")))
    name = "\(count) steps, \(shape.rawValue)"
    tool = try Tool(workplace)
    file = try tool.file(SequenceText.long(shape, steps: steps))
    try tool("start", file)
    let text = try tool.store().database.rows("SELECT snapshot FROM active_run WHERE id = 1") { $0.text(0) }
    guard let text = text.first, !text.isEmpty else { throw BenchmarkError("nothing is stored") }
    snapshot = Data(text.utf8)
    snapshotFile = try tool.file(text, named: "snapshot.json")
    try stopAgent()
  }

  func check() throws -> Duration { try tool.process("check", file).duration() }

  /// Starts the run anew.
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

  func status() throws -> Duration { try tool.process("status").duration() }

  /// Has another program read what is stored of the run.
  func readSnapshot() throws -> Duration { try WholeProcess(["/usr/bin/cksum", snapshotFile]).duration() }

  /// Has Foundation parse it.
  func parseSnapshot() throws -> Duration {
    let start = ContinuousClock.now
    _ = try JSONSerialization.jsonObject(with: snapshot)
    return ContinuousClock.now - start
  }

  /// Ends the agent that was just started, which would take time of the next measurement.
  private func stopAgent() throws {
    kill(try tool.runningAgent(), SIGKILL)
    try tool.waitForEndOfAgent()
  }
}
