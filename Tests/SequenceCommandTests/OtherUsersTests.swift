import Foundation
import Glibc
import SequenceRunner
import TestSupport
import Testing

/// Protection against other users of the machine.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct OtherUsersTests {
  private let tool: Tool
  private static let isRoot = geteuid() == 0
  /// A user without any other permissions.
  private static let nobody: uid_t = 65_534

  init() throws { tool = try Tool() }

  private func expectRefusal(_ path: String, _ reason: String) throws {
    for words in [["start", "--card", "A 1h"], ["status"], ["history"], ["agent", "run"]] {
      let output = try ChildProcess.run(
        BuiltProducts.path(of: "sequence"), words, environment: tool.environment)
      #expect(output.status == 74)
      #expect(
        output.errors
          == "sequence: \(path) cannot be used: \(reason); check its permissions, or use another directory with --state-dir DIR\n"
      )
    }
    #expect(try tool("doctor").status == 74)
  }

  private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: tool.state) }

  @Test(arguments: [mode_t(0o770), 0o707, 0o1777])
  func `a directory that other users can write is refused and stays unchanged`(mode: mode_t) throws {
    try #require(mkdir(tool.state, 0o700) == 0 && chmod(tool.state, mode) == 0)
    try expectRefusal(tool.state, "other users can write to it (chmod go-w fixes that)")
    #expect(try files() == [])
  }

  @Test(.enabled(if: OtherUsersTests.isRoot, "only root can give a directory away"))
  func `a directory that another user created first is refused and stays unchanged`() throws {
    try #require(mkdir(tool.state, 0o700) == 0 && chown(tool.state, OtherUsersTests.nobody, 0) == 0)
    try expectRefusal(tool.state, "it belongs to another user")
    #expect(try files() == [])
  }

  @Test(.enabled(if: OtherUsersTests.isRoot, "only root can give a file away"))
  func `a store of another user is refused`() throws {
    try tool.succeed("start", "--card", "A 1h")
    if let agent = try tool.agent() { kill(agent, SIGKILL) }
    let path = tool.state + "/sequence.db"
    try #require(chown(path, OtherUsersTests.nobody, 0) == 0)
    try expectRefusal(path, "it belongs to another user")
  }

  @Test func `a store that is a symbolic link is refused, and its target untouched`() throws {
    let other = try tool.directory.write("mine", to: "other")
    try #require(mkdir(tool.state, 0o700) == 0)
    let path = tool.state + "/sequence.db"
    for make in [symlink, link] {
      try #require(make(other, path) == 0)
      try expectRefusal(path, "it is a link, or not a regular file")
      #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
      try #require(unlink(path) == 0)
    }
  }

  @Test(arguments: ["agent.lock", "store.lock", "agent.log"])
  func `symbolic links next to the store are not written through`(name: String) throws {
    let other = tool.directory.path + "/other"
    try #require(mkdir(tool.state, 0o700) == 0 && symlink(other, tool.state + "/" + name) == 0)
    _ = try tool("start", "--card", "A 1h")
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test func `the user's own directory may be a symbolic link`() throws {
    try #require(mkdir(tool.directory.path + "/real", 0o700) == 0)
    try #require(symlink(tool.directory.path + "/real", tool.state) == 0)
    try tool.succeed("start", "--card", "A 1h")
    #expect(try tool.status("state") == "running")
  }

  @Test(arguments: ["0", "777"]) func `all created files are private to their owner, whatever the umask`(
    umask: String
  ) throws {
    let script = "umask \(umask); exec '\(try BuiltProducts.path(of: "sequence"))' start --card 'A 1h'"
    let output = try ChildProcess.run("/bin/sh", ["-c", script], environment: tool.environment)
    #expect(output.status == 0, "\(output.errors)")
    _ = try tool.agent()
    var status = stat()
    for path in [tool.state] + (try files()).map({ tool.state + "/" + $0 }) {
      try #require(lstat(path, &status) == 0)
      #expect(status.st_mode & 0o077 == 0, "\(path)")
      #expect(status.st_mode & 0o600 == 0o600, "\(path)")
    }
    #expect(try files().contains("agent.log"))
  }
}
