import Foundation
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceCommand

/// Runs named on the command line.
@Suite(.timeLimit(.minutes(1)))
struct RunArgumentTests {
  private let sequence: CommandLineRunner

  init() throws { sequence = try CommandLineRunner() }

  /// Starts a run, and returns its id.
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

  @Test func `remedies and answers name the run that is meant, if there are others`() throws {
    _ = try start("--card", "A 1h", "--title", "Tea")
    #expect(
      try sequence("resume").errors == "sequence: the run is already running; to pause it, run sequence pause"
    )
    _ = try start("--card", "B 1h", "--title", "Tea", "--beside")
    #expect(try sequence("pause", "tea").text.hasPrefix("tea: paused: "))
    #expect(
      try sequence("pause", "tea").errors
        == "sequence: the run is already paused; to continue it, run sequence resume tea")
    #expect(
      try sequence("resume", "tea-2").errors
        == "sequence: the run is already running; to pause it, run sequence pause tea-2")
    #expect(try sequence("pause", "--all").status == 0)
    #expect(
      try sequence("pause", "--all").errors
        == "sequence: all runs are paused; to continue them, run sequence resume --all")
    #expect(
      try sequence("start", "--card", "C 1h", "--beside", "--name", "tea-2").errors
        == #"sequence: another active run is named "tea-2"; choose another name, or stop that run with sequence stop tea-2"#
    )
    #expect(
      try sequence("stop", "--all").text == "tea-2: the run was stopped\ntea: the run was stopped")
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
