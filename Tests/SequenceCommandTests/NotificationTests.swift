import Foundation
import SequenceRunner
import TestSupport
import Testing

/// The built programs with a notification server on a private bus.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct NotificationTests {
  private let bus: PrivateBus
  private let server: RecordingServer
  private let tool: Tool

  init() throws {
    (bus, server, tool) = try Tool.served()
  }

  @Test func `each end is announced once, within 100 ms, with at most one notification visible`() throws {
    let run = try tool.begin("run", "--card", "Work 0.6s", "--card", "Rest 0.4s", "--rounds", "3")
    var onScreen: Set<UInt32> = []
    var shown: [ServerEvent] = []
    while shown.count < 6 {
      let event = try server.next()
      switch (event.event, event.id) {
      case ("notify", let id?):
        shown.append(event)
        onScreen.insert(id)
      case ("closed", let id?): onScreen.remove(id)
      default: break
      }
      #expect(onScreen.count <= 1)
    }
    #expect(try run.exitStatus() == 0)
    #expect(
      shown.map(\.summary).dropLast() == [
        "Rest, 0.4s", "Work, 0.6s", "Rest, 0.4s", "Work, 0.6s", "Rest, 0.4s",
      ])
    #expect(shown.last?.summary == "Work, Rest is finished")
    let offsets: [Int64] = [0, 400, 1000, 1400, 2000, 2400].map { $0 * 1_000_000 }
    for (event, offset) in zip(shown, offsets) {
      let lateness = event.at - shown[0].at - offset
      #expect(abs(lateness) < 100_000_000 * patience, "\(event)")
    }
    #expect(try server.screen().before.allSatisfy { $0.event != "notify" })
  }

  @Test func `a notification is shown within 100 ms of its time`() throws {
    let before = bootTime()
    try tool.succeed("start", "--card", "A 0.5s", "--card", "B 1h")
    let after = bootTime()
    let event = try server.next("notify")
    #expect(event.at >= before + 500_000_000)
    #expect(event.at < after + 500_000_000 + 100_000_000 * patience)
  }

  @Test func `an agent that dies between the notifications of two runs loses neither`() throws {
    try tool.succeed("start", "--card", "A 1h", "--title", "Work")
    // An agent that doesn't know the server yet would present nothing.
    try tool.wait(until: { try tool.json("agent", "status")["server"] != nil })
    try tool.succeed("start", "--card", "A \(2 * patience)s", "--title", "Tea", "--beside")
    try tool.succeed("start", "--card", "A \(2 * patience)s", "--title", "Egg", "--beside")
    server.signal(SIGSTOP)
    try tool.wait { $0.contains("presenting") }
    kill(try tool.waitForAgent(), SIGKILL)
    try tool.waitForEndOfAgent()
    server.signal(SIGCONT)
    try tool.succeed("start", "--card", "B 1h", "--title", "Soup", "--beside")
    try tool.wait { $0.count { $0 == "delivered" } == 2 }
    #expect(
      try Set(server.screen().before.filter { $0.event == "notify" }.map(\.summary)) == [
        "Tea is finished", "Egg is finished",
      ])
    #expect(try server.screen().ids.count == 2)
  }

  @Test func `pausing leaves none pending, and stopping none visible`() throws {
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    _ = try server.next("notify")
    try tool.succeed("extend", "1h")
    _ = try server.next("closed")
    try tool.succeed("pause")
    #expect(try !tool.notificationStates().contains("pending"))
    try tool.wait { $0.allSatisfy { $0 == "removed" || $0 == "cancelled" } }
    try tool.succeed("resume")
    #expect(try tool.notificationStates().count { $0 == "pending" } == 2)
    try tool.succeed("stop")
    #expect(try server.screen().ids == [])
  }

  @Test func `stopping removes visible notifications, and the agent exits`() throws {
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h")
    _ = try server.next("notify")
    try tool.succeed("stop")
    #expect(try server.next("close").known == true)
    try tool.waitForEndOfAgent()
    // If the agent has ended before the command looks for it, the command starts another one, which ends at once.
    while try tool.agent() != nil { try tool.waitForEndOfAgent() }
    #expect(try server.screen().ids == [])
  }

  @Test func `a new agent removes a killed agent's notifications`() throws {
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h")
    let shown = try server.next("notify")
    let agent = try tool.waitForAgent()
    kill(agent, SIGKILL)
    try tool.waitForEndOfAgent()
    try tool.succeed("extend", "1m")
    let closed = try server.next("close")
    #expect(closed.id == shown.id)
    #expect(closed.known == true)
  }

  @Test func `an agent whose store was moved away serves the new one, and exits without one`() throws {
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
    try tool.wait(until: { try tool.json("agent", "status")["server"] != nil })
    let manager = FileManager.default
    try manager.createDirectory(atPath: tool.state + "/old", withIntermediateDirectories: false)
    for name in ["sequence.db-wal", "sequence.db-shm", "sequence.db"] {
      try manager.moveItem(atPath: tool.state + "/" + name, toPath: tool.state + "/old/" + name)
    }
    try tool.waitForEndOfAgent()
    try tool.succeed("start", "--card", "C 0.2s", "--card", "D 1h")
    #expect(try server.next("notify").summary == "D, 1h")
  }

  @Test func `clearing a card removes only that card's notifications`() throws {
    let text = """
      title: T
      cards:
        - { title: A, countdown: 0.2s, id: 11111111-0000-0000-0000-000000000001 }
        - { title: B, countdown: 1h, id: 11111111-0000-0000-0000-000000000002 }
        - { title: C, countdown: 1h, id: 11111111-0000-0000-0000-000000000003 }
      """
    try tool.succeed("start", try tool.file(text))
    _ = try server.next("notify")
    try tool.succeed("notifications", "clear", "--card", "11111111-0000-0000-0000-000000000002")
    #expect(try server.screen().ids.count == 1)
    #expect(try tool.notificationStates().filter { $0 == "pending" }.count == 1)
    try tool.succeed("notifications", "clear", "--card", "11111111-0000-0000-0000-000000000001")
    #expect(try server.next("close").known == true)
    #expect(try tool.notificationStates().filter { $0 == "pending" }.count == 1)
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil, "Thread Sanitizer wakes the agent"))
  func `a waiting agent uses no processor time and never wakes up`() throws {
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
    // The agent is at rest once it has recorded the server.
    try tool.wait(until: { try tool.json("agent", "status")["server"] != nil })
    let agent = try tool.waitForAgent()
    let other = try Tool()
    try other.succeed("start", "--card", "A 0.5s", "--card", "B 1h")
    try other.succeed("wait", "--step")
    // Its last write wakes it once more, so the first interval may not be quiet; the later ones must be.
    var stretches = [try switches(of: agent)]
    while stretches.count < 4 {
      try other.succeed("back")
      try other.succeed("wait", "--step")
      stretches.append(try switches(of: agent))
    }
    #expect(Set(stretches.dropFirst()).count == 1)
  }

  private func switches(of process: pid_t) throws -> [String] {
    let tasks = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).sorted().flatMap { task in
      try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
        .split(separator: "\n").filter { $0.contains("ctxt_switches") }.map(String.init)
    }
  }
}
