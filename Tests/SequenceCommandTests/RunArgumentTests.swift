import Foundation
import SequencePlatform
import SequencePresentation
import TestSupport
import Testing

@testable import SequenceCommand

/// Runs named on the command line.
@Suite(.timeLimit(.minutes(1)))
struct RunArgumentTests {
  private let sequence: CommandLineRunner

  init() throws { sequence = try CommandLineRunner() }

  private func start(_ words: String...) throws -> String {
    let outcome = try sequence.run(["start"] + words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.text
  }

  private func title(_ run: String) throws -> String {
    try sequence("status", run, "--format", "{sequence}").text
  }

  @Test func `a name comes before the beginning of an id`() throws {
    let id = try start("--card", "A 1h", "--title", "First")
    let name = String(id.prefix(5).lowercased())
    #expect(try title(name) == "First")
    #expect(try title(String(id.prefix(4))) == "First")
    #expect(try title(id) == "First")
    _ = try start("--card", "B 1h", "--title", "Second", "--beside", "--name", name)
    #expect(try title(name) == "Second")
    #expect(try title(String(id.prefix(6))) == "First")
    #expect(
      try sequence("status", String(id.prefix(3)))
        == .init(
          status: 1,
          errors: #"sequence: no active run is named "\#(id.prefix(3))"; name one of \#(name) or first"#))
  }

  @Test func `a run is known by its title in any letter case, after those of that name`() throws {
    _ = try start("--card", "A 1h", "--title", "My workout")
    for word in ["My workout", "MY WORKOUT", "my-workout", "My-Workout"] {
      #expect(try title(word) == "My workout")
    }
    #expect(try sequence("status", "???").errors.contains("no active run"))
    _ = try start("--card", "B 1h", "--title", "🍵", "--beside")
    #expect(try title("🍵") == "🍵")
    _ = try start("--card", "C 1h", "--title", "Pasta", "--name", "x1", "--beside")
    #expect(try title("pasta") == "Pasta")
  }

  @Test func `a title comes before the name that would be made from it`() throws {
    for title in ["Tea", "Tea", "Tea 2"] { _ = try start("--card", "A 1h", "--title", title, "--beside") }
    #expect(try title("Tea 2") == "Tea 2")
    #expect(try title("tea-2") == "Tea")
    #expect(try sequence("pause", "Tea").text.hasPrefix("paused tea: "))
    _ = try start("--card", "A 1h", "--title", "Egg!", "--name", "a", "--beside")
    _ = try start("--card", "A 1h", "--title", "Egg!", "--name", "b", "--beside")
    _ = try start("--card", "A 1h", "--title", "Omelette", "--name", "egg", "--beside")
    #expect(
      try sequence("pause", "Egg!").errors == #"sequence: "Egg!" means several active runs; write a or b"#)
  }

  @Test func `remedies and answers name the run that is meant, if there are others`() throws {
    _ = try start("--card", "A 1h", "--title", "Tea")
    #expect(
      try sequence("resume").errors == "sequence: tea is already running; to pause it, run sequence pause"
    )
    _ = try start("--card", "B 1h", "--title", "Tea", "--beside")
    #expect(try sequence("pause", "tea").text.hasPrefix("paused tea: "))
    #expect(
      try sequence("pause", "tea").errors
        == "sequence: tea is already paused; to continue it, run sequence resume tea")
    #expect(
      try sequence("resume", "tea-2").errors
        == "sequence: tea-2 is already running; to pause it, run sequence pause tea-2")
    #expect(try sequence("pause", "--all").status == 0)
    #expect(
      try sequence("pause", "--all").errors
        == "sequence: all runs are paused; to continue them, run sequence resume --all")
    #expect(
      try sequence("start", "--card", "C 1h", "--beside", "--name", "tea-2").errors
        == #"sequence: another active run is named "tea-2"; choose another name, or stop that run with sequence stop tea-2"#
    )
    #expect(
      try sequence("stop", "--all").text
        == "stopped tea-2: 0 of 1 step in 0:00\nstopped tea: 0 of 1 step in 0:00")
  }

  @Test func `a run that has ended is named with its history, by every command that takes a run`() throws {
    let id = try start("--card", "A 1h")
    let other = try start("--card", "B 1h", "--beside")
    #expect(try sequence("next", "a").status == 0)
    #expect(try sequence("stop", "b").status == 0)
    for words in [["status"], ["status", "--json"], ["status", "--follow"], ["pause"], ["attach"]] {
      #expect(
        try sequence.run(words + [id])
          == .init(
            status: 1,
            errors: "sequence: run \(id.prefix(8)) has finished; see sequence history \(id.prefix(8))"),
        "\(words)")
    }
    #expect(
      try sequence("status", String(other.prefix(6)))
        == .init(
          status: 1,
          errors: "sequence: run \(other.prefix(8)) was stopped; see sequence history \(other.prefix(8))"))
    #expect(try sequence("history", id).status == 0)
    #expect(try sequence("wait", id).status == 0)
  }

  @Test func `on a terminal, start says what it started and until when; the id stays alone`() throws {
    func start(_ words: String...) throws -> String {
      let outcome = try sequence.run(["start"] + words, environment: ["TZ": "UTC"], showsErrors: true)
      #expect(UUID(uuidString: outcome.text) != nil, "\(outcome)")
      return outcome.errors.replacing(/\d\d:\d\d( tomorrow)?/, with: "TIME")
    }
    #expect(try start("--card", "A 1s", "--card", "B 2s") == #"started "A, B" as a-b, 2 steps, until TIME"#)
    #expect(
      try start("--card", "A 1h", "--card", "Read", "--beside", "--name", "tea", "--from", "2")
        == #"started "A, Read" as tea at step 2, 1 step"#)
    #expect(
      try start("--card", "E 1h", "--rounds", "forever", "--beside") == #"started "E" as e, endless"#)
    #expect(
      try start("--card", "P 1h", "--beside", "--paused")
        == #"started "P" as p, 1 step; to start its clock, run sequence resume p"#)
    #expect(try sequence("start", "--card", "Q 1h", "--beside").errors == "")
    let document = try sequence.run(["start", "--card", "R 1h", "--beside", "--json"], showsErrors: true)
    #expect(document.errors == "")
  }

  @Test func `several runs are a table, the current one first; one run is a line`() throws {
    _ = try start("--card", "Green tea 1h", "--name", "tea")
    #expect(try sequence("status").text.hasPrefix(#"running: "Green tea" 1:00:00 left, step 1 of 1"#))
    _ = try start(
      "--card", "Focus 25m", "--card", "Break 5m", "--rounds", "4", "--title", "Work", "--beside", "--paused")
    // The end may be tomorrow.
    let table = try sequence("status").text
      .replacing(/left  \d\d:\d\d( tomorrow)?/, with: "left  TIME")
    #expect(
      table.replacing(/[ ]{2,}/, with: "  ") == """
          run  state  title  time  until  round  step  next
        *  work  paused  Focus  25:00 left  1/4  1/8  Break
          tea  running  Green tea  1:00:00 left  TIME  1/1
        """)
    #expect(try sequence("status", "tea").text.hasPrefix(#"running: "Green tea" 1:00:00 left"#))
    #expect(try !sequence("status", "tea").text.contains("\n"))
    _ = try start("--card", "\(String(repeating: "long", count: 20)) 1h", "--beside")
    let ascii = try sequence("status", environment: ["LC_ALL": "C"]).text
    #expect(ascii.utf8.allSatisfy { $0 < 0x80 } && ascii.contains("longlong"))
  }

  @Test(arguments: [nil, 80, 60, 40])
  func `the table of runs is no wider than the terminal, and names are whole`(
    columns: Int?
  ) throws {
    let name = String(repeating: "日本語のタイマー", count: 3)
    _ = try start("--card", "\(name) 90m", "--card", "休憩 5m", "--rounds", "12")
    _ = try start("--card", "Short break 5m", "--card", "Deep work, no messages 25m", "--beside")
    _ = try start("--card", "Tea 90s", "--beside", "--name", "abcdefghijklmnopqrstuvwx")
    let text = try sequence.run(["status"], columns: columns).text
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.count == 4 && text.contains("abcdefghijklmnopqrstuvwx ") && text.contains(" \(name) "))
    // The longest name is wider than the smallest terminal.
    for line in lines where !line.contains(name) || columns != 40 {
      #expect(TextWidth.columns(line) <= max(columns ?? 80, 2 * name.count + 17), "\(line)")
    }
    if columns != 40 { #expect(text.contains("1:29:59 left") || text.contains("1:30:00 left")) }
  }

  @Test func `a deleted run leaves the history and the statistics`() throws {
    let id = try start("--card", "A 1h", "--title", "First")
    #expect(try sequence("stop").status == 0)
    #expect(
      try sequence("history", "delete", id)
        == .init(
          status: 64,
          errors: "sequence: history delete asks only on a terminal; add --yes to delete without a question"))
    #expect(try sequence("history", "--json").text.contains(id))
    #expect(
      try sequence("history", "delete", id, "--yes")
        == .init(status: 0, text: #"deleted the run of "First""#))
    #expect(try !sequence("history", "--json").text.contains(id))
    #expect(try sequence("stats", "--json").text.contains(#""runs":0"#))
    #expect(try sequence("history", "delete", id, "--yes").status == 1)
  }

  @Test func `a deletion prints JSON, and refuses the forms that it has not`() throws {
    let id = try start("--card", "A 1h", "--title", "First")
    #expect(try sequence("stop").status == 0)
    for option in ["--csv", "--steps"] {
      #expect(
        try sequence("history", "delete", id, "--yes", option)
          == .init(
            status: 64, errors: "sequence: delete and \(option) cannot be combined; remove one of them"))
    }
    #expect(try sequence("history", "--json").text.contains(id))
    #expect(
      try sequence("history", "delete", id, "--yes", "--json")
        == .init(status: 0, text: #"{"deleted":"\#(id)","schema":1}"#))
  }

  @Test func `the agent in the foreground prints no JSON`() throws {
    let output = try Tool()("agent", "run", "--json")
    #expect(output.status == 64 && output.text == "")
    #expect(output.errors == "sequence: agent run prints no JSON; remove --json\n")
  }

  @Test func `on a terminal the deletion is asked for`() throws {
    let tool = try Tool()
    try tool.succeed("start", "--card", "A 1h", "--title", "First")
    try tool.succeed("stop")
    let runs = try #require(try tool.json("history")["runs"] as? [[String: Any]])
    let id = try #require(runs.first?["id"] as? String)
    let terminal = try PseudoTerminal()
    for (answer, result) in [
      ("n", "nothing was deleted"), ("", "nothing was deleted"), ("y", "deleted the run"),
    ] {
      let command = try terminal.show(tool, ["history", "delete", id])
      _ = try terminal.output(until: "[y/N]")
      try terminal.type("\(answer)\n")
      _ = try terminal.output(until: result)
      var status: Int32 = -1
      #expect(waitpid(command, &status, 0) == command)
      #expect(status == (answer == "y" ? 0 : 1 << 8))
    }
    #expect(try (tool.json("history")["runs"] as? [Any])?.isEmpty == true)
  }
}
