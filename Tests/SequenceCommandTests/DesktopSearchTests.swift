import Foundation
import SequencePlanning
import SequenceConfiguration
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The search of the desktop, in a process that the bus starts.
@Suite(.timeLimit(.minutes(2)))
struct DesktopSearchTests {
  private let bus: PrivateBus
  private let server: RecordingServer
  private let tool: Tool
  private static let name = "org.sequence_timer.sequence.search"

  init() throws {
    (bus, server, tool) = try Tool.served()
    for (name, text) in [
      (
        "legs",
        "title: Leg day\ncards: [{ title: Squats, countdown: 50s }, { title: Rest, countdown: 10s }]\n"
      ),
      ("broken", "title: Broken\ncards: [{ title: Squats, countdown: 2x }]\n"),
      ("day", "title: Plan\ncards: [{ title: Write, advance: manual }]\n"),
    ] {
      _ = try tool.directory.write(text, to: ".local/share/sequence/\(name).yaml")
    }
  }

  /// The bus starts the program that a test wants, with the environment of the tool.
  private func install(_ program: String? = nil) throws {
    let program = try program ?? BuiltProducts.path(of: "sequence-agent")
    let variables = tool.environment.map { "\"\($0.key)=\($0.value)\"" }.sorted().joined(separator: " ")
    try """
    [D-BUS Service]
    Name=\(DesktopSearchTests.name)
    Exec=/usr/bin/env -i \(variables) "\(program)" --search

    """.write(toFile: bus.directory + "/search.service", atomically: true, encoding: .utf8)
  }

  private func call(_ method: String, _ arguments: [String]) throws -> String {
    let output = try ChildProcess.run(
      "/usr/bin/gdbus",
      [
        "call", "--session", "--dest", DesktopSearchTests.name, "--object-path",
        "/org/sequence_timer/sequence/search", "--method", method, "--",
      ] + arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "LC_ALL": "C.UTF-8"],
      within: .seconds(60))
    return output.text + output.errors
  }

  private func shell(_ method: String, _ arguments: String...) throws -> String {
    try call("org.gnome.Shell.SearchProvider2." + method, arguments)
  }

  private func runner(_ method: String, _ arguments: String...) throws -> String {
    try call("org.kde.krunner1." + method, arguments)
  }

  @Test func `a search finds timers and sequences, and describes them`() throws {
    try install()
    #expect(try shell("GetInitialResultSet", "['tea', '5', 'min']") == "(['timer:tea 5 min'],)")
    #expect(try shell("GetSubsearchResultSet", "['a']", "['LEG']") == "(['sequence:legs'],)")
    #expect(try shell("GetInitialResultSet", "['day']") == "(['sequence:day', 'sequence:legs'],)")
    for nothing in [
      "['zebra']", "['2024']", "@as []", "['', ' ']", "['\(String(repeating: "5 min ", count: 999))']",
    ] {
      #expect(try shell("GetInitialResultSet", nothing) == "(@as [],)", "\(nothing.prefix(20))")
    }
    let described = try shell(
      "GetResultMetas",
      "['timer:tea 5 min', 'sequence:legs', 'sequence:broken', 'sequence:gone', 'sequence:../../x']")
    for part in [
      "{'description': <'Start a timer until ",
      "'gicon': <'sequence'>, 'id': <'timer:tea 5 min'>, 'name': <'tea for 5\u{A0}min'>}",
      "{'description': <'2 steps · 1\u{A0}min'>, 'gicon': <'sequence'>, 'id': <'sequence:legs'>, 'name': <'Leg day'>}",
      "'name': <'broken'>}],)", "2x",
    ] {
      #expect(described.contains(part), "\(described)")
    }
    let matches = try runner("Match", "leg")
    #expect(
      matches.contains("('sequence:legs', 'Leg day', 'sequence', 30, 0.8")
        && matches.contains("'subtext': <'2 steps"),
      "\(matches)")
    #expect(try runner("Match", "5m tea").contains("('timer:5m tea', 'tea for 5\u{A0}min', 'sequence', 100"))
    #expect(try runner("Match", "") == "(@a(sssida{sv}) [],)")
    #expect(try runner("Actions") == "(@a(sss) [],)")
    // A search starts nothing, and writes nothing.
    #expect(!FileManager.default.fileExists(atPath: tool.state))
  }

  @Test func `results are few`() throws {
    try install()
    for number in 1...9 {
      _ = try tool.directory.write(
        "title: Walk \(number) 5m\ncards: [{ title: Go, countdown: 5s }]\n",
        to: ".local/share/sequence/walk\(number).yaml")
    }
    let found = try shell("GetInitialResultSet", "['5m']")
    #expect(
      found.hasPrefix("(['timer:5m', 'sequence:walk1', ") && found.components(separatedBy: ":").count == 6,
      "\(found)")
    let ids = (1...6).map { "'sequence:walk\($0)'" }.joined(separator: ", ")
    #expect(try shell("GetResultMetas", "[\(ids)]").contains("a search has at most 5 results"))
  }

  @Test func `a timer that is started rings, a sequence runs beside it`() throws {
    try install()
    #expect(try shell("ActivateResult", "timer:tea 5 min", "['tea']", "0") == "()")
    #expect(try tool.status("sequence") == "tea")
    let store = try CompleteStore.open(in: StateDirectory(path: tool.state), clock: SystemClock())
    #expect(try store.peek().run?.rings == true)
    #expect(try tool.agent() != nil)
    #expect(try runner("Run", "sequence:legs", "") == "()")
    #expect(try tool.status("sequence") == "Leg day")
  }

  @Test func `calls that make no sense are refused`() throws {
    try install()
    for id in ["", "tea", "timer", "run:tea", "sequence"] {
      #expect(try shell("ActivateResult", id, "['a']", "0").contains("no such result"), "\(id)")
    }
    #expect(try shell("GetInitialResultSet", "5").contains("Error"))
    #expect(try shell("Destroy", "5").contains("UnknownMethod"))
    #expect(try shell("GetInitialResultSet", "['5m']") == "(['timer:5m'],)")
    #expect(!FileManager.default.fileExists(atPath: tool.state))
  }

  @Test func `the window opens for all results, and for those that cannot be started`() throws {
    // A copy of the program, with a window that is a script.
    let program = tool.directory.path + "/sequence-agent"
    try FileManager.default.copyItem(atPath: BuiltProducts.path(of: "sequence-agent"), toPath: program)
    let window = try tool.directory.write(
      "#!/bin/sh\necho \"$*\" >\"$HOME/words\"\n", to: "sequence-window")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: window)
    try install(program)
    let words = tool.directory.path + "/words"
    mkfifo(words, 0o600)
    let library = tool.directory.path + "/.local/share/sequence"
    for (method, arguments, expected) in [
      ("LaunchSearch", ["['leg', 'day']", "0"], "--search leg day"),
      ("ActivateResult", ["sequence:broken", "['b']", "0"], "\(library)/broken.yaml"),
      ("ActivateResult", ["timer:tea", "['b']", "0"], ""),
      ("ActivateResult", ["sequence:gone", "['b']", "0"], ""),
      ("ActivateResult", ["sequence:\(library)/legs.yaml", "['b']", "0"], ""),
      ("ActivateResult", ["sequence:.local/share/sequence/legs.yaml", "['b']", "0"], ""),
    ] {
      #expect(try call("org.gnome.Shell.SearchProvider2." + method, arguments) == "()")
      let opened = try ChildProcess.run(
        "/usr/bin/timeout", ["60", "/bin/cat", words], environment: [:], within: .seconds(90))
      #expect(opened.text == expected)
    }
  }

  @Test func `the process ends soon after the last search`() throws {
    let search = try ChildProcess(
      BuiltProducts.path(of: "sequence-agent"), ["--search"], environment: tool.environment)
    #expect(try search.exitStatus() == 0)
  }

  @Test func `the files that desktops read name the same object`() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOfFile: BuiltProducts.repository + path, encoding: .utf8)
    }
    let (name, path) = (DesktopSearchTests.name, "/org/sequence_timer/sequence/search")
    let shell = try text("share/gnome-shell/search-providers/sequence-search-provider.ini")
    #expect(shell.contains("\nBusName=\(name)\nObjectPath=\(path)\n"))
    let runner = try text("share/krunner/dbusplugins/plasma-runner-sequence.desktop")
    #expect(runner.contains("Service=\(name)\n") && runner.contains("Path=\(path)\n"))
    #expect(try text("login/\(name).service").contains("\nName=\(name)\nExec=\"@PREFIX@/libexec/"))
  }
}
