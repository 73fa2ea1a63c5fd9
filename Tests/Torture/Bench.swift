import Foundation
import Glibc
import SequencePlatform
import SequenceRunner
import TestSupport

/// A state directory with the environment of the programs; its agents end with it.
final class Bench {
  let directory: TemporaryDirectory
  let state: String
  var environment: [String: String]

  static let limit = Duration.seconds(30)
  static let cards = ["--card", "Work 1h", "--card", "Rest 30m", "--rounds", "4", "--title", "Torture"]
  static let name = "torture"
  /// A sequence of the library, and a time that is far from now.
  static let plan = "plan"
  static let time: String = {
    let hour = Int(Date.now.timeIntervalSince1970) / 3600 % 24
    return "\((hour + 12) % 24):30"
  }()

  /// - Parameters:
  ///   - place: the parent of the state directory; `nil` for a temporary one.
  ///   - bus: the address of the session bus; `nil` for none.
  init(at place: String? = nil, bus: String? = nil) throws {
    directory = try TemporaryDirectory()
    state = place ?? directory.path + "/state"
    environment = [
      "HOME": directory.path, "PATH": "/usr/bin:/bin", "TZ": "UTC", "SEQUENCE_STATE_DIR": state,
      "XDG_RUNTIME_DIR": directory.path,
    ]
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus
    let library = directory.path + "/.local/share/sequence"
    try FileManager.default.createDirectory(atPath: library, withIntermediateDirectories: true)
    try "{title: Plan, cards: [{title: Work, countdown: 1h}]}"
      .write(toFile: "\(library)/\(Bench.plan).yaml", atomically: true, encoding: .utf8)
  }

  convenience init(copying template: Bench) throws {
    try self.init(bus: template.environment["DBUS_SESSION_BUS_ADDRESS"])
    // A socket that a killed agent left cannot be copied.
    unlink(template.state + "/agent.socket")
    try FileManager.default.copyItem(atPath: template.state, toPath: state)
  }

  deinit {
    killAgents()
    Processes.reapOrphans()
  }

  var databasePath: String { state + "/sequence.db" }

  func begin(_ words: [String]) throws -> ChildProcess {
    try ChildProcess(BuiltProducts.path(of: "sequence"), words, environment: environment)
  }

  func run(_ words: [String]) throws -> ChildProcess.Output {
    let child = try begin(words)
    try child.endInput()
    return try child.outcome(within: Bench.limit)
  }

  @discardableResult
  func succeed(_ words: String...) throws -> String {
    let output = try run(words)
    guard output.status == 0 else {
      throw Violation("\(words.joined(separator: " ")) exits with \(output.status): \(output.errors)")
    }
    return output.text
  }

  /// Starts a timer besides the other runs, and closes its display.
  func addTimer() throws {
    let timer = try begin(["timer", "2h", "Tea"])
    try timer.endInput()
    _ = try timer.line()
    timer.signal(SIGHUP)
    _ = try timer.outcome(within: Bench.limit)
  }

  /// Starts an agent as a child of this process.
  func beginAgent() throws -> ChildProcess {
    try ChildProcess(
      BuiltProducts.path(of: "sequence-agent"), ["--state-dir", state], environment: environment)
  }

  func agents() -> [pid_t] { Processes.withArguments(["--state-dir", state]) }

  /// Kills the agents, and waits until their files are closed.
  func killAgents() {
    for agent in agents() { Processes.end(agent) }
  }

  /// Checks that at most one agent serves the directory; an agent that finds another one at work exits soon.
  ///
  /// - Parameter isNeeded: whether there must be one.
  func expectOneAgent(isNeeded: Bool) throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !((isNeeded ? 1 : 0)...1).contains(agents().count) {
      guard .now < deadline else { throw Violation("the agents \(agents()) serve one directory") }
      usleep(20_000)
    }
  }

  /// Prevents commands from starting an agent while the result exists.
  func keepAgentsAway() throws -> StandInAgent { try StandInAgent(in: state) }

  func agentLog() -> String {
    FileManager.default.contents(atPath: state + "/agent.log").map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }
}
