import Foundation
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport

/// The built program with its own state directory; its agent ends with it.
final class Tool {
  let directory: TemporaryDirectory
  var environment: [String: String]
  var state: String { directory.path + "/state" }
  /// The session bus that lives as long as the tool.
  private var bus: PrivateBus?

  /// - Parameters:
  ///   - bus: the address of the session bus; `nil` for none.
  ///   - system: the address of the system bus; `nil` for none.
  ///   - runtime: the runtime directory; `nil` for the tool's own.
  init(bus: String? = nil, system: String? = nil, runtime: String? = nil) throws {
    directory = try TemporaryDirectory()
    var environment = ["HOME": directory.path, "PATH": "/usr/bin:/bin", "TZ": "UTC"]
    // Isolates the tests from the login of the user who runs them.
    environment["XDG_RUNTIME_DIR"] = runtime ?? directory.path
    environment["SEQUENCE_STATE_DIR"] = directory.path + "/state"
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus
    // Isolates the tests from the machine's system bus.
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = system ?? "unix:path=\(directory.path)/no-system-bus"
    self.environment = environment
  }

  /// Makes a tool with a notification server on a bus of its own.
  static func served() throws -> (bus: PrivateBus, server: RecordingServer, tool: Tool) {
    let bus = try PrivateBus()
    let (server, tool) = (try RecordingServer(on: bus), try Tool(bus: bus.address))
    tool.bus = bus
    return (bus, server, tool)
  }

  deinit {
    if let agent = try? agent() { kill(agent, SIGKILL) }
  }

  func configure(_ text: String) throws {
    // In one step: an agent may read it at any time.
    let new = try directory.write(text, to: ".config/sequence/config.yaml.new")
    try renameFile(new, to: directory.path + "/.config/sequence/config.yaml", .replacing)
  }

  func callAsFunction(_ words: String..., input: String? = nil) throws -> ChildProcess.Output {
    try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), words, environment: environment, input: input, within: .seconds(60))
  }

  @discardableResult
  func succeed(_ words: String...) throws -> String {
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), words, environment: environment, within: .seconds(60))
    guard output.status == 0 else { throw TestSupportError("\(words): \(output.status) \(output.errors)") }
    return output.text
  }

  func begin(_ words: String...) throws -> ChildProcess {
    try ChildProcess(BuiltProducts.path(of: "sequence"), words, environment: environment)
  }

  func json(_ words: String...) throws -> [String: Any] {
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), words + ["--json"], environment: environment, within: .seconds(60))
    let value = try JSONSerialization.jsonObject(with: Data(output.text.utf8))
    guard let object = value as? [String: Any] else { throw TestSupportError(output.text + output.errors) }
    return object
  }

  func agent() throws -> pid_t? { try json("agent", "status")["process"] as? pid_t }

  /// Returns the states of the notifications, sorted by time.
  func notificationStates() throws -> [String] {
    let entries = try json("notifications", "list")["notifications"] as? [[String: Any]] ?? []
    return entries.compactMap { $0["state"] as? String }
  }

  /// Returns the notifications, sorted by time.
  func notifications() throws -> [[String: Any]] {
    try json("notifications", "list")["notifications"] as? [[String: Any]] ?? []
  }

  /// Waits until the states of the notifications satisfy a condition.
  func wait(untilStates fit: ([String]) -> Bool) throws {
    let waiter = try StoreWaiter(
      RunStore(in: StateDirectory(path: state), clock: SystemClock(), parts: [], observers: []).base)
    let limit = SystemClock.boot() + .seconds(40)
    while true {
      let states = try notificationStates()
      if fit(states) { return }
      guard SystemClock.boot() < limit else { throw TestSupportError("the notifications stay \(states)") }
      try waiter.wait(until: limit)
    }
  }

  func wait(untilStates states: String...) throws { try wait { $0 == states } }

  /// Waits, with a limit, until the agent has released its lock.
  func waitForEndOfAgent() throws {
    let lock = try FileLock(path: state + "/agent.lock")
    guard try lock.take(within: .seconds(20)) else {
      throw TestSupportError(
        "the agent goes on: \(try json("agent", "status")), \(Set(try notificationStates()))")
    }
    try lock.release()
  }

  /// Starts the agent if it has work, without changing anything.
  func startAgent() throws { try succeed("notifications", "clear", "--sequence", UUID().uuidString) }

  func file(_ text: String) throws -> String { try directory.write(text, to: "sequence.yaml") }
}

/// The factor for time limits; a sanitizer makes programs several times slower.
let patience: Int64 = Sanitizer.isUsed ? 10 : 1

extension SystemClock {
  static func boot() -> Duration { .nanoseconds(bootTime()) }
}

/// Returns the boot clock in nanoseconds, like the recording server.
func bootTime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_BOOTTIME, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
