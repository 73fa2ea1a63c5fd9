import Foundation
import SequenceRunner
import TestSupport
import Testing

/// The built programs with desktop services that suspend an idle machine.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct IdleTests {
  private let bus: PrivateBus
  private let tool: Tool

  init() throws {
    bus = try PrivateBus()
    tool = try Tool(bus: bus.address, system: bus.address)
    try tool.configure("keepAwake: system\n")
  }

  /// Returns the next two events, which must be of a kind, one of each service.
  private func both(_ services: RecordingServer, _ kind: String) throws -> [ServerEvent] {
    let events = try [services.next(), services.next()]
    #expect(events.map(\.event) == [kind, kind])
    #expect(
      Set(events.map(\.key)) == ["org.gnome.SessionManager", "org.freedesktop.PowerManagement.Inhibit"])
    return events
  }

  /// Returns the number of occurrences of a text in the agent's log.
  private func count(_ text: String) throws -> Int {
    let log = tool.state + "/agent.log"
    guard FileManager.default.fileExists(atPath: log) else { return 0 }
    return try String(contentsOfFile: log, encoding: .utf8).components(separatedBy: text).count - 1
  }

  @Test func `a countdown inhibits with both services, and a pause and the end release`() throws {
    let services = try RecordingServer(asIdleServicesOn: bus)
    try tool.succeed("start", "--card", "A 1h")
    let first = try both(services, "inhibit")
    #expect(
      Set(first.map(\.text)) == [
        "('Sequence', 0, 'A countdown runs', 4)", "('Sequence', 'A countdown runs')",
      ])
    try tool.succeed("pause")
    // The agent exits, so the services may notice its end before the release.
    #expect(Set(try both(services, "released").map(\.id)) == Set(first.map(\.id)))
    try tool.succeed("resume")
    _ = try both(services, "inhibit")
    try tool.succeed("skip")
    _ = try both(services, "released")
    #expect(try tool.status("state") == "idle")
  }

  @Test func `a count-up does not inhibit, and releases the inhibitor of the previous countdown`() throws {
    let services = try RecordingServer(asIdleServicesOn: bus)
    // The agent keeps running, to listen for suspend.
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    let cards = "cards: [{ title: A, countdown: 0.3s }, { title: B, countUp: {} }]"
    try tool.succeed("start", try tool.file("title: T\nonSuspend: pause\n\(cards)"))
    _ = try login.next("inhibit") { $0.key == "sleep:shutdown" }
    _ = try both(services, "inhibit")
    #expect(try both(services, "released").map(\.text) == ["asked", "asked"])
    #expect(try tool.status("state") == "running")
    try tool.succeed("pause")
    try tool.succeed("resume")
    try tool.succeed("stop")
    try tool.succeed("notifications", "clear", "--all")
    try tool.waitForEndOfAgent()
    let screen = try services.screen()
    #expect(screen.ids == [] && screen.before == [])
  }

  @Test func `a display that shows a running run keeps the screen on until it ends, even by SIGKILL`() throws
  {
    try tool.configure("keepAwake: screen\n")
    let services = try RecordingServer(asIdleServicesOn: bus)
    // A count-up of its own keeps nothing awake, and nothing else needs the agent.
    try tool.succeed("start", "--card", "Read")
    let terminal = try PseudoTerminal()
    let display = try terminal.show(tool, ["attach"])
    let all = [
      "('Sequence', 0, 'A countdown runs', 4)", "('Sequence', 'A countdown runs')",
      "('Sequence', 0, 'A run is shown', 8)", "('Sequence', 'A run is shown')",
    ]
    func four(_ kind: String) throws -> [ServerEvent] {
      let events = try (1...4).map { _ in try services.next() }
      #expect(events.map(\.event) == Array(repeating: kind, count: 4))
      return events
    }
    #expect(Set(try four("inhibit").compactMap(\.text)) == Set(all))
    try tool.succeed("pause")
    _ = try four("released")
    try tool.succeed("resume")
    #expect(Set(try four("inhibit").compactMap(\.text)) == Set(all))
    kill(display, SIGKILL)
    var status: Int32 = 0
    #expect(waitpid(display, &status, 0) == display)
    _ = try four("released")
    try tool.waitForEndOfAgent()
  }

  @Test func `a countdown without a display doesn't keep the screen on`() throws {
    try tool.configure("keepAwake: screen\n")
    let services = try RecordingServer(asIdleServicesOn: bus)
    try tool.succeed("start", "--card", "A 1h")
    _ = try both(services, "inhibit")
    let terminal = try PseudoTerminal()
    let display = try terminal.show(tool, ["attach"])
    let screen = try [services.next(), services.next()]
    #expect(
      Set(screen.map(\.text)) == ["('Sequence', 0, 'A run is shown', 8)", "('Sequence', 'A run is shown')"])
    // The user switches it off while it works.
    try tool.configure("keepAwake: system\n")
    #expect(Set(try [services.next(), services.next()].map(\.id)) == Set(screen.map(\.id)))
    kill(display, SIGTERM)
    var status: Int32 = 0
    #expect(waitpid(display, &status, 0) == display)
  }

  @Test func `a killed agent leaves no inhibitor`() throws {
    let services = try RecordingServer(asIdleServicesOn: bus)
    try tool.succeed("start", "--card", "A 1h")
    _ = try both(services, "inhibit")
    kill(try tool.waitForAgent(), SIGKILL)
    #expect(try both(services, "released").map(\.text) == ["gone", "gone"])
  }

  @Test(arguments: [("refuse on", "refused", "refused: not now"), ("hang on", "held", "does not answer")])
  func `services that refuse or hang do no harm and are logged once`(
    manner: String, event: String, words: String
  ) throws {
    let server = try RecordingServer(on: bus)
    let services = try RecordingServer(asIdleServicesOn: bus)
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    try services.tell(manner)
    let run = try tool.begin("run", "--card", "A 1h", "--card", "B 0.3s", "--json")
    _ = try both(services, event)
    #expect(try login.next("inhibit").key == "idle")
    try tool.wait { try count("PowerManagement \(words)") == 1 }
    try tool.succeed("skip")
    #expect(try run.exitStatus() == 0)
    let last = try server.next("notify") { $0.summary?.hasSuffix("is finished") == true }
    try server.tell("dismiss \(try #require(last.id))")
    try tool.waitForEndOfAgent()
    #expect(try count("org.gnome.SessionManager \(words)") == 1)
    #expect(try count("PowerManagement \(words)") == 1)
  }

  @Test func `a desktop without such services is not an error`() throws {
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    try tool.succeed("start", "--card", "A 1h")
    #expect(try login.next("inhibit").key == "idle")
    try tool.succeed("stop")
    #expect(try login.next().event == "released")
    try tool.waitForEndOfAgent()
    #expect(try count("sleep") == 0)
  }

  @Test(arguments: [("list", "inhibit"), ("hang on", "held")])
  func `services that start during a countdown are asked too`(manner: String, event: String) throws {
    let services = try RecordingServer(asIdleServicesOn: bus)
    try services.tell(manner)
    if manner == "list" { _ = try services.next("screen") }
    try tool.succeed("start", "--card", "A 1h")
    _ = try both(services, event)
    services.stop()
    let others = try RecordingServer(asIdleServicesOn: bus)
    let ids = try both(others, "inhibit").map(\.id)
    try tool.succeed("pause")
    #expect(Set(try both(others, "released").map(\.id)) == Set(ids))
  }

  @Test func `the doctor lists the services that inhibit sleep, if that is wanted`() throws {
    func words() throws -> String {
      let checks = try #require(try tool.json("doctor")["checks"] as? [[String: Any]])
      return try #require(checks.first { $0["name"] as? String == "sleep" }?["text"] as? String)
    }
    #expect(try words().hasSuffix(", and nothing can prevent automatic suspend here"))
    let services = try RecordingServer(asIdleServicesOn: bus)
    let login = try RecordingServer(asLogindOn: bus, state: tool.state)
    #expect(
      try words().hasSuffix(
        ", and countdowns prevent automatic suspend through logind, org.gnome.SessionManager, "
          + "org.freedesktop.PowerManagement"
      ))
    try tool.configure("keepAwake: screen\n")
    #expect(
      try words().hasSuffix(
        ", and a display of a run keeps the screen on through org.gnome.SessionManager, "
          + "org.freedesktop.ScreenSaver"))
    services.stop()
    #expect(try words().hasSuffix(", and no service keeps the screen on for the live display"))
    try tool.configure("keepAwake: no\n")
    #expect(try !words().contains("prevent automatic suspend"))
    login.stop()
  }
}
