import Foundation
import SequenceRunner
import TestSupport
import Testing

/// The built programs with a machine that sleeps, or seems to.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct SuspendTests {
  private static let sequence =
    "title: T\nonSuspend: ask\ncards: [{ title: A, countdown: 1h }, { title: B, countUp: {} }]"

  @Test func `a run is stored as paused before the machine sleeps, and the user is asked afterwards`() throws
  {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let tool = try Tool(bus: bus.address, system: bus.address)
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    try tool.succeed("start", try tool.file(SuspendTests.sequence))
    let held = try login.next("inhibit")
    #expect(held.key == "sleep:shutdown")
    #expect(held.text == "delay")
    try login.tell("sleep on")
    let released = try login.next("released")
    #expect(released.id == held.id)
    #expect(released.text == "paused")
    let suspend = try #require(try tool.json("status")["suspend"] as? [String: Any])
    #expect(suspend["cause"] as? String == "sleep")
    #expect(suspend["length"] == nil)

    try login.tell("sleep off")
    let asked = try server.next("notify")
    #expect(asked.summary == "A is paused. Count that time?")
    #expect(asked.actions == ["resume", "Resume", "count", "Count that time"])
    #expect(asked.hints?["urgency"] == "0x02")
    try server.tell("invoke \(try #require(asked.id)) count")
    // The run is running again, so the agent takes a new inhibitor.
    #expect(try login.next("inhibit").key == "sleep:shutdown")
    #expect(try tool.status("state") == "running")
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }

  @Test func `a locked screen pauses work until it is unlocked, whoever serves meanwhile`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let tool = try Tool(bus: bus.address, system: bus.address)
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    try tool.configure("onLock: ask\n")
    try tool.succeed("start", try tool.file("title: T\ncards: [{ title: A, countdown: 1h }]"))
    let timer = try tool.begin("timer", "1h", "Tea")
    try tool.wait { try tool("status", "tea").status == 0 }
    // A lock before the agent hears of locks would pause nothing.
    #expect(try login.next("asked").key == "LockedHint")
    try login.tell("lock on")
    try tool.wait { try tool.json("status")["suspend"] != nil }
    let suspend = try #require(try tool.json("status")["suspend"] as? [String: Any])
    #expect(suspend["cause"] as? String == "lock")
    #expect(suspend["length"] == nil)
    #expect(try tool.succeed("status").contains(": the screen is locked"))
    #expect(try tool.json("status", "tea")["state"] as? String == "running")
    kill(try tool.waitForAgent(), SIGKILL)
    try tool.waitForEndOfAgent()
    try login.tell("lock off")
    // Any command starts an agent, which asks.
    _ = try tool("status")
    let asked = try server.next("notify") { $0.summary == "A is paused. Count that time?" }
    #expect(asked.body?.hasPrefix("The screen was locked for ") == true)
    #expect(try tool.succeed("resume", "t", "--count-suspend").contains("resumed t with the time counted"))
    try tool.succeed("stop", "--all")
    _ = try timer.exitStatus()
    try tool.waitForEndOfAgent()
  }

  @Test func `a logind that is slow once is asked again, and one that is restarted under a lock too`() throws
  {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let tool = try Tool(bus: bus.address, system: bus.address)
    var login = try RecordingServer(asLogindOn: bus, state: tool.state)
    try tool.configure("onLock: ask\n")
    login.signal(SIGSTOP)
    try tool.succeed(
      "start", try tool.file("title: T\ncards: [{ title: A, countdown: 1h }, { title: B, countdown: 1h }]"))
    let log = tool.state + "/agent.log"
    try tool.wait {
      try String(contentsOfFile: log, encoding: .utf8).contains("a locked screen is not noticed")
    }
    login.signal(SIGCONT)
    // It is asked with the next command, and that must not be before it runs again.
    _ = try ChildProcess.run(
      "/usr/bin/gdbus",
      [
        "call", "--address", bus.address, "--dest", "org.freedesktop.login1", "--object-path", "/",
        "--method",
        "org.freedesktop.DBus.Peer.Ping",
      ], environment: [:])
    try tool.succeed("next")
    #expect(try login.next("asked").key == "LockedHint")
    try login.tell("lock on")
    try tool.wait { try tool.status("state") == "paused" }
    login.stop()
    login = try RecordingServer(asLogindOn: bus, state: tool.state, isLocked: true)
    #expect(try login.next("asked").key == "LockedHint")
    #expect(try server.screen().texts.isEmpty)
    try login.tell("lock off")
    let asked = try server.next("notify")
    #expect(asked.summary == "B is paused. Count that time?")
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }

  @Test func `the hooks of a pause have run when the machine sleeps, unless they take long`() throws {
    let bus = try PrivateBus()
    let tool = try Tool(bus: bus.address, system: bus.address)
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    for (wait, isDone) in [("0.3", true), ("30", false)] {
      let file = tool.directory.path + "/done-\(wait)"
      try tool.configure("hooks: [{ on: [pause], run: [sh, -c, 'sleep \(wait); touch \(file)'] }]\n")
      try tool.succeed("start", try tool.file(SuspendTests.sequence))
      _ = try login.next("inhibit")
      let begin = SystemClock.boot()
      try login.tell("sleep on")
      #expect(try login.next("released").text == "paused")
      #expect(FileManager.default.fileExists(atPath: file) == isDone)
      #expect(SystemClock.boot() < begin + .seconds(5 * patience))
      try login.tell("sleep off")
      try tool.succeed("stop")
    }
  }

  @Test func `without logind, the screen saver says whether the screen is locked`() throws {
    let bus = try PrivateBus()
    let tool = try Tool(bus: bus.address)
    let saver = try RecordingServer(asIdleServicesOn: bus)
    try tool.configure("onLock: pause\n")
    try tool.succeed("start", try tool.file("title: T\ncards: [{ title: A, countdown: 1h }]"))
    #expect(try saver.next("asked").key == "GetActive")
    try saver.tell("lock on")
    try tool.wait { try tool.status("state") == "paused" }
    #expect(try tool.succeed("status").contains("; the screen is locked"))
    try saver.tell("lock off")
    try tool.wait { try (tool.json("status")["suspend"] as? [String: Any])?["length"] != nil }
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }

  @Test func `the command line offers both answers`() throws {
    let bus = try PrivateBus()
    let tool = try Tool(bus: bus.address, system: bus.address)
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    let run = try tool.begin("run", try tool.file(SuspendTests.sequence), "--json")
    _ = try login.next("inhibit")
    #expect(try tool("resume", "--count-suspend").status == 1)
    try login.tell("shutdown on")
    #expect(try login.next("released").text == "paused")
    #expect(try [run.line(), run.line()].allSatisfy { !$0.contains("reason") })
    let paused = try run.line()
    #expect(paused.contains(#""event":"pause""#) && paused.contains(#""reason":"shutdown""#))
    try login.tell("shutdown off")
    try tool.wait { try (tool.json("status")["suspend"] as? [String: Any])?["length"] != nil }
    #expect(try tool.succeed("status").contains("; the computer was off for "))
    #expect(try tool.succeed("resume", "--count-suspend").contains(" with the time counted: \"A\""))
    #expect(try tool.json("status")["suspend"] == nil)
    try tool.succeed("stop")
    #expect(try run.exitStatus() == 3)
    try tool.waitForEndOfAgent()
  }

  @Test func `the live display shows the suspend and has a key that counts it`() throws {
    let bus = try PrivateBus()
    let tool = try Tool(bus: bus.address, system: bus.address)
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    let terminal = try PseudoTerminal()
    try terminal.resize(100, 24)
    let display = try terminal.show(tool, ["run", try tool.file(SuspendTests.sequence)])
    _ = try login.next("inhibit")
    try login.tell("sleep on")
    _ = try login.next("released")
    _ = try terminal.output(until: "PAUSED")
    try login.tell("sleep off")
    _ = try terminal.output(until: "the computer slept for")
    try terminal.type("c")
    _ = try login.next("inhibit")
    #expect(try tool.json("status")["suspend"] == nil)
    #expect(try tool.status("state") == "running")
    try terminal.type("c")
    _ = try terminal.output(until: "the run is already running")
    try tool.succeed("stop")
    var status: Int32 = 0
    #expect(waitpid(display, &status, 0) == display)
  }

  @Test func `status shows how long the computer slept even if the agent died meanwhile`() throws {
    let bus = try PrivateBus()
    let tool = try Tool(bus: bus.address, system: bus.address)
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    try tool.succeed("start", try tool.file(SuspendTests.sequence))
    _ = try login.next("inhibit")
    try login.tell("sleep on")
    _ = try login.next("released")
    #expect(try tool.succeed("status").contains("the computer is going to sleep"))
    kill(try tool.waitForAgent(), SIGKILL)
    try tool.waitForEndOfAgent()
    #expect(try tool.succeed("status").contains("the computer slept for"))
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }

  @Test func `a hanging logind delays no notification`() throws {
    let (bus, system) = (try PrivateBus(), try PrivateBus())
    let server = try RecordingServer(on: bus)
    let tool = try Tool(bus: bus.address, system: system.address)
    let login = try RecordingServer(asLogindOn: system, state: tool.state)
    login.signal(SIGSTOP)
    let file = try tool.file(
      "title: T\nonSuspend: pause\ncards: [{ title: A, countdown: 0.3s }, { title: B, countdown: 1h }]")
    let begin = SystemClock.boot()
    try tool.succeed("start", file)
    // The agent waits up to 5 s for logind.
    #expect(try server.next("notify").at < (begin + .seconds(3)).nanoseconds)
  }

  @Test func `a run with onSuspend continue calls nothing on logind`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let tool = try Tool(bus: bus.address, system: bus.address)
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    try tool.succeed("run", "--card", "A 0.2s", "--card", "B 0.2s")
    let last = try server.next("notify") { $0.summary?.hasSuffix("is finished") == true }
    try server.tell("dismiss \(try #require(last.id))")
    try tool.waitForEndOfAgent()
    try login.tell("sleep on")
    #expect(throws: (any Error).self) { try login.next(within: .zero) }
  }

  @Test func `the configuration sets onSuspend and keepAwake, and a sequence overrides it`() throws {
    let bus = try PrivateBus()
    let tool = try Tool(bus: bus.address, system: bus.address)
    try tool.configure("onSuspend: pause\nkeepAwake: system\n")
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    try tool.succeed("start", "--card", "A 1h")
    #expect(Set(try [login.next("inhibit").key, login.next("inhibit").key]) == ["sleep:shutdown", "idle"])
    try tool.succeed("pause")
    #expect(Set(try [login.next("released").text, login.next("released").text]) == ["paused"])
    try tool.succeed(
      "start", "--replace", try tool.file(SuspendTests.sequence.replacing("ask", with: "continue")))
    #expect(try login.next("inhibit").key == "idle")
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }

  @Test func `sleep is inhibited while a countdown runs, even if its notifications were cleared`() throws {
    let bus = try PrivateBus()
    let tool = try Tool(bus: bus.address, system: bus.address)
    try tool.configure("keepAwake: system\n")
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    try tool.succeed("start", "--card", "A 1h")
    #expect(try login.next("inhibit").key == "idle")
    try tool.succeed("notifications", "clear", "--all")
    // The commands find the agent running, and make it release the inhibitor.
    for _ in 1...3 { try tool.succeed("status") }
    try tool.succeed("pause")
    #expect(try login.next("released").text == "paused")
    try tool.waitForEndOfAgent()
    // Without notifications, the agent still wakes for a countdown that ends by itself.
    try tool.succeed("start", "--replace", "--card", "A 1s")
    #expect(try login.next("inhibit").key == "idle")
    try tool.succeed("notifications", "clear", "--all")
    #expect(try login.next("released").text != "running")
    try tool.waitForEndOfAgent()
  }

  @Test func `without a system bus the run continues, and the agent and the doctor report that`() throws {
    let bus = try PrivateBus()
    _ = try RecordingServer(on: bus)
    let tool = try Tool(bus: bus.address)
    try tool.succeed("start", try tool.file(SuspendTests.sequence))
    let log = tool.state + "/agent.log"
    try tool.wait { try String(contentsOfFile: log, encoding: .utf8).contains("no system bus") }
    #expect(try tool.status("state") == "running")
    let checks = try #require(tool.json("doctor")["checks"] as? [[String: Any]])
    let sleep = try #require(checks.first { $0["name"] as? String == "sleep" })
    #expect(sleep["state"] as? String == "warning")
    #expect((sleep["text"] as? String)?.contains("no system bus") == true)
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(lines.filter { $0.contains("no system bus") }.count == 1)
  }
}
