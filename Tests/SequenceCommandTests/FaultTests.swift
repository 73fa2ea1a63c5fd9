import Foundation
import SequenceFiles
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// Failures in the middle of a command, with the built tool; `make torture` tries many more.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct FaultTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  @Test func `damage found in the middle of a command is reported`() throws {
    // Without notifications no agent is started, which would find the damage first.
    try tool.succeed("start", "--card", "Work")
    try Database(path: tool.state + "/sequence.db").execute("UPDATE active_run SET checksum = 'wrong'")
    let output = try tool("status")
    #expect(output.text == "idle")
    #expect(output.status == 0)
    #expect(
      output.errors.hasPrefix(
        "sequence: the store was damaged and was moved to \(tool.state)/sequence.db.damaged-")
    )
    #expect(try tool("status").errors.isEmpty)
  }

  @Test func `a successful command does not fail because no agent can be started`() throws {
    try tool.succeed("status")
    try FileManager.default.createDirectory(
      atPath: tool.state + "/agent.lock", withIntermediateDirectories: false)
    let output = try tool("start", "--card", "Work 1h")
    #expect(output.status == 0)
    #expect(
      output.errors
        == "sequence: open \(tool.state)/agent.lock failed: Is a directory, so no notifications are shown\n"
    )
    #expect(try tool.json("status")["state"] as? String == "running")
  }

  @Test(.disabled(if: Sanitizer.isUsed, "a sanitizer cannot run where no file may grow"))
  func `a file that cannot be replaced stays unchanged`() throws {
    let course = try tool.directory.write("[COURSE DATA]\n0 100\n1 100\n", to: "up.erg")
    let target = try tool.directory.write("title: mine\n", to: "mine.yaml")
    let files = try FileManager.default.contentsOfDirectory(atPath: tool.directory.path)
    let program = try BuiltProducts.path(of: "sequence")
    let script =
      "trap '' XFSZ; ulimit -f 0; exec '\(program)' import '\(course)' --output '\(target)' --force"
    let output = try ChildProcess.run("/bin/sh", ["-c", script], environment: tool.environment)
    #expect(output.status == 74)
    #expect(output.errors == "sequence: \(target): cannot be written: File too large\n")
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "title: mine\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tool.directory.path).sorted() == files.sorted())
  }

  @Test(arguments: [
    ["new", "x"], ["import", "up.erg", "--output", "new.yaml"],
    ["import", "up.erg", "--output", "old.yaml", "--force"],
  ])
  func `a file is synced before it is renamed, and the rename before success is reported`(
    words: [String]
  ) throws {
    _ = try tool.directory.write("[COURSE DATA]\n0 100\n1 100\n", to: "up.erg")
    _ = try tool.directory.write("title: old\n", to: "old.yaml")
    let log = tool.directory.path + "/calls"
    let script =
      "cd '\(tool.directory.path)' && exec strace -qq -o calls -e trace=fsync,rename,renameat,renameat2 "
      + "'\(try BuiltProducts.path(of: "sequence"))' \"$@\""
    let output = try ChildProcess.run(
      "/bin/sh", ["-c", script, "sh"] + words,
      environment: tool.environment.merging(Sanitizer.environmentWithoutLeaks) { own, _ in own })
    #expect(output.status == 0, "\(output.errors)")
    let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap {
      $0.contains("= 0") ? $0.prefix { $0.isLetter } == "fsync" ? "fsync" : "rename" : nil
    }
    #expect(calls == ["fsync", "rename", "fsync"])
  }

  @Test func `a configuration that is a pipe is refused without waiting`() throws {
    let folder = tool.directory.path + "/.config/sequence"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try #require(mkfifo(folder + "/config.yaml", 0o600) == 0)
    let refusal = "\(folder)/config.yaml: cannot be read: not a regular file"
    for words in [["start", "--card", "A 1h"], ["doctor"]] {
      let output = try ChildProcess.run(
        BuiltProducts.path(of: "sequence"), words, environment: tool.environment, within: .seconds(20))
      #expect((output.text + output.errors).contains(refusal), "\(output)")
    }
    // The agent, which has a notification to plan with it, is not delayed either.
    let agent = try tool.waitForAgent()
    kill(agent, SIGTERM)
    try tool.waitForEndOfAgent()
  }

  @Test func `a commit that the disk did not confirm does not take effect later`() throws {
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
    // The next process after the last user of the store reads its log again.
    other.signal(SIGKILL)
    _ = try other.exitStatus()
    #expect(try tool.json("status")["state"] as? String == "running")
  }

  @Test func `commands and agents can be killed at any moment`() throws {
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "torture"), ["--only", "kills", "--kills", "40", "--case", "chain"],
      environment: Sanitizer.environmentWithoutLeaks.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own },
      within: .seconds(90))
    #expect(output.status == 0, "\(output.text)")
    #expect(output.text.contains("kills       2 "), "\(output.text)")
  }
}
