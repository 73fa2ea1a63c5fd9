import Foundation
import SequenceFiles
import SequenceRunner
import Store
import TestSupport
import Testing

/// Failures that come in the middle of a command, on the built tool; `make torture` tries many more.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct FaultTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  @Test func `damage that a command finds in the middle of its work is said too`() throws {
    // Nothing is to be told of it: no agent is started that would find the damage first.
    try tool.succeed("start", "--card", "Work")
    try Database(path: tool.state + "/sequence.db").execute("UPDATE active_run SET checksum = 'wrong'")
    let output = try tool("status")
    #expect(output.text == "idle")
    #expect(output.status == 0)
    #expect(
      output.errors.hasPrefix("sequence: the store was damaged and is now \(tool.state)/sequence.db.damaged-")
    )
    #expect(try tool("status").errors.isEmpty)
  }

  @Test func `a command that was done does not fail because no agent can be started`() throws {
    try tool.succeed("status")
    try FileManager.default.createDirectory(
      atPath: tool.state + "/agent.lock", withIntermediateDirectories: false)
    let output = try tool("start", "--card", "Work 1h")
    #expect(output.status == 0)
    #expect(
      output.errors
        == "sequence: open \(tool.state)/agent.lock failed: Is a directory; notifications will not be shown\n"
    )
    #expect(try tool.json("status")["state"] as? String == "running")
  }

  @Test func `a commit that the disk did not confirm does not come into effect later`() throws {
    try tool.succeed("start", "--card", "Work")
    let other = try tool.begin("status", "--follow")
    _ = try other.line()
    let output = try ChildProcess.run(
      "/usr/bin/strace",
      [
        "-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO:when=1",
        BuiltProducts.path(of: "sequence"), "pause",
      ], environment: tool.environment.merging(Sanitizer.environmentWithoutLeaks) { own, _ in own })
    #expect(output.status == 74)
    #expect(output.errors.contains("nothing was changed"))
    // Whoever comes after the last one that uses the store reads its log anew.
    other.signal(SIGKILL)
    _ = try other.exitStatus()
    #expect(try tool.json("status")["state"] as? String == "running")
  }

  @Test func `commands and agents may be killed at any moment`() throws {
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "torture"), ["--only", "kills", "--kills", "40", "--case", "chain"],
      environment: Sanitizer.environmentWithoutLeaks.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own },
      within: .seconds(90))
    #expect(output.status == 0, "\(output.text)")
    #expect(output.text.contains("kills       2 "), "\(output.text)")
  }
}
