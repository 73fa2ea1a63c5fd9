import Foundation
import SequencePlatform
import SequenceStore
import TestSupport
import Testing

/// The work of an agent other than delivery, when programs or the desktop misbehave: it delays no notification.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct OptionalWorkTests {
  private let bus: PrivateBus
  private let server: RecordingServer
  private let tool: Tool

  init() throws {
    (bus, server, tool) = try Tool.served()
  }

  /// Calls a method of the icon of the agent, or of its menu.
  private func call(_ path: String, _ method: String, _ arguments: String...) throws -> ChildProcess.Output {
    try ChildProcess.run(
      "/usr/bin/gdbus",
      [
        "call", "--session", "--dest", "org.kde.StatusNotifierItem-\(try tool.waitForAgent())-1",
        "--object-path", "/StatusNotifierItem\(path)", "--method", method, "--",
      ] + arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "LC_ALL": "C.UTF-8"])
  }

  private func log() throws -> String {
    try String(contentsOfFile: tool.state + "/agent.log", encoding: .utf8)
  }

  private func wait(until holds: () throws -> Bool) throws {
    let deadline = bootTime() + 20_000_000_000 * patience
    while try !holds() {
      guard bootTime() < deadline else { throw TestSupportError("it does not come to that: \(try log())") }
    }
  }

  /// Starts a run of an hour with an icon, and returns the number of the menu's entry to extend it.
  private func startWithIcon() throws -> String {
    try tool.configure("panel: { icon: true }\n")
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
    var layout = ""
    try wait {
      layout = try call("/Menu", "com.canonical.dbusmenu.GetLayout", "0", "-1", "[]").text
      return layout.contains("'+30 s'")
    }
    let entry = try #require(layout.components(separatedBy: "<(").first { $0.contains("'+30 s'") })
    return String(entry.prefix { $0.isNumber })
  }

  private func left() throws -> Double {
    let step = try #require(try tool.json("status")["step"] as? [String: Any])
    return try #require(step["duration"] as? Double)
  }

  @Test(arguments: ["inotify_init1:error=EMFILE", "inotify_add_watch:error=ENOSPC"])
  func `an agent that can't watch files shows notifications, with a display that keeps the screen on`(
    fault: String
  ) throws {
    try tool.configure("keepAwake: screen\npanel: { icon: true, media: true }\n")
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
    let first = try tool.waitForAgent()
    kill(first, SIGKILL)
    try tool.waitForEndOfAgent()
    let call = fault.prefix { $0 != ":" }
    let traced = try ChildProcess(
      "/usr/bin/strace",
      [
        "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(fault)",
        BuiltProducts.path(of: "sequence-agent"), "--state-dir", tool.state,
      ], environment: tool.environment.merging(Sanitizer.environmentWithoutLeaks) { own, _ in own })
    defer { traced.end() }
    let agent = try tool.waitForAgent(otherThan: first)
    let output = try tool("start", "--beside", "--title", "Tea", "--card", "T 1s")
    #expect(output.status == 0 && output.errors.isEmpty, "\(output)")
    _ = try server.next("notify") { $0.summary == "Tea is finished" }
    #expect(try tool.agent() == agent)
    try tool.succeed("stop", "--all")
    try tool.succeed("notifications", "clear", "--all")
    try tool.waitForEndOfAgent()
  }

  @Test func `a program that opens the window and hangs delays no notification, and its failure is logged`()
    throws
  {
    let gate = tool.directory.path + "/gate"
    try #require(mkfifo(gate, 0o600) == 0)
    let starter = try tool.directory.write(
      "#!/bin/sh\nread line < \"$HOME/gate\"\nexit 3\n", to: "bin/systemd-run")
    chmod(starter, 0o700)
    tool.environment["PATH"] = "\(tool.directory.path)/bin:/usr/bin:/bin"
    // The agent is the service of a unit.
    tool.environment["INVOCATION_ID"] = "1"
    try tool.configure("panel: { icon: true }\n")
    try tool.succeed("start", "--card", "A 2s", "--card", "B 1h")
    try wait { try call("", "org.kde.StatusNotifierItem.Activate", "0", "0").status == 0 }
    let shown = try server.next("notify")
    #expect(shown.summary == "B, 1h")
    // A second click opens no second window.
    #expect(try call("", "org.kde.StatusNotifierItem.Activate", "0", "0").status == 0)
    try wait { try log().contains("the window cannot be opened: it is still being opened") }
    try "go\n".write(toFile: gate, atomically: false, encoding: .utf8)
    try wait { try log().contains("the window cannot be opened: systemd-run ended with status 3") }
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }

  @Test func `a picture that has become a pipe is not handed to the server`() throws {
    let picture = try tool.directory.write("picture", to: "tea.png")
    let file = try tool.file(
      "title: Tea\ncards:\n  - { title: A, countdown: 1h }\n  - { title: B, countdown: 1h, image: tea.png }\n"
    )
    try tool.succeed("start", file)
    try tool.succeed("extend", "-3599s")
    let first = try server.next("notify")
    #expect(first.summary == "B, 1h")
    #expect(first.hints?["image-path"]?.contains(picture) == true)
    try tool.succeed("back")
    try FileManager.default.removeItem(atPath: picture)
    try #require(mkfifo(picture, 0o600) == 0)
    try tool.succeed("extend", "-3599s")
    let second = try server.next("notify")
    #expect(second.summary == "B, 1h")
    #expect(second.hints?["image-path"] == nil)
    try tool.succeed("stop")
  }

  @Test func `of one message with many clicks one counts`() throws {
    let entry = try startWithIcon()
    let clicks = Array(repeating: "(\(entry),'clicked',<0>,0)", count: 4000).joined(separator: ",")
    #expect(try call("/Menu", "com.canonical.dbusmenu.EventGroup", "[\(clicks)]").status == 0)
    try wait { try left() > 3600 }
    // What comes next is carried out after all that came before.
    #expect(try call("/Menu", "com.canonical.dbusmenu.Event", entry, "clicked", "<0>", "0").status == 0)
    try wait { try left() > 3630 }
    #expect(try left() == 3660)
    try tool.succeed("stop")
  }

  @Test func `only a few requests wait for a busy store, and the others are refused`() throws {
    let entry = try startWithIcon()
    var outputs: [ChildProcess.Output] = []
    try Database(path: tool.state + "/sequence.db").transaction { () throws(StoreError) in
      do {
        for _ in 0..<12 {
          outputs.append(try call("/Menu", "com.canonical.dbusmenu.Event", entry, "clicked", "<0>", "0"))
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(outputs.prefix(8).allSatisfy { $0.status == 0 }, "\(outputs)")
    #expect(outputs.count { $0.errors.contains("too many requests are waiting") } == 4, "\(outputs)")
    // The clicks are carried out or too late by now, and the next one is taken.
    try wait { try call("/Menu", "com.canonical.dbusmenu.Event", entry, "clicked", "<0>", "0").status == 0 }
    try tool.succeed("stop")
  }
}
