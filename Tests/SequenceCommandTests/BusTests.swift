import Foundation
import SequenceRunner
import TestSupport
import Testing

/// The built programs where the session bus is not there, comes later, or dies.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct BusTests {
  @Test func `without a bus the run goes on, and what could not be shown says why`() throws {
    let bus = try PrivateBus(isStarted: false)
    let tool = try Tool(bus: bus.address)
    let run = try tool.begin("run", "--card", "A 0.2s", "--card", "B 0.2s")
    #expect(try run.exitStatus() == 0)
    #expect(try run.errorText().contains("no session bus"))
    let reasons = try tool.notifications().compactMap { $0["reason"] as? String }
    #expect(try (tool.json("agent", "status")["failure"] as? String)?.contains("no session bus") == true)
    #expect(reasons.allSatisfy { $0.contains("merged") || $0.contains("no session bus") })
  }

  @Test func `a bus that comes later is found, and what is not too late is shown`() throws {
    let bus = try PrivateBus(isStarted: false)
    let tool = try Tool(bus: bus.address)
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    while try tool.json("agent", "status")["failure"] == nil {}
    try bus.start()
    let server = try RecordingServer(on: bus)
    #expect(try server.next("notify").summary == "B, 1h")
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    #expect(try server.screen().ids.isEmpty)
  }

  @Test func `the bus of a login is found that begins after the run, without an address of it`() throws {
    let bus = try PrivateBus(isStarted: false)
    let tool = try Tool(runtime: bus.directory)
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    try tool.wait(until: {
      try (tool.json("agent", "status")["failure"] as? String)
        == "no session bus: DBUS_SESSION_BUS_ADDRESS is not set, and there is no \(bus.directory)/bus"
    })
    try bus.start()
    let server = try RecordingServer(on: bus)
    #expect(try server.next("notify").summary == "B, 1h")
    let examination = try tool("doctor").text
    #expect(
      examination.hasPrefix("ok     session bus          it answers at unix:path=\(bus.directory)/bus\n"))
  }

  @Test func `an agent of a bus that is not there gives way where a command has one`() throws {
    let tool = try Tool()
    try tool.succeed("start", "--card", "A 1h", "--card", "B 0.2s", "--card", "C 1h")
    // It looks for the desktop when it begins.
    try tool.wait(until: { try tool.json("agent", "status")["failure"] != nil })
    let first = try #require(try tool.agent())
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let here = tool.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { _, here in here }
    func call(_ words: String...) throws -> ChildProcess.Output {
      try ChildProcess.run(BuiltProducts.path(of: "sequence"), words, environment: here, within: .seconds(60))
    }
    let examined = try call("doctor")
    #expect(examined.status == 69)
    #expect(examined.text.contains("it was started with another session bus"))
    #expect(try call("next").errors == "")
    #expect(try server.next("notify").summary == "C, 1h")
    let second = try #require(try tool.agent())
    #expect(second != first)
    // One whose own bus works stays, whatever a command without one does.
    try tool.succeed("extend", "1s")
    #expect(try tool.agent() == second)
    #expect(try call("doctor").status == 0)
  }

  @Test func `a bus that dies and comes back does not end the agent, and what is news comes back`() throws {
    let bus = try PrivateBus()
    var server = try RecordingServer(on: bus)
    let tool = try Tool(bus: bus.address)
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    #expect(try server.next("notify").summary == "B, 1h")
    try tool.wait(untilStates: "delivered", "pending", "pending")
    let agent = try #require(try tool.agent())
    bus.stop()
    while try (tool.json("agent", "status")["failure"] as? String) != "no session bus: it went away" {}
    try bus.start()
    server = try RecordingServer(on: bus)
    #expect(try server.next("notify").summary == "B, 1h")
    #expect(try tool.agent() == agent)
    let first = try #require(try tool.notifications().first)
    #expect(first["reason"] as? String == "the notification server was restarted")
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    #expect(try server.screen().ids.isEmpty)
  }
}
