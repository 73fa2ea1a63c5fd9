import Foundation
import NotifierLedger
import SequencePlatform
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport

/// The installed program with its own state directory; its agent ends with it.
final class Tool {
  let directory: TemporaryDirectory
  let environment: [String: String]
  private let program: String
  var state: StateDirectory { StateDirectory(path: directory.path + "/state") }

  init(_ workplace: Workplace, bus: PrivateBus? = nil) throws {
    directory = try TemporaryDirectory()
    program = workplace.sequence
    var environment = ["HOME": directory.path, "PATH": "/usr/bin:/bin", "TZ": "UTC", "TERM": "xterm"]
    environment["SEQUENCE_STATE_DIR"] = directory.path + "/state"
    environment["XDG_RUNTIME_DIR"] = directory.path
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus?.address
    self.environment = environment
  }

  deinit {
    // Without a list of processes, no agent could be found before either.
    if let agent = try? agent() { kill(agent, SIGKILL) }
  }

  @discardableResult
  func callAsFunction(_ words: String...) throws -> String { try run(words) }

  @discardableResult
  func run(_ words: [String]) throws -> String {
    let output = try ChildProcess.run(program, words, environment: environment, within: .seconds(120))
    guard output.status == 0 else { throw BenchmarkError("\(words): \(output.status) \(output.errors)") }
    return output.text
  }

  func begin(_ words: String...) throws -> ChildProcess { try begin(words) }

  func begin(_ words: [String]) throws -> ChildProcess {
    try ChildProcess(program, words, environment: environment)
  }

  func process(_ words: String...) -> WholeProcess { process(words) }

  func process(_ words: [String]) -> WholeProcess { WholeProcess([program] + words, environment) }

  func store() throws -> RunStore { try RunStore.withNotifications(in: state, clock: SystemClock()) }

  /// Returns the process id of the running agent; `nil` without one.
  ///
  /// The agent's own report is not used, because it may still be that of its predecessor.
  func agent() throws -> pid_t? {
    let words = "sequence-agent\0--state-dir\0\(state.path)\0"
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
      // Processes may end during the search.
      guard let process = pid_t(name), let line = try? text("/proc/\(name)/cmdline") else { continue }
      if line.hasSuffix(words) { return process }
    }
    return nil
  }

  /// Returns the process id of the agent, which must start soon.
  func runningAgent() throws -> pid_t {
    for _ in 0..<100 {
      if let agent = try agent() { return agent }
      pause(.milliseconds(50))
    }
    throw BenchmarkError("no agent runs in \(state.path)")
  }

  func waitForEndOfAgent() throws {
    let lock = try FileLock(path: state.path + "/agent.lock")
    guard try lock.take(within: .seconds(60)) else { throw BenchmarkError("the agent goes on") }
    try lock.release()
  }

  func file(_ text: String, named name: String = "sequence.yaml") throws -> String {
    try directory.write(text, to: name)
  }
}
