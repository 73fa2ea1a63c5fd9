import Foundation
import SequencePlatform
@testable import SequenceClient
import SequenceRunner
import SequenceStore
import Synchronization
import TestSupport
import Testing

@testable import SequenceCommand

/// `agent install` and `agent uninstall` with a package's unit for all users, in a temporary directory.
@Suite(.timeLimit(.minutes(1)))
struct PackagedUnitTests {
  private static let program = "/usr/libexec/sequence/sequence-agent"
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()

  private let home: TemporaryDirectory
  private var own: String { home.path + "/.config/systemd/user/sequence-agent.service" }
  private var ownLink: String {
    home.path + "/.config/systemd/user/default.target.wants/sequence-agent.service"
  }
  private var packaged: String { home.path + "/usr/lib/systemd/user/sequence-agent.service" }
  /// The agent of the same package.
  private var program: String { home.path + "/usr/libexec/sequence/sequence-agent" }

  init() throws {
    home = try TemporaryDirectory()
    // A script that enables, disables, and records its calls.
    let script = """
      #!/bin/sh
      echo "$2" >>'\(home.path)/calls'
      case $2 in
        enable) mkdir -p '\(home.path)/.config/systemd/user/default.target.wants'; : >'\(ownLink)' ;;
        disable) rm -f '\(ownLink)' ;;
      esac
      """
    try write(script, to: "bin/systemctl")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: home.path + "/bin/systemctl")
    try write("[Service]\n", to: "usr/lib/systemd/user/sequence-agent.service")
  }

  private func write(_ text: String, to place: String) throws {
    _ = try home.write(text, to: place)
  }

  /// Enables the unit like the installation of a package.
  private func enableForAll() throws { try write("", to: "etc/default.target.wants/sequence-agent.service") }

  /// Returns the output of a command line in the library.
  private func sequence(
    _ words: String..., environment: [String: String] = [:], program: String? = nil
  ) throws -> String {
    let text = Mutex<[String]>([])
    let given = ["HOME": home.path, "PATH": home.path + "/bin:/usr/bin:/bin"]
    let context = CommandContext(
      environment: EnvironmentVariables(given.merging(environment) { $1 }), clock: try SystemClock(),
      print: { line in text.withLock { $0.append(line) } },
      printError: { line in text.withLock { $0.append(line) } }, startAgent: { _ in getpid() },
      agentProgram: { program ?? self.program }, hasSystemd: true,
      unitDirectories: [home.path + "/etc", home.path + "/usr/lib/systemd/user"], hasTerminal: false)
    _ = SequenceProgram.run(words, in: context)
    return text.withLock { $0.joined(separator: "\n") }
  }

  private func exists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }

  private func calls() throws -> [String] {
    let path = home.path + "/calls"
    return exists(path)
      ? try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init) : []
  }

  @Test func `the package's unit equals an installed unit, for the usual location`() throws {
    let place = "debian/sequence-timer.sequence-agent.user.service"
    let text = try String(contentsOf: Self.repository.appending(path: place), encoding: .utf8)
    let agent = try AgentInvocation(
      program: Self.program, state: StateDirectory(path: "/HOME" + SystemdUnit.usualPlace))
    #expect(
      SystemdUnit.text(for: agent).replacing("/HOME", with: "%h") == ManagedFile.mark + "\n" + text)
    #expect(StateDirectory(environment: ["HOME": "/HOME"]) == agent.state)
  }

  @Test func `a unit that is enabled globally satisfies agent install`() throws {
    try enableForAll()
    #expect(
      try sequence("agent", "install") == "the agent starts at login by a systemd user unit: \(packaged)")
    #expect(!exists(own))
    #expect(try calls() == [])
    #expect(
      try sequence("agent", "status").hasSuffix(
        "\nstarts at login by a systemd user unit: \(packaged)"))
    #expect(try sequence("doctor").contains("(starts at login by a systemd user unit: \(packaged))"))
  }

  @Test func `a unit that is not enabled is enabled for the user, and disabled again`() throws {
    #expect(try sequence("agent", "status").contains("doesn't start at login"))
    #expect(
      try sequence("agent", "install")
        == "the agent starts at login by a systemd user unit: \(packaged)")
    #expect(!exists(own))
    #expect(try sequence("agent", "install").hasSuffix(packaged))
    #expect(try sequence("agent", "uninstall") == "removed: \(ownLink)")
    #expect(try calls() == ["daemon-reload", "enable", "disable"])
    #expect(try sequence("agent", "uninstall") == "nothing was installed")
  }

  @Test(arguments: ["SEQUENCE_STATE_DIR", "XDG_STATE_HOME"])
  func `another state directory gets its own unit, which replaces the package's`(
    variable: String
  ) throws {
    try enableForAll()
    let elsewhere = [variable: home.path + "/elsewhere"]
    #expect(
      try sequence("agent", "install", environment: elsewhere)
        == "the agent starts at login by a systemd user unit: \(own)")
    #expect(try sequence("agent", "status", environment: elsewhere).hasSuffix(own))
    let removed = try sequence("agent", "uninstall", environment: elsewhere)
    #expect(removed.hasPrefix("removed: \(own)\nthe package still starts the agent at login"))
    #expect(!exists(own))
  }

  @Test func `the unit of another package does not start this program`() throws {
    try enableForAll()
    #expect(try sequence("agent", "install", program: "/opt/sequence-agent").hasSuffix(": \(own)"))
    #expect(exists(own))
  }

  @Test func `a globally enabled unit cannot be removed by the user, and that is reported`() throws {
    try enableForAll()
    #expect(
      try sequence("agent", "uninstall")
        == "the package still starts the agent at login by a systemd user unit: \(packaged); "
        + "to prevent that, run systemctl --user mask sequence-agent.service")
    #expect(
      try sequence("agent", "uninstall", "--json") == #"{"left":"\#(packaged)","removed":[],"schema":1}"#)
    #expect(exists(packaged))
    #expect(try calls() == [])
  }

  @Test(arguments: [".config/systemd/user", "etc"])
  func `a masked unit does not start the agent`(directory: String) throws {
    try enableForAll()
    let path = home.path + "/" + directory
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: path + "/sequence-agent.service", withDestinationPath: "/dev/null")
    #expect(try sequence("agent", "status").contains("doesn't start at login"))
  }
}
