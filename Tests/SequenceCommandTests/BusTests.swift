import Foundation
import SequenceRunner
import TestSupport
import Testing

/// The built programs with a session bus that is missing, appears later or dies.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct BusTests {
  @Test func `without a bus the run continues, and missed notifications have a reason`() throws {
    let bus = try PrivateBus(isStarted: false)
    let tool = try Tool(bus: bus.address)
    let run = try tool.begin("run", "--card", "A 0.2s", "--card", "B 2s")
    #expect(try run.exitStatus() == 0)
    #expect(try run.errorText().contains("no session bus"))
    let reasons = try tool.notifications().compactMap { $0["reason"] as? String }
    #expect(try (tool.json("agent", "status")["failure"] as? String)?.contains("no session bus") == true)
    #expect(reasons.allSatisfy { $0.contains("merged") || $0.contains("no session bus") })
  }

  @Test func `a server is started only for something due, and only where there is a screen`() throws {
    let directory = try TemporaryDirectory()
    let bus = try PrivateBus(
      starting: """
        mkfifo '\(directory.path)/input'
        exec '\(try BuiltProducts.path(of: "recording-server"))' <>'\(directory.path)/input' >'\(directory.path)/events'
        """)
    let tool = try Tool(bus: bus.address, system: bus.address)
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    func isStarted() -> Bool { FileManager.default.fileExists(atPath: directory.path + "/events") }
    tool.environment["DISPLAY"] = ":7"
    try tool.succeed("start", "--card", "A 1h")
    try tool.succeed("stop")
    // The agent ends once its question is answered.
    try tool.waitForEndOfAgent()
    #expect(!isStarted())
    // This display is on another computer, and the desktop has not started yet.
    tool.environment["SSH_CONNECTION"] = "192.0.2.1 1 192.0.2.2 22"
    try login.tell("screen 5")
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h")
    try tool.wait(until: {
      try (tool.json("agent", "status")["failure"] as? String)?.contains("no graphical session") == true
    })
    #expect(!isStarted())
    try login.tell("systemd HOME=/ WAYLAND_DISPLAY=wayland-1")
    try tool.wait { $0.contains("delivered") }
    #expect(isStarted())
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }

  @Test func `without systemd's word, a session that has been on a screen for a while has one`() throws {
    let bus = try PrivateBus(starting: "exit 1")
    let tool = try Tool(bus: bus.address, system: bus.address)
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    try login.tell("screen 60")
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h")
    try tool.wait(until: {
      try (tool.json("agent", "status")["failure"] as? String)?.contains("could not be started: ") == true
    })
  }

  @Test func `a bus that appears later is found, and notifications not yet late are shown`() throws {
    let bus = try PrivateBus(isStarted: false)
    let tool = try Tool(bus: bus.address)
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    try tool.wait(until: { try tool.json("agent", "status")["failure"] != nil })
    try bus.start()
    let server = try RecordingServer(on: bus)
    #expect(try server.next("notify").summary == "B, 1h")
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    #expect(try server.screen().ids.isEmpty)
  }

  @Test func `the bus of a login after the start of the run is found without its address`() throws {
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
      examination.hasPrefix("ok       session bus          connected to unix:path=\(bus.directory)/bus\n"))
  }

  @Test func `an agent whose bus is dead uses the bus of the user's login`() throws {
    let login = try PrivateBus()
    let server = try RecordingServer(on: login)
    let tool = try Tool(bus: "unix:path=/nonexistent/bus", runtime: login.directory)
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    #expect(try server.next("notify").summary == "B, 1h")
    let doctor = try tool("doctor").text
    let line = "ok       session bus          connected to unix:path=\(login.directory)/bus\n"
    #expect(doctor.hasPrefix(line))
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    #expect(try server.screen().ids.isEmpty)
  }

  @Test func `an agent whose session ends continues with the bus of the user's login`() throws {
    let login = try PrivateBus()
    let server = try RecordingServer(on: login)
    let session = try PrivateBus()
    let sessionServer = try RecordingServer(on: session)
    let tool = try Tool(bus: session.address, runtime: login.directory)
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h", "--card", "C 1h")
    try tool.wait(until: { try tool.json("agent", "status")["server"] != nil })
    let agent = try tool.waitForAgent()
    session.stop()
    sessionServer.stop()
    try tool.succeed("extend", "--", "-59m55s")
    #expect(try server.next("notify").summary == "B, 1h")
    #expect(try tool.agent() == agent)
  }

  @Test func `no command ends a working agent, whatever its session bus`() throws {
    let bus = try PrivateBus()
    let tool = try Tool(bus: bus.address)
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
    try tool.wait(until: { try tool.json("agent", "status")["failure"] != nil })
    let agent = try tool.waitForAgent()
    let other = try PrivateBus()
    for address in [bus.address + ",guid=0123456789abcdef0123456789abcdef", other.address] {
      let environment = tool.environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
      let output = try ChildProcess.run(
        BuiltProducts.path(of: "sequence"), ["extend", "1s"], environment: environment, within: .seconds(60))
      #expect(output.status == 0)
      #expect(try tool.agent() == agent)
    }
  }

  @Test func `a bus that dies and returns does not end the agent, and current notifications return`() throws {
    let bus = try PrivateBus()
    var server = try RecordingServer(on: bus)
    let tool = try Tool(bus: bus.address)
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    #expect(try server.next("notify").summary == "B, 1h")
    try tool.wait(untilStates: "delivered", "pending", "pending")
    let agent = try tool.waitForAgent()
    bus.stop()
    try tool.wait(until: {
      try tool.json("agent", "status")["failure"] as? String == "no session bus: it went away"
    })
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

  @Test func `a notification is gone with the bus of a killed agent`() throws {
    let first = try PrivateBus()
    let firstServer = try RecordingServer(on: first)
    let tool = try Tool(bus: first.address)
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    #expect(try firstServer.next("notify").summary == "B, 1h")
    try tool.wait(untilStates: "delivered", "pending", "pending")
    kill(try tool.waitForAgent(), SIGKILL)
    first.stop()
    firstServer.stop()
    let second = try PrivateBus()
    let server = try RecordingServer(on: second)
    let environment = tool.environment.merging(["DBUS_SESSION_BUS_ADDRESS": second.address]) { $1 }
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), ["extend", "1s"], environment: environment, within: .seconds(60))
    #expect(output.status == 0)
    try tool.wait(until: { try tool.notifications().first?["state"] as? String == "removed" })
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    #expect(try server.screen().ids.isEmpty)
  }
}
