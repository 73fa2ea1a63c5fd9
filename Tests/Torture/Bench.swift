import Foundation
import Glibc
import Platform
import SequenceRunner
import TestSupport

/// A state directory with the environment that the programs are run in; agents end with it.
final class Bench {
  let directory: TemporaryDirectory
  let state: String
  var environment: [String: String]

  /// How long a command may take before it counts as one that hangs.
  static let limit = Duration.seconds(30)
  static let cards = ["--card", "Work 1h", "--card", "Rest 30m", "--rounds", "4", "--title", "Torture"]

  /// - Parameters:
  ///   - place: where the state directory is to be; `nil` for a place of its own.
  ///   - bus: the address of the session bus; `nil` for none.
  init(at place: String? = nil, bus: String? = nil) throws {
    directory = try TemporaryDirectory()
    state = place ?? directory.path + "/state"
    environment = [
      "HOME": directory.path, "PATH": "/usr/bin:/bin", "TZ": "UTC", "SEQUENCE_STATE_DIR": state,
      "XDG_RUNTIME_DIR": directory.path,
    ]
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus
  }

  /// A bench with a copy of another one's state directory.
  convenience init(copying template: Bench) throws {
    try self.init(bus: template.environment["DBUS_SESSION_BUS_ADDRESS"])
    // What an agent that was killed has left can't be copied.
    unlink(template.state + "/agent.socket")
    try FileManager.default.copyItem(atPath: template.state, toPath: state)
  }

  deinit {
    killAgents()
    Processes.reapOrphans()
  }

  var databasePath: String { state + "/sequence.db" }

  /// Starts a command, and returns while it runs.
  func begin(_ words: [String]) throws -> ChildProcess {
    try ChildProcess(BuiltProducts.path(of: "sequence"), words, environment: environment)
  }

  /// Runs a command to its end.
  func run(_ words: [String]) throws -> ChildProcess.Output {
    let child = try begin(words)
    try child.endInput()
    return try child.outcome(within: Bench.limit)
  }

  /// Runs a command that has to succeed, and returns what it printed.
  @discardableResult
  func succeed(_ words: String...) throws -> String {
    let output = try run(words)
    guard output.status == 0 else {
      throw Violation("\(words.joined(separator: " ")) exits with \(output.status): \(output.errors)")
    }
    return output.text
  }

  /// Starts an agent as a child of this process.
  func beginAgent() throws -> ChildProcess {
    try ChildProcess(
      BuiltProducts.path(of: "sequence-agent"), ["--state-dir", state], environment: environment)
  }

  /// The agents that serve the state directory.
  func agents() -> [pid_t] { Processes.withArguments(["--state-dir", state]) }

  /// Ends the agents, and waits until they have given back all that they had.
  func killAgents() {
    for agent in agents() { Processes.end(agent) }
  }

  /// Makes sure that one agent serves the directory; those that found another one at work are gone within moments.
  func expectOneAgent() throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while agents().count > 1 {
      guard .now < deadline else { throw Violation("the agents \(agents()) serve one directory") }
      usleep(20_000)
    }
  }

  /// Keeps commands from starting an agent for as long as the result lives.
  func keepAgentsAway() throws -> StandInAgent { try StandInAgent(in: state) }

  /// What the agents that commands have started wrote into their log.
  func agentLog() -> String {
    FileManager.default.contents(atPath: state + "/agent.log").map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }
}
