import Foundation
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The built programs with servers that restart, hang, refuse and limit, like real servers do.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct ServerTests {
  private let bus: PrivateBus
  private let server: RecordingServer
  private let tool: Tool

  init() throws {
    (bus, server, tool) = try Tool.served()
  }

  /// Starts a run whose first step has ended, with the second step running.
  private func startWithOneShown() throws -> ServerEvent {
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    let shown = try server.next("notify")
    try tool.wait(untilStates: "delivered", "pending", "pending")
    return shown
  }

  @Test func `another program's notification under our old id is never closed or replaced`() throws {
    try server.tell("unknown-replace new")
    let id = try #require(try startWithOneShown().id)
    // While the server is away, another program is faster and gets our id from the new server.
    let agent = try tool.waitForAgent()
    kill(agent, SIGSTOP)
    server.stop()
    let second = try RecordingServer(on: bus)
    try second.tell("unknown-replace new")
    #expect(try bus.notify("Stranger") == id)
    kill(agent, SIGCONT)
    let ours = try second.next("notify") { $0.summary != "Stranger" }
    #expect(ours.id != id)
    try tool.succeed("extend", "1m")
    #expect(try second.next("close").id == ours.id)
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    let screen = try second.screen()
    #expect(screen.texts == ["Stranger"])
    #expect(!screen.before.contains { $0.event == "close" && $0.id == id })
  }

  @Test func `a hanging server delays nothing else, and its final state is right`() throws {
    try tool.succeed("start", "--card", "A 0.3s", "--card", "B 0.3s", "--card", "C 1h", "--card", "D 1h")
    let asked = bootTime()
    try tool.succeed("status")
    let usual = bootTime() - asked
    server.signal(SIGSTOP)
    // Each look is a program of its own, so that no step can pass between a look and a wait.
    var looks = 0
    while looks < 2000, try tool.status("number") != "3" { looks += 1 }
    #expect(try tool.status("number") == "3")
    for command in ["status", "pause", "status", "resume", "status"] {
      let before = bootTime()
      try tool.succeed(command)
      // The usual run time of a command on a busy machine must not count for the server, whose answer is waited for
      // longer than that.
      #expect(bootTime() - before < max(400_000_000 * patience, 3 * usual), "\(command)")
    }
    server.signal(SIGCONT)
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    #expect(try server.screen().ids.isEmpty)
    #expect(try !tool.notificationStates().contains("presenting"))
  }

  @Test func `an agent exits at once even if its server hangs`() throws {
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h")
    try server.tell("hang Notify")
    #expect(try server.next("held").method == "Notify")
    let agent = try tool.waitForAgent()
    let before = bootTime()
    kill(agent, SIGTERM)
    try tool.waitForEndOfAgent()
    #expect(bootTime() - before < 1_000_000_000 * patience)
    // Whatever the result of the call, the next agent leaves one visible notification, and none after the
    // end.
    try server.tell("hang off")
    try tool.startAgent()
    try tool.wait { $0.last(where: { $0 != "pending" }) == "delivered" }
    #expect(try server.screen().ids.count == 1)
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    #expect(try server.screen().ids.isEmpty)
  }

  @Test func `a reply after libnotify's timeout settles the unknown state and repeats nothing`()
    throws
  {
    try server.tell("hang Notify")
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    #expect(try server.next("held").method == "Notify")
    // libnotify always waits for 25 s.
    while try tool.notifications().first?["reason"] == nil {
      try tool.wait { $0.first == "presenting" }
      try StoreWaiter(
        RunStore(in: StateDirectory(path: tool.state), clock: SystemClock(), parts: [], observers: []).base
      )
      .wait(until: SystemClock.boot() + .seconds(1))
    }
    let entry = try #require(try tool.notifications().first)
    #expect(entry["state"] as? String == "presenting")
    #expect(
      entry["reason"] as? String == "the notification server did not answer, so the outcome is unknown")
    try server.tell("hang off")
    try tool.wait(untilStates: "delivered", "pending", "pending")
    let screen = try server.screen()
    #expect(screen.ids.count == 1)
    #expect(screen.before.count { $0.event == "notify" } == 1)
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    #expect(try server.screen().ids.isEmpty)
  }

  @Test func `an expiring notification is not confused with the newer one that takes its id`() throws {
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 0.4s", "--card", "C 1h", "--card", "D 1h")
    let first = try server.next("notify")
    try server.tell("hang Notify")
    #expect(try server.next("held").method == "Notify")
    try server.tell("expire \(first.id ?? 0)")
    try server.tell("hang off")
    #expect(try server.next("notify").id == first.id)
    try tool.wait(untilStates: "removed", "delivered", "pending", "pending")
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    #expect(try server.screen().ids.isEmpty)
  }

  @Test func `a button pressed while a newer notification takes its id does not act on the newer step`()
    throws
  {
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 0.4s", "--card", "C 1h", "--card", "D 1h")
    let first = try server.next("notify")
    try server.tell("hang Notify")
    #expect(try server.next("held").method == "Notify")
    try server.tell("invoke \(first.id ?? 0) skip")
    try server.tell("hang off")
    _ = try server.next("notify")
    try tool.wait(untilStates: "removed", "delivered", "pending", "pending")
    let step = try tool.json("status")["step"] as? [String: Any]
    #expect(step?["number"] as? Int == 3)
    let reason = try tool.notifications().first?["reason"] as? String
    #expect(reason == "\"Skip\" was pressed, but the step had ended")
  }

  @Test(arguments: ["pause", "next", "stop"])
  func `a notification cancelled between showing and shown is removed`(command: String) throws {
    try server.tell("hang Notify")
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    #expect(try server.next("held").method == "Notify")
    try tool.succeed(command)
    try server.tell("hang off")
    let shown = try server.next("notify")
    #expect(try server.next("close").id == shown.id)
    #expect(try server.screen().ids.isEmpty)
  }

  @Test func `a notification refused by a full server is tried again after ours are removed`() throws {
    _ = try startWithOneShown()
    try server.tell("refuse org.freedesktop.Notifications.MaxNotificationsExceeded 1")
    try tool.succeed("restart")
    _ = try server.next("closed")
    try tool.succeed("back")
    #expect(try server.next("notify").error?.hasSuffix("MaxNotificationsExceeded") == true)
    try tool.wait { !$0.contains("presenting") }
    let entry = try #require(try tool.notifications().first { $0["state"] as? String == "pending" })
    #expect((entry["reason"] as? String)?.contains("MaxNotificationsExceeded") == true)
    #expect(try server.next("notify").error == nil)
  }

  @Test func `a server that evicts, lets only the sender close, and refuses equal texts and unknown ids`()
    throws
  {
    for rule in [
      "only-sender on", "keep 1", "refuse-same 1000", "strict-close on", "unknown-replace new",
      "signals sender",
    ] {
      try server.tell(rule)
    }
    let run = try tool.begin("run", "--card", "Work 0.3s", "--card", "Rest 0.3s", "--rounds", "3")
    var summaries: [String] = []
    while summaries.last != "Work, Rest is finished" {
      let event = try server.next("notify")
      #expect(event.error == nil)
      summaries.append(event.summary ?? "")
    }
    #expect(summaries.count == 6)
    #expect(try run.exitStatus() == 0)
    try tool.wait { $0.count { $0 == "delivered" } == 1 }
    let agent = try tool.waitForAgent()
    // The next agent is another sender; the sender that may close is gone.
    kill(agent, SIGKILL)
    try tool.waitForEndOfAgent()
    try tool.succeed("notifications", "clear", "--all")
    try tool.wait { $0.allSatisfy { $0 == "removed" } }
    #expect(try server.screen().ids.isEmpty)
  }

  @Test func `a button pauses the run, another resumes it, and the ledger records it`() throws {
    let shown = try startWithOneShown()
    #expect(shown.actions == ["pause", "Pause", "skip", "Skip", "extend", "+30 s"])
    try server.tell("invoke \(shown.id ?? 0) pause")
    let paused = try server.next("notify")
    #expect(paused.summary == "B is paused")
    #expect(paused.actions == ["resume", "Resume"])
    #expect(try tool.json("status")["state"] as? String == "paused")
    try tool.wait { $0.contains("delivered") }
    try server.tell("invoke \(paused.id ?? 0) resume")
    try tool.wait { !$0.contains("delivered") }
    #expect(try tool.json("status")["state"] as? String == "running")
    #expect(try server.screen().ids.isEmpty)
    let reasons = try tool.notifications().compactMap { $0["reason"] as? String }
    #expect(reasons.contains("\"Pause\" was pressed"))
    #expect(reasons.contains("\"Resume\" was pressed"))
  }

  @Test(arguments: [
    ("dismiss", "the user dismissed it"), ("expire", "it expired, or made room for another one"),
  ])
  func `dismissing does not complete a step, and expiring is not dismissing`(how: String, reason: String)
    throws
  {
    let shown = try startWithOneShown()
    try server.tell("\(how) \(shown.id ?? 0)")
    try tool.wait { $0.first == "removed" }
    #expect(try tool.notifications().first?["reason"] as? String == reason)
    let step = try tool.json("status")["step"] as? [String: Any]
    #expect(step?["number"] as? Int == 2)
  }

  @Test func `a server without buttons gets none, and hints name each kind`() throws {
    try server.tell("capabilities body,body-markup,x-dunst-stack-tag,x-canonical-private-synchronous")
    try tool.succeed("start", "--title", "T", "--card", "A 0.2s", "--card", "<b> & 'C' 0.2s")
    let first = try server.next("notify")
    #expect(first.actions == [])
    #expect(first.summary == "<b> & 'C', 0.2s")
    #expect(first.hints?["desktop-entry"] == "'sequence'")
    #expect(first.hints?["category"] == "'x-sequence.step'")
    #expect(first.hints?["sound-name"] == "'message-new-instant'")
    #expect(first.hints?["urgency"] == "0x01")
    #expect(first.hints?["x-dunst-stack-tag"]?.hasPrefix("'sequence.") == true)
    #expect(first.hints?["x-canonical-private-synchronous"] == first.hints?["x-dunst-stack-tag"])
    let last = try server.next("notify")
    #expect(last.body == "&lt;b&gt; &amp; 'C' is over · 2 steps done")
    #expect(last.hints?["sound-name"] == "'complete'")
    // It replaces the previous notification's id, so it needs no tag.
    #expect(last.replaces == first.id)
    #expect(last.hints?["x-dunst-stack-tag"] == nil)
  }

  @Test func `the server gets the picture of a card, whose file the check of the sequence looks for`() throws
  {
    let picture = try tool.directory.write("a picture", to: "b.png")
    let path = try tool.file(
      """
      title: T
      cards:
        - { title: A, countdown: 0.2s }
        - { title: B, countdown: 0.2s, image: b.png }
        - { title: C, countdown: 1h, image: c.png }
      """)
    #expect(
      try tool("check", path).errors
        == "sequence: \(path):5:39: \"c.png\" cannot be read, so the card has no picture\n")
    try tool.succeed("start", path)
    let first = try server.next("notify")
    #expect(first.summary == "B, 0.2s")
    #expect(first.hints?["image-path"] == "'\(picture)'")
    let second = try server.next("notify")
    #expect(second.summary == "C, 1h")
    #expect(second.hints?["image-path"] == nil)
  }

  @Test func `the tag is that of the sequence in its state directory, by whatever path`() throws {
    try server.tell("capabilities body,x-canonical-private-synchronous")
    func tag(in state: String) throws -> String {
      try tool.succeed("timer", "0.1s", "Tea", "--state-dir", state)
      let shown = try server.next("notify")
      try server.tell("dismiss \(try #require(shown.id))")
      return try #require(shown.hints?["x-canonical-private-synchronous"])
    }
    let other = tool.directory.path + "/other"
    let link = tool.directory.path + "/link"
    let tags = try (tag(in: tool.state), tag(in: other))
    #expect(tags.0 != tags.1)
    try #require(symlink(tool.state, link) == 0)
    #expect(try tag(in: link) == tags.0)
  }

  @Test func `the configuration sets the appearance of notifications, and a mistake in it is reported`()
    throws
  {
    let path = try tool.directory.write(
      """
      notifications:
        sound: none
        step-end: { urgency: critical, category: x-mine, icon: face-smile }
      """, to: ".config/sequence/config.yaml")
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    let first = try server.next("notify")
    #expect(first.hints?["urgency"] == "0x02")
    #expect(first.hints?["category"] == "'x-mine'")
    #expect(first.hints?["sound-name"] == nil)
    #expect(first.icon == "face-smile")
    _ = try tool.directory.write(
      "notifications: { step-end: { urgency: high } }", to: ".config/sequence/config.yaml")
    try tool.succeed("back")
    let second = try server.next("notify")
    #expect(second.hints?["urgency"] == "0x01")
    let log = try String(contentsOfFile: tool.state + "/agent.log", encoding: .utf8)
    #expect(log.contains("\(path):1:39: urgency must be low, normal or critical, not \"high\""))
  }

  @Test func `a burst of two hundred becomes one, and the others that were planned are accounted for`() throws
  {
    _ = try startWithOneShown()
    let agent = try tool.waitForAgent()
    kill(agent, SIGSTOP)
    let run = try tool.succeed(
      "start", "--replace", "--title", "Burst", "--card", "A 0.01s", "--rounds", "200")
    try tool.succeed("wait", run)
    kill(agent, SIGCONT)
    #expect(try server.next("notify").summary == "Burst is finished")
    try tool.wait { states in
      states.count { $0 == "delivered" } == 1 && states.count { $0 == "missed" } == 64
    }
    #expect(try !server.screen().before.contains { $0.event == "notify" })
    let merged = try tool.notifications().filter { $0["state"] as? String == "missed" }
    #expect(merged.allSatisfy { ($0["reason"] as? String)?.hasPrefix("merged into sequence.") == true })
  }
}
