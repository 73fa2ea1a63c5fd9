import Foundation
import SequencePlatform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct PanelIconTests {
  private let bus: PrivateBus
  private let server: RecordingServer
  private let tool: Tool
  private let name: String

  init() throws {
    (bus, server, tool) = try Tool.served()
    try tool.configure("panel: { icon: true }\n")
    try tool.succeed(
      "start", "--title", "Yoga", "--card", "Warm_up <1> 25m", "--card", "Stretch", "--card", "Rest 3h")
    name = "org.kde.StatusNotifierItem-\(try tool.waitForAgent())-1"
    try wait { try layout().contains("'Open'") }
  }

  private func call(_ path: String, _ method: String, _ arguments: String...) throws -> String {
    try ChildProcess.run(
      "/usr/bin/gdbus",
      ["call", "--session", "--dest", name, "--object-path", path, "--method", method, "--"] + arguments,
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "LC_ALL": "C.UTF-8"]
    ).text
  }

  private func property(_ property: String) throws -> String {
    try call(
      "/StatusNotifierItem", "org.freedesktop.DBus.Properties.Get", "org.kde.StatusNotifierItem", property)
  }

  private func layout() throws -> String {
    try call("/StatusNotifierItem/Menu", "com.canonical.dbusmenu.GetLayout", "0", "-1", "[]")
  }

  /// The number of the first entry with a label.
  private func number(of label: String, after heading: String = "", in layout: String) throws -> String {
    let parts = layout.components(separatedBy: "<(")
    let begin = heading.isEmpty ? 0 : try #require(parts.firstIndex { $0.contains(heading) }, "\(layout)")
    let part = try #require(
      parts[begin...].first { $0.contains("'label': <'\(label)'>") }, "\(label) in \(layout)")
    return String(part.prefix { $0.isNumber })
  }

  private func click(_ number: String) throws {
    _ = try call(
      "/StatusNotifierItem/Menu", "com.canonical.dbusmenu.Event", number, "clicked", "<''>", "0")
  }

  private func wait(until holds: () throws -> Bool) throws {
    let deadline = bootTime() + 20_000_000_000 * patience
    while try !holds() {
      guard bootTime() < deadline else { throw TestSupportError("it does not come to that: \(try layout())") }
    }
  }

  @Test func `the icon says what the run does, and its menu acts on it`() throws {
    try wait { try property("ToolTip").contains("until ") }
    let tip = try property("ToolTip")
    #expect(tip.contains("'Warm_up ‹1› – Yoga', 'until "), "\(tip)")
    #expect(tip.contains(" · next: Stretch'"), "\(tip)")
    #expect(try property("Menu").contains("'/StatusNotifierItem/Menu'"))
    let running = try property("IconPixmap")
    #expect(running.contains("(16, 16, ") && running.contains("(48, 48, "))

    // A mark of a key would take the underscore.
    #expect(try layout().contains("'label': <'Warm__up <1> – Yoga · until "))
    try click(number(of: "Pause", in: layout()))
    try wait { try tool.status("state") == "paused" }
    try wait { try layout().contains("· paused'>") && property("IconPixmap") != running }
    // The number of an entry that is gone means what it meant.
    let old = try layout()
    try click(number(of: "Resume", in: old))
    try wait { try tool.status("state") == "running" }
    try tool.succeed("pause")
    try wait { try layout().contains("'Resume'") }
    try click(number(of: "Resume", in: old))
    try wait { try tool.status("state") == "running" }
    try wait { try layout().contains("'Skip'") }
    let skip = try number(of: "Skip", in: layout())
    try click(skip)
    try wait { try tool.status("step") == "Stretch" }
    // Not the next step: that was not asked for.
    try click(skip)
    try wait { try layout().contains("'Done'") }
    #expect(try !layout().contains("'+30 s'"))
    #expect(try tool.status("step") == "Stretch")
    try click(number(of: "Done", in: layout()))
    try wait { try tool.status("step") == "Rest" }
    try wait { try layout().contains("'+30 s'") }
    try click(number(of: "+30 s", in: layout()))
    try wait { try tool.succeed("status").contains("3:00:") }

    // A label and a number that no entry has.
    try click(
      number(
        of: "Rest – Yoga · until", in: layout().replacing(/(until) [0-9:]+( tomorrow)?/, with: { "\($0.1)" }))
    )
    try click("9999")
    #expect(try tool.status("state") == "running")
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    try wait { try property("Id").isEmpty }
  }

  @Test func `other runs have entries of their own`() throws {
    try tool.succeed("start", "--beside", "--title", "Tea", "--card", "T 1h")
    try wait { try layout().contains("'Yoga · until ") || layout().contains("Warm__up") }
    try wait { try layout().contains("T – Tea · until ") }
    let menu = try layout()
    try click(number(of: "Pause", after: "'Yoga · until", in: menu))
    try wait { try layout().contains("'Yoga · paused'") }
    #expect(try tool.status("state") == "running")
    #expect(try tool.status("sequence") == "Tea")
    try tool.succeed("stop", "--all")
  }

  @Test func `a panel that comes later, or again, gets the icon`() throws {
    for _ in 1...2 {
      let panel = try RecordingServer(asPanelOn: bus)
      #expect(try panel.next("registered").text == name)
      panel.stop()
    }
    try tool.configure("panel: { icon: false }\n")
    try wait { try property("Id").isEmpty }
    try tool.succeed("stop")
  }

  @Test func `a panel that watches only the connection of the icon notices its end`() throws {
    /// The connection that owns a name; empty if none does.
    func owner(of name: String) throws -> String {
      let answer = try ChildProcess.run(
        "/usr/bin/gdbus",
        [
          "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
          "org.freedesktop.DBus.GetNameOwner", name,
        ], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "LC_ALL": "C.UTF-8"]
      ).text
      return answer.split(separator: "'").first { $0.hasPrefix(":") }.map(String.init) ?? ""
    }
    let player = "org.mpris.MediaPlayer2.sequence"
    try tool.configure("panel: { icon: true, media: true }\n")
    var connection = ""
    try wait {
      connection = try owner(of: player)
      return try !connection.isEmpty && connection == owner(of: name)
    }
    try tool.configure("panel: { icon: false, media: true }\n")
    try wait { try owner(of: connection).isEmpty && !owner(of: player).isEmpty }
    try tool.succeed("stop")
  }

  @Test func `the menu opens the window, and asks there before the run is stopped`() throws {
    func log() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: tool.state + "/agent.log")).count }
    for label in ["Open", "Stop…"] {
      let before = try log()
      try click(number(of: label, in: layout()))
      // There is no screen and no terminal here, which the program says.
      try wait { try log() > before }
      #expect(try tool.status("state") == "running")
    }
    try tool.succeed("stop")
  }
}
