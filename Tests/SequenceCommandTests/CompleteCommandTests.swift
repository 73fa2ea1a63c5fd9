import Foundation
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand

/// What `sequence complete` lists for the completions of the shells.
@Suite(.timeLimit(.minutes(1)))
struct CompleteCommandTests {
  private let sequence: CommandLineRunner

  init() throws {
    sequence = try CommandLineRunner()
    try FileManager.default.createDirectory(atPath: sequence.library, withIntermediateDirectories: true)
    _ = try sequence.home.write(
      #"""
      title: Odd
      cards:
        - { title: "It's $HOME: `x`", countdown: 90s }
        - { title: "red\e[31m\nalert", countUp: {}, id: 11111111-2222-4333-8444-555555555555 }
        - rounds: 2
          cards:
            - { title: Work, countdown: 1s }
            - { title: Work, countdown: 2s }
      """#, to: ".local/share/sequence/odd titles.yml")
  }

  private func lines(_ words: String...) throws -> [String] {
    let outcome = try sequence.run(["complete"] + words)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    return outcome.text.split(separator: "\n").map(String.init)
  }

  @Test func `names are those of the library`() throws {
    _ = try sequence("new", "tabata")
    #expect(try lines("names") == ["odd titles\tsequence", "tabata\tsequence"])
  }

  @Test
  func `cards are those of the sequence that is named, each title once, and an id for what has no line`()
    throws
  {
    let all = [
      "It's $HOME: `x`\t1m30s", "11111111-2222-4333-8444-555555555555\tred[31m alert", "Work\t1s",
    ]
    #expect(try lines("cards", "run", "odd titles", "--without") == all)
    #expect(try lines("cards", "run", "--rounds", "2", "--json", "odd titles") == all)
    #expect(try lines("cards", "check", "--", "odd titles") == all)
    #expect(
      try lines("cards", "run", "odd titles", "--without", "Work", "--without") == Array(all.dropLast()))
    #expect(try lines("cards", "run", "odd titles", "--without=Work") == Array(all.dropLast()))
    #expect(try lines("cards", "run", "--without") == [])
    #expect(try lines("cards", "run", "-") == [])
  }

  @Test func `runs and cards are those of the store, and one that is not there is not made`() throws {
    for kind in ["runs", "ended-runs", "active-cards", "active-sequence"] {
      #expect(try lines(kind, "wait") == [])
    }
    #expect(!FileManager.default.fileExists(atPath: sequence.state))
    let first = try sequence("start", "--card", "A 1h").text
    #expect(try sequence("stop").status == 0)
    let second = try sequence("start", "odd titles").text
    let runs = try lines("runs", "wait", "--run")
    #expect(runs.count == 2)
    #expect(runs.first == "\(second)\tactive: Odd")
    #expect(runs.last?.hasPrefix("\(first)\tstopped 20") == true && runs.last?.hasSuffix(": A") == true)
    // The history has no run that is not over.
    #expect(try lines("ended-runs", "history", "--run") == Array(runs.dropFirst()))
    let kinds = [WaitCommand.command, HistoryCommand.command].map { command in
      command.options.first { $0.name == "run" }?.kind
    }
    #expect(kinds == [.candidates(.runs), .candidates(.endedRuns)])
    let cards = try lines("active-cards", "notifications", "--card")
    #expect(
      cards.map { $0.drop { $0 != "\t" }.dropFirst() } == [
        "It's $HOME: `x`", "red[31m alert", "Work", "Work",
      ])
    #expect(try lines("active-sequence", "notifications").map { $0.hasSuffix("\tOdd") } == [true])
    let elsewhere = sequence.home.path + "/elsewhere"
    #expect(try lines("runs", "wait", "--state-dir", elsewhere) == [])
    #expect(try lines("runs", "wait", "--state-dir=\(sequence.state)").count == 2)
  }

  @Test func `what cannot be listed is an error, which the completions leave out`() throws {
    #expect(try sequence("complete").status == 64)
    #expect(try sequence("complete", "dances").status == 64)
    #expect(try sequence("complete", "cards", "run", "nothing").status == 74)
    #expect(try sequence("manual").status == 64)
  }
}
