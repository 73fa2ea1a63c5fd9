import Foundation
import NotifierLedger
import SequencePlatform
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized)
struct AgentMemoryTests {
  private let bus: PrivateBus
  private let server: RecordingServer
  private let tool: Tool
  private let store: RunStore
  private let waiter: StoreWaiter

  init() throws {
    (bus, server, tool) = try Tool.served()
    store = try RunStore.withNotifications(in: StateDirectory(path: tool.state), clock: try SystemClock())
    waiter = try StoreWaiter(store.base)
  }

  @Test(.enabled(if: patience == 1, "Thread Sanitizer takes memory of its own"))
  func `an agent and its ledger do not grow with the number of shown notifications`() throws {
    try add(["its.work.is.never.done"], in: .seconds(86_400))
    let agent = try ChildProcess(
      BuiltProducts.path(of: "sequence-agent"), ["--state-dir", tool.state], environment: tool.environment)
    for batch in 1...5 { try showAndClose(batch) }
    let before = try memory(of: agent)
    for batch in 6...50 { try showAndClose(batch) }
    let after = try memory(of: agent)
    for (kind, size) in before {
      #expect(try #require(after[kind]) - size < 1024, "\(kind): \(before) before, \(after) after")
    }
    #expect(try store.ledger.entries(in: .everything).count <= 1500)
  }

  /// Shows a hundred notifications, and closes them.
  private func showAndClose(_ batch: Int) throws {
    let names = (1...100).map { "batch.\(batch).\($0)" }
    try add(names)
    try wait {
      let live = try store.ledger.live()
      return live.count == 100 && live.allSatisfy { $0.state == .delivered }
    }
    let screen = try server.screen()
    #expect(Set(screen.texts) == Set(names))
    let scope = NotificationScope(try #require(NotificationIdentifier(rawValue: "batch.\(batch)")))
    let reading = store.clock.now()
    try store.database.transaction { () throws(StoreError) in
      _ = try store.ledger.clearPlanned(scope, at: reading)
    }
    try wait { try store.ledger.live().isEmpty }
    #expect(try server.screen().ids == [])
  }

  private func add(_ names: [String], in time: Duration = .zero) throws {
    let reading = store.clock.now()
    let requests = try names.map { name in
      NotificationRequest(
        identifier: try #require(NotificationIdentifier(rawValue: name)), summary: name,
        due: reading.advanced(by: time))
    }
    try store.database.transaction { () throws(StoreError) in try store.ledger.add(requests, at: reading) }
  }

  /// Waits, with a limit, until a condition about the store holds.
  private func wait(until isSo: () throws -> Bool) throws {
    let deadline = store.clock.now().boot + .seconds(60)
    while try !isSo() {
      guard store.clock.now().boot < deadline else { throw TestSupportError("the agent does not get on") }
      try waiter.wait(until: deadline)
    }
  }

  /// Returns the memory of a process, and its private memory that belongs to no file, in KiB.
  private func memory(of process: ChildProcess) throws -> [String: Int] {
    let text = try String(contentsOfFile: "/proc/\(process.identifier)/smaps_rollup", encoding: .utf8)
    var memory: [String: Int] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard ["Rss:", "Anonymous:"].contains(words[0]), let size = Int(words[1]) else { continue }
      memory[String(words[0].dropLast())] = size
    }
    try #require(memory.count == 2)
    return memory
  }
}
