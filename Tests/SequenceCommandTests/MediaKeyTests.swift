import Foundation
import SequencePlatform
import TestSupport
import Testing

/// The current run as a media player, on a bus without a desktop.
@Suite(.timeLimit(.minutes(2)))
struct MediaKeyTests {
  private let bus: PrivateBus
  private let server: RecordingServer
  private let tool: Tool
  private static let name = "org.mpris.MediaPlayer2.sequence"

  init() throws {
    (bus, server, tool) = try Tool.served()
    try tool.configure("panel: { media: true }\n")
  }

  private func gdbus(_ words: String...) throws -> ChildProcess.Output {
    try ChildProcess.run(
      "/usr/bin/gdbus", words, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "LC_ALL": "C.UTF-8"])
  }

  private func call(_ method: String, of name: String = name) throws -> ChildProcess.Output {
    try gdbus(
      "call", "--session", "--dest", name, "--object-path", "/org/mpris/MediaPlayer2", "--method",
      "org.mpris.MediaPlayer2.Player.\(method)")
  }

  private func property(_ property: String, of name: String = name) throws -> String {
    try gdbus(
      "call", "--session", "--dest", name, "--object-path", "/org/mpris/MediaPlayer2", "--method",
      "org.freedesktop.DBus.Properties.Get", "org.mpris.MediaPlayer2.Player", property
    ).text
  }

  private func names() throws -> [String] {
    try gdbus(
      "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
      "org.freedesktop.DBus.ListNames"
    ).text.split(separator: "'").map(String.init).filter { $0.hasPrefix("org.mpris") }
  }

  /// Waits for a condition; each look is a program of its own.
  private func wait(until holds: () throws -> Bool) throws {
    let deadline = bootTime() + 20_000_000_000 * patience
    while try !holds() {
      guard bootTime() < deadline else { throw TestSupportError("it does not come to that: \(try names())") }
    }
  }

  @Test func `the player shows the current step, and its keys act on it`() throws {
    try tool.succeed(
      "start", "--title", "Yoga", "--card", "Warm up 25m", "--card", "Stretch", "--card", "Rest 5m")
    try wait { try property("PlaybackStatus").contains("Playing") }
    let metadata = try property("Metadata")
    for part in [
      "'xesam:title': <'Warm up'>", "'xesam:album': <'Yoga'>", "'mpris:length': <int64 1500000000>",
      " · next: Stretch']>", "['until ",
    ] {
      #expect(metadata.contains(part), "\(metadata)")
    }
    // A player that counts by itself asks once, and is told of jumps.
    let position = try property("Position").split(whereSeparator: { !$0.isNumber }).last.flatMap { Int($0) }
    #expect((0..<60_000_000).contains(try #require(position)))

    for (key, status, title) in [
      ("PlayPause", "Paused", "Warm up"), ("PlayPause", "Playing", "Warm up"), ("Pause", "Paused", "Warm up"),
      ("Pause", "Paused", "Warm up"), ("Play", "Playing", "Warm up"), ("Play", "Playing", "Warm up"),
      // A phone that stops all players doesn't end the run.
      ("Stop", "Paused", "Warm up"), ("Play", "Playing", "Warm up"), ("Next", "Playing", "Stretch"),
      ("Previous", "Playing", "Warm up"),
    ] {
      let output = try call(key)
      #expect(output.status == 0, "\(key): \(output.errors)")
      #expect(try tool.status("state") == (status == "Paused" ? "paused" : "running"), "\(key)")
      #expect(try tool.status("step") == title, "\(key)")
      try wait {
        try property("PlaybackStatus").contains(status) && property("Metadata").contains("<'\(title)'>")
      }
    }
    try tool.succeed("stop")
    try wait { try names().isEmpty }
    try tool.waitForEndOfAgent()
  }

  @Test func `the player has the picture of the step, or the icon`() throws {
    let picture = try tool.directory.write("", to: "left squat.png")
    let file = try tool.directory.write(
      """
      title: Legs
      cards:
        - { title: Squats, countdown: 25m, image: "left squat.png" }
        - { title: Rest, countdown: 5m }
        - { title: Lunges, countdown: 5m, image: lost.png }
      """, to: "legs.yaml")
    let icon = URL(filePath: BuiltProducts.repository + "share/icons/hicolor/scalable/apps/sequence.svg")
    func expect(_ url: URL, for title: String) throws {
      try wait {
        let metadata = try property("Metadata")
        return metadata.contains("<'\(title)'>")
          && metadata.contains("'mpris:artUrl': <'\(url.absoluteString)'>")
      }
    }
    try tool.succeed("start", file)
    try expect(URL(filePath: picture), for: "Squats")
    #expect(try property("Metadata").contains("/left%20squat.png'>"))
    try tool.succeed("next")
    try expect(icon, for: "Rest")
    try tool.succeed("next")
    try expect(icon, for: "Lunges")
    try tool.succeed("stop")
  }

  @Test func `changes and jumps are announced`() throws {
    try tool.succeed("start", "--card", "A 25m", "--card", "B 5m")
    try wait { try property("PlaybackStatus").contains("Playing") }
    let monitor = try ChildProcess(
      "/usr/bin/gdbus",
      ["monitor", "--session", "--dest", MediaKeyTests.name, "--object-path", "/org/mpris/MediaPlayer2"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    defer { monitor.end() }
    func next(_ part: String) throws {
      while true {
        let line = try monitor.line()
        if line.contains("org.mpris.MediaPlayer2.Player"), line.contains(part) { return }
      }
    }
    // What the monitor says first shows that it listens.
    _ = try monitor.line()
    _ = try monitor.line()
    try tool.succeed("extend", "5m")
    try next("'mpris:length': <int64 1800000000>")
    try tool.succeed("pause")
    try next("'PlaybackStatus': <'Paused'>")
    try tool.succeed("resume")
    try next("'PlaybackStatus': <'Playing'>")
    try wait {
      try property("Position").split(whereSeparator: { !$0.isNumber }).last.flatMap { Int($0) } ?? 0 > 200_000
    }
    try tool.succeed("restart")
    try next("Seeked")
    try tool.succeed("stop")
  }

  @Test func `a key within a moment of the end of a run changes no other run`() throws {
    try tool.succeed("start", "--title", "Egg", "--card", "E 1h")
    try tool.succeed("start", "--beside", "--title", "Short", "--card", "A 1h")
    try wait { try property("Metadata").contains("'Short'") }
    try tool.succeed("stop")
    let output = try call("PlayPause")
    #expect(output.status != 0)
    #expect(
      output.errors.contains("“Short” has just ended") || output.errors.contains("\"Short\" has just ended"),
      "\(output)")
    #expect(try tool.status("state") == "running")
    try tool.succeed("stop", "egg")
  }

  @Test func `two state directories have two players, and none has one while it is off`() throws {
    let other = try Tool(bus: bus.address)
    let third = try Tool(bus: bus.address)
    try other.configure("panel: { media: true }\n")
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
    try wait { try names() == [MediaKeyTests.name] }
    try third.succeed("start", "--card", "E 1h", "--card", "F 1h")
    try other.succeed("start", "--card", "C 1h", "--card", "D 1h")
    try wait { try names().count == 2 }
    let second = "\(MediaKeyTests.name).instance\(try other.waitForAgent())"
    #expect(Set(try names()) == [MediaKeyTests.name, second])
    #expect(try call("Pause", of: second).status == 0)
    #expect(try other.status("state") == "paused")
    #expect(try tool.status("state") == "running")

    try other.configure("panel: { media: false }\n")
    try wait { try names() == [MediaKeyTests.name] }
    for tool in [tool, other, third] { try tool.succeed("stop") }
  }

  @Test func `without a bus the reason is logged once, and nothing is tried until the run changes`() throws {
    let tool = try Tool()
    try tool.configure("panel: { media: true }\n")
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
    for command in ["pause", "resume", "next"] { try tool.succeed(command) }
    let agent = try tool.waitForAgent()
    // A loop that tries again at once would switch thousands of times.
    func switches() throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(agent)/status", encoding: .utf8).split(separator: "\n")
      return status.filter { $0.contains("ctxt_switches") }.compactMap {
        $0.split(separator: "\t").last.flatMap { Int($0) }
      }
      .reduce(0, +)
    }
    let before = try switches()
    for _ in 1...5 { try tool.succeed("status") }
    #expect(try switches() - before < 50)
    try tool.succeed("stop")
    kill(agent, SIGTERM)
    try tool.waitForEndOfAgent()
    let log = try String(contentsOfFile: tool.state + "/agent.log", encoding: .utf8).split(separator: "\n")
    let failures = log.count { $0.contains("the panel and media keys do not have the run: no session bus") }
    #expect(failures == 1, "\(log)")
    #expect(log.count < 4, "\(log)")
  }

  @Test func `a count-up has no notification but a player, which survives the bus`() throws {
    try tool.succeed("start", "--card", "Read")
    try wait { try names() == [MediaKeyTests.name] }
    #expect(try !property("Metadata").contains("mpris:length"))
    bus.stop()
    try tool.succeed("pause")
    #expect(try tool.status("state") == "paused")
    try bus.start()
    try tool.succeed("resume")
    try wait { try names() == [MediaKeyTests.name] }
    #expect(try property("PlaybackStatus").contains("Playing"))
    try tool.succeed("stop")
  }
}
