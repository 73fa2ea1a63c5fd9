import Foundation
import NotifierLedger
import SequencePlatform
import SequencePresentation
import SequenceConfiguration
@testable import SequenceClient
import SequenceFiles
import SequenceRunner
import SequenceStore
import Synchronization
import TestSupport
import Testing

@testable import SequenceCommand

/// `doctor` with the built programs, with and without a private bus.
@Suite(.timeLimit(.minutes(1)))
struct DoctorTests {
  /// Returns the checks of `doctor --json` by name, and its exit status.
  private func examine(
    _ tool: Tool, _ words: String...
  ) throws -> (status: Int32, checks: [String: [String: Any]]) {
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), ["doctor", "--json"] + words, environment: tool.environment,
      within: .seconds(30))
    let object = try JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? [String: Any]
    let checks = try #require(object?["checks"] as? [[String: Any]], "\(output)")
    let named = checks.map { ($0["name"] as? String ?? "", $0) }
    return (output.status, Dictionary(named) { first, _ in first })
  }

  private func say(_ check: [String: Any]?) -> String {
    "\(check?["state"] ?? ""): \(check?["text"] ?? ""); \(check?["advice"] ?? "")"
  }

  @Test func `the table of the documentation lists exactly the checks`() throws {
    let page = try String(contentsOfFile: BuiltProducts.repository + "/docs/json.md", encoding: .utf8)
    let section = try #require(
      page.components(separatedBy: "\n## ").first { $0.hasPrefix("`doctor --json`") })
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let names = rows.compactMap { $0.split(separator: "|").first }.flatMap {
      $0.matches(of: /`([a-z]+)`/).map { String($0.1) }
    }
    #expect(names.sorted() == Finding.Check.allCases.map(\.rawValue).sorted())
  }

  // MARK: - Hooks

  @Test func `all missing programs are named, separately from other failures`() throws {
    let sequence = try CommandLineRunner()
    _ = try sequence.home.write(
      """
      hooks:
        - { on: [stop], run: [no-such-a, x] }
        - { on: [stop], run: [sh, -c, "true"] }
        - { on: [stop], run: [no-such-b] }
        - { on: [pause], run: [no-such-a] }
      """, to: ".config/sequence/config.yaml")
    func lines(_ count: Int = 2) throws -> [String] {
      let all = try sequence("doctor").text.split(separator: "\n").map(String.init)
      return Array(all.drop { !$0.contains("hooks  ") }.prefix(count))
    }
    let remedy = "         -> install it, or write its full path in config.yaml"
    #expect(
      try lines() == ["error    hooks                program not found: no-such-a, no-such-b", remedy])
    let clock = try SystemClock()
    let moment = clock.now().wall
    let store = try CompleteStore.open(in: StateDirectory(path: sequence.state), clock: clock)
    try HookFailureLog(database: store.database).count(
      .timeout, of: "sleep 30", times: 4, event: "step-start", detail: "it took longer than 1s", at: moment)
    _ = try sequence.home.write(
      "hooks: [{ on: [stop], run: [no-such-a] }]\n", to: ".config/sequence/config.yaml")
    try HookFailureLog(database: store.database).count(
      .failed, of: "notify-phone --title \(String(repeating: "long ", count: 30))", event: "stop",
      detail: "exit status 1", at: moment.advanced(by: .seconds(-60)))
    #expect(
      try lines(4) == [
        "error    hooks                program not found: no-such-a",
        "         \"sleep 30\" was killed after its time limit 4 times, last on \(LocalTime.text(of: moment)) "
          + "(step-start: it took longer than 1s)",
        "         \"notify-phone --title long long long lon…\" failed, last on "
          + "\(LocalTime.text(of: moment.advanced(by: .seconds(-60)))) (stop: exit status 1)", remedy,
      ])
  }

  @Test func `a failure of sounds is reported under cues, and without an event if that is unknown`() throws {
    let sequence = try CommandLineRunner()
    let clock = try SystemClock()
    let store = try CompleteStore.open(in: StateDirectory(path: sequence.state), clock: clock)
    let moment = clock.now().wall
    try HookFailureLog(database: store.database).count(
      .failed, of: HookFailure.sounds, times: 3, event: "", detail: "sequence-sound: IO error", at: moment)
    // That is another one.
    _ = try sequence.home.write(
      "hooks: [{ on: [pause], run: [sounds] }]\n", to: ".config/sequence/config.yaml")
    try HookFailureLog(database: store.database).count(
      .failed, of: "sounds", event: "pause", detail: "exit status 1", at: moment)
    let text = try sequence("doctor").text
    #expect(text.contains("\n         \"sounds\" failed, last on "))
    #expect(
      text.contains(
        "warning  cues                 failed in the last week:\n"
          + "         \"cues/sounds\" failed 3 times, last on \(LocalTime.text(of: moment)) (sequence-sound: IO error)\n"
          + "         -> to hear whether sounds can be played now, run sequence doctor --sound bell"),
      "\(text)")
  }

  @Test func `every sound that can't be played is reported under cues`() throws {
    let sequence = try CommandLineRunner()
    let data = ["XDG_DATA_DIRS": sequence.home.path + "/data"]
    func lines() throws -> [String] {
      let all = try sequence("doctor", environment: data).text.split(separator: "\n").map(String.init)
      return all.drop { !$0.contains("cues  ") }.prefix { !$0.contains("notifications  ") }
        .map { String($0.drop { $0 != " " }.drop { $0 == " " }) }
    }
    let song = try sequence.home.write("ID3 not a sound", to: "song.mp3")
    _ = try sequence.home.write("RIFF\0\0\0\0WAVE", to: "gong.wav")
    let gong = sequence.home.path + "/gong.wav"
    let bell = try sequence.home.write("", to: "data/sounds/freedesktop/stereo/bell.oga")
    _ = try sequence.home.write(
      "cues: { sounds: { rest: /nonexist.oga, half: \(song), goal: \(gong), overtime: bell-window } }\n",
      to: ".config/sequence/config.yaml")
    let useFile = "use a WAV or Ogg Vorbis file of at most 10 MiB"
    #expect(
      try lines() == [
        "cues                 2 problems:",
        #""/nonexist.oga" cannot be read, so it is not played; \#(useFile)"#,
        #""\#(song)" is neither WAV nor Ogg Vorbis, so it is not played; \#(useFile)"#,
      ])
    _ = try sequence.home.write(
      "notifications: { sound: /usr/share/x.oga, run-end: { sound: fanfare } }\n",
      to: ".config/sequence/config.yaml")
    #expect(
      try lines() == [
        "cues                 2 problems:",
        "notifications play no files, such as \"/usr/share/x.oga\"; use a name of the sound theme, or set the file "
          + "in cues.sounds",
        "no sound theme has \"fanfare\", so notifications don't play it; use another name, or the path of a file",
      ])
    _ = try sequence.home.write("notifications: { sound: bell }\n", to: ".config/sequence/config.yaml")
    #expect(try lines() == ["cues                 none configured"])
    try FileManager.default.removeItem(atPath: sequence.home.path + "/data/sounds/freedesktop")
    #expect(!FileManager.default.fileExists(atPath: bell))
    #expect(
      try lines() == [
        "cues                 no sound theme has \"bell\", so notifications don't play it",
        "-> install sound-theme-freedesktop",
      ])
  }

  @Test func `a start with sounds names those that can't be played`() throws {
    let sequence = try CommandLineRunner()
    let data = ["XDG_DATA_DIRS": sequence.home.path + "/data"]
    let file = try sequence.home.write(
      "title: T\ncards: [{ title: A, countdown: 1h, sound: missing.oga }, { title: B, countdown: 1h, sound: gong }]\n",
      to: "t.yaml")
    let mistake = #"sequence: \#(file):2:43: "missing.oga" cannot be read, so the usual sound is played"#
    #expect(try sequence("start", file).errors == "")
    let errors = try sequence("start", file, "--replace", "--cues", "sound", environment: data).errors
    // Whether there is a sound server depends on the machine.
    let check = try ChildProcess.run(
      BuiltProducts.path(of: "sequence-sound"), ["--check"], environment: [:], within: .seconds(10))
    let warning =
      check.status == 0
      ? #"sequence: the sound theme has no "message-new-instant", "bell", "audio-volume-change", "#
        + #""alarm-clock-elapsed", "complete" or "gong", so nothing is played for it; install sound-theme-freedesktop"#
      : "sequence: sounds cannot be played: Not available; start a sound server, or install "
        + "libcanberra-pulse if one runs"
    #expect(errors == warning + "\n" + mistake)
  }

  @Test(arguments: [
    ("true", "playerctl, pause", true), ("true", "playerctl, --ignore-player=sequence, pause", false),
    ("true", "playerctl, -p, mpd, pause", false), ("false", "playerctl, pause", false),
    ("true", "echo, playerctl", false),
  ])
  func `a hook that may mean the run as a media player is warned of`(
    media: String, words: String, isWarned: Bool
  ) throws {
    let sequence = try CommandLineRunner()
    // The program need not be installed.
    let program = try sequence.home.write("#!/bin/sh\n", to: "playerctl")
    chmod(program, 0o700)
    let command = words.hasPrefix("playerctl") ? program + words.dropFirst("playerctl".count) : words
    _ = try sequence.home.write(
      "panel: { media: \(media) }\nhooks: [{ on: [stop], run: [\(command)] }]\n",
      to: ".config/sequence/config.yaml")
    let text = try sequence("doctor").text
    #expect(text.contains("/playerctl pause\" may act on the run, which is a media player, too") == isWarned)
    #expect(text.contains("-> write playerctl --ignore-player=sequence in config.yaml") == isWarned)
  }

  @Test func `a sound that cannot be played is an error of its name, or of the sound server`() throws {
    let sequence = try CommandLineRunner()
    let text = try sequence("doctor", "--sound", "no-such-sound").text
    // Whether there is a sound server depends on the machine.
    let check = try ChildProcess.run(
      BuiltProducts.path(of: "sequence-sound"), ["--check"], environment: [:], within: .seconds(10))
    let (subject, remedy) =
      check.status == 0
      ? ("\"no-such-sound\"", "use a name of your sound theme, or the path of a sound file of at most 10 MiB")
      : ("sounds", "start a sound server, or install libcanberra-pulse if one runs")
    #expect(text.contains("error    cues                 \(subject) cannot be played: "), "\(text)")
    #expect(text.contains("         -> \(remedy)\n"), "\(text)")
    #expect(!text.contains("sequence-sound: "))
  }

  // MARK: - The desktop

  @Test func `without a bus the doctor reports a remedy and creates nothing`() throws {
    let tool = try Tool()
    let output = try tool("doctor")
    #expect(output.status == 69)
    #expect(output.errors == "")
    let lines = output.text.split(separator: "\n")
    #expect(
      lines.first == """
        error    session bus          cannot connect: DBUS_SESSION_BUS_ADDRESS is not set, and there is no \
        \(tool.directory.path)/bus
        """)
    #expect(lines.dropFirst().first == "         -> log in to a desktop session, or use dbus-run-session")
    #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("ok       ") || $0.hasPrefix("warning  ") })
    #expect(!FileManager.default.fileExists(atPath: tool.state))
  }

  @Test func `only a test notification starts a server that the bus can start`() throws {
    let directory = try TemporaryDirectory()
    // The server exits when its input ends or the bus closes, so its input must stay open.
    let bus = try PrivateBus(
      starting: """
        mkfifo '\(directory.path)/input'
        exec '\(try BuiltProducts.path(of: "recording-server"))' <>'\(directory.path)/input' >'\(directory.path)/events'
        """)
    let tool = try Tool(bus: bus.address)
    tool.environment["WAYLAND_DISPLAY"] = "wayland-7"
    let before = try examine(tool)
    #expect(before.status == 0)
    #expect(
      say(before.checks["server"]).hasPrefix(
        "warning: none running; one starts when needed, in a graphical session; "))
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/input"))
    let after = try examine(tool, "--notify")
    #expect(after.status == 0)
    #expect(say(after.checks["test"]).hasPrefix("ok: the server took "))
    #expect(say(after.checks["server"]).hasPrefix("ok: recording-server 1, "))
    let events = try String(contentsOfFile: directory.path + "/events", encoding: .utf8)
    #expect(events.contains(#""closed""#))
  }

  @Test func `a server that cannot be started is reported without advice to restart it`() throws {
    let bus = try PrivateBus(starting: "exit 1")
    let tool = try Tool(bus: bus.address)
    tool.environment["DISPLAY"] = ":7"
    let (status, checks) = try examine(tool, "--notify")
    #expect(status == 69)
    let test = say(checks["test"])
    #expect(test.hasPrefix("error: "))
    #expect(
      test.hasSuffix(
        "; log in to a graphical session, or install another notification server, such as dunst or mako"))
    // The agent's reason is in English in documents, and in the user's language in texts.
    let details = try #require(checks["test"]?["details"] as? [String: Any])
    let failure = try #require(details["failure"] as? String)
    #expect(failure.hasPrefix("the notification server could not be started: "))
    try BuiltProducts.makeCatalogs()
    tool.environment.merge(["LC_ALL": "C.UTF-8", "LANGUAGE": "de"]) { $1 }
    let german = try tool("doctor", "--notify").text
    #expect(german.contains("der Benachrichtigungsserver konnte nicht gestartet werden: "), "\(german)")
  }

  @Test func `a bus without a server is reported`() throws {
    let bus = try PrivateBus()
    let (status, checks) = try examine(Tool(bus: bus.address))
    #expect(status == 69)
    #expect(checks["bus"]?["state"] as? String == "ok")
    #expect(say(checks["server"]).hasPrefix("error: none running, and none can be started; "))
  }

  @Test func `a server is reported with its capabilities in the documented order`() throws {
    let (_, server, tool) = try Tool.served()
    let document = try tool.json("doctor")
    #expect(document["schema"] as? Int == 1)
    let checks = try #require(document["checks"] as? [[String: Any]])
    let names = [
      "bus", "server", "agent", "sleep", "store", "configuration", "clocks", "hooks", "cues",
      "notifications",
    ]
    #expect(checks.map { $0["name"] as? String } == names)
    #expect(checks.allSatisfy { $0["state"] as? String == "ok" && $0["text"] is String }, "\(checks)")
    let details = try #require(checks[1]["details"] as? [String: Any])
    #expect(details["name"] as? String == "recording-server")
    #expect(details["version"] as? String == "1")
    #expect(details["specification"] as? String == "1.2")
    #expect(details["capabilities"] as? [String] == ["actions", "body"])
    #expect(try tool("doctor").status == 0)
    #expect(try server.screen().before == [])
  }

  @Test(arguments: ["recording-server", "gnome-shell"])
  func `do-not-disturb is read from a property, or from the setting of GNOME`(name: String) throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    try server.tell("name \(name)")
    try server.tell("inhibited off")
    let tool = try Tool(bus: bus.address)
    let settings = try GNOMESettings()
    tool.environment.merge(settings.environment) { $1 }
    for isOn in [false, true] {
      try server.tell("inhibited \(isOn == (name != "gnome-shell") ? "on" : "off")")
      try settings.set(showsBanners: isOn == (name != "gnome-shell"))
      _ = try server.screen()
      let (_, checks) = try examine(tool)
      #expect(say(checks["server"]).hasPrefix(isOn ? "warning: \(name) 1, " : "ok: \(name) 1, "))
      #expect(say(checks["server"]).contains("do-not-disturb is on") == isOn)
    }
  }

  private struct GNOMESettings {
    private let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
      _ = try directory.write(
        """
        <schemalist><schema id="org.gnome.desktop.notifications" path="/org/gnome/desktop/notifications/">
          <key name="show-banners" type="b"><default>true</default></key>
        </schema></schemalist>
        """, to: "notifications.gschema.xml")
      let compiler = try ChildProcess("/usr/bin/glib-compile-schemas", [directory.path], environment: [:])
      #expect(try compiler.exitStatus() == 0)
    }

    var environment: [String: String] {
      [
        "GSETTINGS_SCHEMA_DIR": directory.path, "GSETTINGS_BACKEND": "keyfile",
        "XDG_CONFIG_HOME": directory.path,
      ]
    }

    func set(showsBanners: Bool) throws {
      let place = "glib-2.0/settings"
      _ = try directory.write(
        "[org/gnome/desktop/notifications]\nshow-banners=\(showsBanners)\n", to: place + "/keyfile")
    }
  }

  @Test func `the doctor says whether a panel shows icons, if the configuration wants one`() throws {
    let bus = try PrivateBus()
    let tool = try Tool(bus: bus.address)
    #expect(try examine(tool).checks["panel"] == nil)
    try tool.configure("panel: { icon: true }\n")
    #expect(say(try examine(tool).checks["panel"]).hasPrefix("warning: none that shows icons"))
    // The list of KDE is there without a panel.
    let list = try RecordingServer(asPanelOn: bus, hasPanel: false)
    #expect(say(try examine(tool).checks["panel"]).hasPrefix("warning: none that shows icons"))
    list.stop()
    let panel = try RecordingServer(asPanelOn: bus)
    #expect(say(try examine(tool).checks["panel"]).hasPrefix("ok: shows the icon"))
    panel.stop()
  }

  @Test func `a server without buttons and body is a warning, not an error`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    try server.tell("capabilities persistence")
    _ = try server.screen()
    let (status, checks) = try examine(Tool(bus: bus.address))
    #expect(status == 0)
    #expect(
      say(checks["server"]).hasPrefix(
        "warning: recording-server 1, by Sequence, specification 1.2, without buttons (use commands such as "
          + "sequence pause), without text below the title"))
  }

  @Test(arguments: [[], ["--notify"]])
  func `a hanging server is reported within a few seconds`(words: [String]) throws {
    let (_, server, tool) = try Tool.served()
    server.signal(SIGSTOP)
    let begin = bootTime()
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), ["doctor"] + words, environment: tool.environment)
    #expect(bootTime() - begin < 4_000_000_000 * patience)
    #expect(output.status == 69)
    #expect(output.text.contains("error    notification server  not responding (process "))
    server.signal(SIGCONT)
    #expect(try server.screen().before == [])
  }

  @Test func `a mistake in the configuration is reported with its position`() throws {
    let (_, server, tool) = try Tool.served()
    let path = try tool.directory.write("notifications: { sounds: off }", to: ".config/sequence/config.yaml")
    let (status, checks) = try examine(tool)
    #expect(status == 69)
    #expect(
      say(checks["configuration"])
        == "error: \(path):1:18: unknown key \"sounds\" in notifications, so the defaults apply; did you mean sound?"
    )
    withExtendedLifetime(server) {}
  }

  // MARK: - The test notification

  @Test func `a test notification is shown and removed`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let (status, checks) = try examine(Tool(bus: bus.address), "--notify")
    #expect(status == 0)
    #expect(say(checks["test"]).hasPrefix("ok: the server took "))
    #expect(
      say(checks["test"]).hasSuffix(", the server confirmed that it closed (a program closed it); "))
    let (screen, _, events) = try server.screen()
    #expect(events.map(\.event) == ["notify", "close", "closed"])
    #expect(events.first?.summary == "Sequence works")
    #expect(events[1].known == true)
    #expect(screen == [])
  }

  @Test func `a refused test notification is reported`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    try server.tell("refuse org.example.No")
    _ = try server.screen()
    let (status, checks) = try examine(Tool(bus: bus.address), "--notify")
    #expect(status == 69)
    #expect(
      say(checks["test"]).hasPrefix("error: the notification server refused: refused (org.example.No); "))
    #expect(try server.screen().ids == [])
  }

  // MARK: - The store and the agent

  private func contents(_ directory: String) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    let files = try names.map { ($0, try Data(contentsOf: URL(filePath: directory + "/" + $0))) }
    return Dictionary(uniqueKeysWithValues: files)
  }

  /// Returns a store that was used and then changed; no process has it open.
  private func store(in tool: Tool, changedBy change: String) throws {
    let directory = StateDirectory(path: tool.state)
    let store = try CompleteStore.open(in: directory, clock: SystemClock())
    let definition = try SequenceFile.parse(Array("title: T\ncards: [{ title: A, countdown: 1h }]".utf8))
    _ = try store.start(definition.timeline)
    try Database(path: directory.databasePath).execute(change)
  }

  @Test(arguments: [
    ("UPDATE active_run SET snapshot = 'x'", "is damaged: a snapshot does not have its checksum"),
    ("UPDATE journal SET step = 57", "is damaged: entry 1 of the journal does not have its checksum"),
    ("UPDATE component SET version = 99", "was made by a newer version"),
    ("PRAGMA user_version = 99", "was made by a newer version"),
    ("PRAGMA application_id = 7", "belongs to another program"),
  ])
  func `an unusable store is reported and left unchanged`(change: String, reason: String) throws {
    let tool = try Tool()
    try store(in: tool, changedBy: change)
    let before = try contents(tool.state)
    let (status, checks) = try examine(tool)
    #expect(status == 74)
    #expect(say(checks["store"]).hasPrefix("error: "))
    #expect(say(checks["store"]).contains(reason), "\(say(checks["store"]))")
    #expect(checks["store"]?["advice"] is String)
    #expect(try contents(tool.state) == before)
  }

  @Test(arguments: [
    "UPDATE active_run SET snapshot = 'x'", "UPDATE journal SET step = 57",
    "UPDATE history SET snapshot = 'x'", "UPDATE notification SET state = 'x'",
  ])
  func `a damage of any part is repaired if that is asked for`(change: String) throws {
    let tool = try Tool()
    try store(in: tool, changedBy: "SELECT 1")
    let store = try CompleteStore.open(in: StateDirectory(path: tool.state), clock: SystemClock())
    _ = try store.perform(.stop)
    try self.store(in: tool, changedBy: change)
    #expect(say(try examine(tool).checks["store"]).contains(" is damaged: "))
    let notices = try ["first", "second"].map { _ in
      let output = try ChildProcess.run(
        BuiltProducts.path(of: "sequence"), ["doctor", "--repair"], environment: tool.environment,
        within: .seconds(30))
      #expect(output.text.contains(" KiB, intact, "))
      return output.errors
    }
    #expect(notices[0].hasPrefix("sequence: the store was damaged and was moved to "))
    #expect(notices[1] == "")
  }

  @Test func `a repair without a store creates none`() throws {
    let tool = try Tool()
    #expect(say(try examine(tool, "--repair").checks["store"]).hasPrefix("ok: "))
    #expect(!FileManager.default.fileExists(atPath: StateDirectory(path: tool.state).databasePath))
  }

  @Test func `a file that is not a store, or a truncated one, is left unchanged`() throws {
    let tool = try Tool()
    try store(in: tool, changedBy: "SELECT 1")
    let file = URL(filePath: StateDirectory(path: tool.state).databasePath)
    let whole = try Data(contentsOf: file)
    for damaged in [whole.prefix(9000), Data(repeating: 0x55, count: 10_000), Data()] {
      try damaged.write(to: file)
      let before = try contents(tool.state)
      let (status, checks) = try examine(tool)
      #expect(status == 74)
      #expect(say(checks["store"]).hasPrefix("error: \(file.path()) is damaged: "))
      #expect(
        say(checks["store"]).hasSuffix(
          "; run sequence doctor --repair, which keeps it aside and recovers what is readable"
        ))
      #expect(try contents(tool.state) == before)
    }
  }

  @Test func `an intact store is reported with its run, without leaving files behind`() throws {
    let tool = try Tool()
    try store(in: tool, changedBy: "SELECT 1")
    let before = try contents(tool.state)
    let store = try examine(tool).checks["store"]
    #expect(say(store).hasPrefix("ok: \(tool.state)/sequence.db, "))
    #expect(say(store).hasSuffix(#" KiB, intact, active run: "T" (running); "#))
    let details = try #require(store?["details"] as? [String: Any])
    #expect(
      details["schema"] as? [String: Int]
        == ["hooks": 1, "notifications": 1, "planning": 1, "runs": 3, "schedules": 1])
    #expect(try contents(tool.state) == before)
  }

  @Test func `data that a killed process left in the log counts and stays there`() throws {
    let writer = try Tool()
    let tool = try Tool()
    let store = try CompleteStore.open(
      in: StateDirectory(path: writer.state), clock: try SystemClock())
    let definition = try SequenceFile.parse(Array("title: T\ncards: [{ title: A, countdown: 1h }]".utf8))
    _ = try store.start(definition.timeline)
    // The copy is in the state of an open store, or of a store whose user was killed.
    try FileManager.default.copyItem(atPath: writer.state, toPath: tool.state)
    let files = ["sequence.db", "sequence.db-wal"]
    let before = try contents(tool.state)
    #expect(before["sequence.db-wal"]?.isEmpty == false)
    #expect(say(try examine(tool).checks["store"]).contains(#"active run: "T""#))
    let after = try contents(tool.state)
    #expect(files.allSatisfy { before[$0] == after[$0] })
    try Data().write(to: URL(filePath: tool.state + "/sequence.db"))
    #expect(say(try examine(tool).checks["store"]).contains(" is damaged: it is empty; "))
    #expect(try contents(tool.state)["sequence.db-wal"] == before["sequence.db-wal"])
    withExtendedLifetime(store) {}
  }

  @Test func `a store that other users can read is a warning`() throws {
    let tool = try Tool()
    try store(in: tool, changedBy: "SELECT 1")
    let file = tool.state + "/sequence.db"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let store = try examine(tool).checks["store"]
    #expect(say(store).hasPrefix("warning: "))
    #expect(say(store).hasSuffix(", but other users can access \(file); chmod 600 \(file)"))
  }

  @Test func `the ledger's last week is counted, and the last reason made harmless`() throws {
    let tool = try Tool()
    let now = try SystemClock().now().wall.microseconds
    try store(
      in: tool,
      changedBy: "UPDATE notification SET state = 'missed', reason = 'late\u{1b}[31m', updated_at = \(now)")
    let lines = try tool("doctor").text.split(separator: "\n")
    #expect(
      lines.dropLast().last?.hasPrefix("warning  notifications        0 failed and 1 missed in the last week")
        == true)
    #expect(lines.dropLast().last?.hasSuffix(": late[31m") == true)
    #expect(lines.last == "         -> to list them, run sequence notifications")
  }

  @Test func `notifications that nobody shows are reported until one has failed`() throws {
    let sequence = try CommandLineRunner()
    let now = try SystemClock().now()
    let clock = ManualClock(
      wall: now.wall.advanced(by: .seconds(-60)), boot: now.boot - .seconds(60), bootID: now.bootID)
    let store = try CompleteStore.open(in: StateDirectory(path: sequence.state), clock: clock)
    _ = try store.start(try CardSpec.sequence(cards: ["A 1s", "B 1s"]))
    let lines = try sequence("doctor").text.split(separator: "\n").suffix(2)
    #expect(
      Array(lines) == [
        "warning  notifications        2 due, but not shown yet",
        "         -> to list them, run sequence notifications",
      ])
  }

  @Test func `hooks and cues that a mistake switches off are not called missing`() throws {
    let sequence = try CommandLineRunner()
    #expect(try sequence("doctor").text.contains("ok       hooks                none configured\n"))
    _ = try sequence.home.write("cues: [sound]\n", to: ".config/sequence/config.yaml")
    let text = try sequence("doctor").text
    for check in ["hooks", "cues "] {
      #expect(text.contains("ok       \(check)                none (the defaults apply)\n"), "\(text)")
    }
  }

  @Test func `an invalid notification is a damaged store until a command replaces it`() throws {
    let tool = try Tool()
    try store(in: tool, changedBy: "UPDATE notification SET actions = 'x' WHERE number = 1")
    #expect(say(try examine(tool).checks["store"]).contains(" is damaged: "))
    #expect(try tool("notifications", "list").status == 0)
    #expect(say(try examine(tool).checks["store"]).hasPrefix("ok: "))
  }

  @Test func `an agent that is needed but not running is reported`() throws {
    let (_, server, tool) = try Tool.served()
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
    // The agent is ready once it has recorded the server.
    try tool.wait(until: { try tool.json("agent", "status")["server"] != nil })
    let agent = try tool.waitForAgent()
    #expect(say(try examine(tool).checks["agent"]).hasPrefix("ok: running since 2"))
    kill(agent, SIGKILL)
    let lock = try FileLock(path: tool.state + "/agent.lock")
    #expect(try lock.take(within: .seconds(10)))
    try lock.release()
    let (status, checks) = try examine(tool)
    #expect(status == 69)
    #expect(
      say(checks["agent"]).hasPrefix("error: not running, but notifications are pending or visible"))
    #expect(try server.screen().ids == [])
  }

  @Test func `a directory of the command that is not in PATH is named`() throws {
    let agent = "/home/u/.local/libexec/sequence/sequence-agent"
    let finding = try #require(PathCheck.finding(["PATH": "/nowhere"], agent: agent))
    #expect(finding.text == "/home/u/.local/bin is not in PATH")
    #expect(finding.state == .warning)
    // A build that isn't installed.
    #expect(PathCheck.finding(["PATH": "/nowhere"], agent: "/clone/.build/debug/sequence-agent") == nil)
    let directory = try TemporaryDirectory()
    let command = try directory.write("", to: "sequence")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: command)
    #expect(PathCheck.finding(["PATH": directory.path], agent: agent) == nil)
  }

  @Test func `a configuration that is a link to a missing file is reported`() throws {
    let home = try TemporaryDirectory()
    let directory = home.path + "/.config/sequence"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let environment: EnvironmentVariables = ["HOME": home.path]
    #expect(ConfigurationCheck.finding(environment).state == .ok)
    let path = directory + "/config.yaml"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/no/such/file")
    let finding = ConfigurationCheck.finding(environment)
    #expect(finding.state == .warning)
    #expect(finding.text == "defaults apply (\(path) is a link to a missing file)")
  }

  // MARK: - The examining program

  /// Runs the examination with a script in place of the agent's program.
  private func examine(with script: String?, clock: any ClockSource) throws -> [String] {
    let directory = try TemporaryDirectory()
    let program = try directory.write("#!/bin/sh\n" + (script ?? ""), to: "agent")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let lines = Mutex<[String]>([])
    let context = CommandContext(
      environment: ["HOME": directory.path, "PATH": "/usr/bin:/bin", "TERM": "xterm", "LANG": "C"],
      clock: clock,
      print: { line in lines.withLock { $0.append(line) } }, printError: { _ in },
      startAgent: { _ in getpid() },
      agentProgram: {
        guard script != nil else { throw Failure("it is not there", remedy: "install it", .inputOutput) }
        return program
      }, hasSystemd: false, hasTerminal: true)
    #expect(SequenceProgram.run(["doctor"], in: context) == 69)
    return lines.withLock { $0 }
  }

  @Test(arguments: [
    (nil, "it is not there", "install it"),
    (
      "echo nonsense", "sequence-agent gave an invalid answer",
      "reinstall sequence and sequence-agent (versions may differ)"
    ),
    (
      "echo 'no libnotify' >&2; exit 127", "sequence-agent failed: no libnotify",
      "reinstall sequence and sequence-agent (versions may differ)"
    ),
    (
      "kill -9 $$", "sequence-agent was killed by signal 9",
      "reinstall sequence and sequence-agent (versions may differ)"
    ),
  ])
  func `an examiner that fails is a finding, and the other checks run`(
    script: String?, problem: String, remedy: String
  ) throws {
    let lines = try examine(with: script, clock: SystemClock())
    #expect(lines.first == "error    sequence-agent       \(problem)")
    #expect(lines.dropFirst().first == "         -> \(remedy)")
    #expect(lines.count == 12)
  }

  @Test func `an examiner that hangs is killed and is a finding`() throws {
    // By this clock, the time limit of the program has long passed.
    let lines = try examine(with: "exec sleep 1000", clock: ManualClock(boot: .zero))
    #expect(lines.first?.contains("sequence-agent did not answer within 10 s") == true)
  }
}
