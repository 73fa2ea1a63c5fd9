import Foundation
import SequenceFiles
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

struct FirstStepTests {
  private let sequence: CommandLineRunner
  private static let cards = ["--card", "A 1h", "--card", "B 2h", "--card", "C 1h", "--title", "T"]

  init() throws {
    sequence = try CommandLineRunner()
    try FileManager.default.createDirectory(atPath: sequence.library, withIntermediateDirectories: true)
    let tabata = """
      title: Tabata
      cards:
        - { title: Get ready, countdown: 10s }
        - rounds: 3
          cards:
            - { title: Work, countdown: 20s }
            - { title: Rest, countdown: 10s, skipLast: true }
        - rounds: 1
          cards:
            - { title: Walk, countdown: 1m }
            - { title: Sit, countdown: 1m, skipLast: true }
      """
    let circuit = """
      title: Circuit
      cards:
        - rounds: 3
          cards:
            - { title: Work, countdown: 20s }
            - { title: Walk, countdown: 1m }
            - { title: Rest, countdown: 10s }
      """
    for (name, text) in [("tabata", tabata), ("circuit", circuit)] {
      try text.write(toFile: "\(sequence.library)/\(name).yaml", atomically: false, encoding: .utf8)
    }
  }

  private func start(_ words: [String]) throws -> ActiveRunSnapshot {
    let outcome = try sequence.run(["start"] + words)
    guard outcome.status == 0 else { throw TestSupportError(outcome.errors) }
    let store = try RunStore(
      in: StateDirectory(path: sequence.state), clock: SystemClock(), parts: [], observers: [])
    return try #require(try store.settle().run)
  }

  @Test(
    arguments: [
      (["tabata", "--from", "5"], 4, "Rest"), (["tabata", "--from", "05"], 4, "Rest"),
      (["tabata", "--from", "1"], 0, "Get ready"), (["tabata", "--from", "7"], 6, "Walk"),
      // The first step of a card.
      (["tabata", "--from", "Work"], 1, "Work"), (["tabata", "--from=Walk"], 6, "Walk"),
      // Steps are counted after the other options.
      (["circuit", "--rounds", "5", "--without", "Walk", "--from", "10"], 9, "Rest"),
      (["tabata", "--without", "Rest", "--from", "5"], 4, "Walk"),
      (cards + ["--from", "C"], 2, "C"), (["--card", "A 1m", "--rounds", "forever", "--from", "1"], 0, "A"),
    ] as [([String], Int, String)])
  func `a run starts at the step with a number or the title of its card`(
    words: [String], first: Int, title: String
  ) throws {
    let run = try start(words)
    #expect(run.firstStep == first)
    #expect(run.card.title == title)
  }

  @Test func `the card of an id is a first step, too`() throws {
    let card = try start(["tabata"]).timeline.card(at: 2)
    #expect(try start(["tabata", "--replace", "--from", card.id.uuidString]).firstStep == 2)
  }

  private static let refusals: [(words: [String], text: String)] = [
    (["tabata", "--from", "0"], "there is no step 0; use a step from 1 to 7"),
    (["tabata", "--from", "8"], "there is no step 8; use a step from 1 to 7"),
    (
      ["tabata", "--from", "99999999999999999999"],
      "there is no step 99999999999999999999; use a step from 1 to 7"
    ),
    (["--card", "A 1m", "--from", "2"], "there is no step 2; use step 1"),
    (
      ["--card", "A 1m", "--card", "B 1m", "--rounds", "forever", "--from", "3"],
      "there is no step 3; use a step from 1 to 2"
    ),
    (["tabata", "--from", "Wrk"], #"no card named "Wrk" in "Tabata"; did you mean "Work"?"#),
    (["tabata", "--from", "rest"], #"no card named "rest" in "Tabata"; did you mean "Rest"?"#),
    (
      ["tabata", "--from", "Squats"],
      #"no card named "Squats" in "Tabata"; use "Get ready", "Work", "Rest", "Walk", "Sit""#
    ),
    (["tabata", "--from", ""], "--from needs a step; write it like --from 5, or --from TITLE"),
    (["tabata", "--from", "Sit"], #""Sit" has no step, because of skipLast; choose another card"#),
    (
      ["tabata", "--without", "Work", "--from", "Work"],
      #"no card named "Work" in "Tabata"; use "Get ready", "Rest", "Walk", "Sit""#
    ),
  ]

  @Test(arguments: refusals)
  func `a step that does not exist is refused with the ones that do`(words: [String], text: String) throws {
    #expect(try sequence.run(["start"] + words) == .init(status: 64, errors: "sequence: \(text)"))
    #expect(try sequence("status", "--json").text == #"{"runs":[],"schema":1,"state":"idle"}"#)
  }

  @Test func `the status has the first step, unless it is the first of the sequence`() throws {
    func status(_ words: String...) throws -> [String: Any] {
      let text = try sequence.run(["start", "--json"] + FirstStepTests.cards + words).text
      let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return try #require(document)
    }
    let plain = try #require(try status()["run"] as? [String: Any])
    #expect(plain["firstStep"] == nil)
    let document = try status("--replace", "--name", "later", "--from", "2")
    let run = try #require(document["run"] as? [String: Any])
    #expect(run["firstStep"] as? Int == 2 && run["name"] as? String == "later")
    let step = try #require(document["step"] as? [String: Any])
    #expect(step["number"] as? Int == 2 && step["count"] as? Int == 3)
    #expect(try sequence("status").text.contains("step 2 of 3"))
    #expect(try sequence("back").text.contains("step 2 of 3"))
  }

  @Test func `the history counts the steps from the first one, and names it`() throws {
    _ = try start(FirstStepTests.cards + ["--from", "2"])
    #expect(try sequence("next").status == 0)
    #expect(try sequence("next").status == 0)
    let line = try #require(try sequence("history").text.split(separator: "\n").last)
    #expect(line.contains("finished") && line.contains(" 2/2 "))
    let text = try sequence("history", "--json").text
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let run = try #require((document?["runs"] as? [[String: Any]])?.first)
    #expect(run["firstStep"] as? Int == 2)
    #expect((run["steps"] as? [Any])?.count == 2)
    let records = try sequence("history", "--steps", "--csv").text.split(whereSeparator: \.isNewline)
    let fields = records.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(fields.map { $0[6] } == ["step", "2", "3"])
  }

  @Test(
    arguments: [
      (
        ["A 10m", "B 20m", "C 30m"], 1, "started \"T\" as t at step 2, 2 steps, until ",
        "step 2 of 3: \"B\", 20m"
      ),
      (["A", "B 20m"], 1, "started \"T\" as t at step 2, 1 step, until ", "step 2 of 2: \"B\", 20m"),
      (
        ["A 10m", "B"], 1, "started \"T\" as t at step 2, 1 step", "step 2 of 2: \"B\", until you complete it"
      ),
      (["A 10m", "B"], 0, "started \"T\" as t, 2 steps", "step 1 of 2: \"A\", 10m"),
    ] as [([String], Int, String, String)])
  func `the first line of a run says where it starts`(
    cards: [String], first: Int, start: String, step: String
  ) throws {
    let clock = ManualClock()
    let directory = try TemporaryDirectory()
    let store = try RunStore(in: StateDirectory(path: directory.path), clock: clock, parts: [], observers: [])
    let timeline = try CardSpec.sequence(cards: cards, title: "T")
    let run = try #require(try store.start(timeline, RunStart(firstStep: first)).run)
    var reporter = try RunEventReporter(run, in: store)
    let lines = try reporter.events(until: clock.now()).map(reporter.line)
    #expect(lines.count == 2 && lines[0].hasPrefix("0:00:00.000  " + start))
    #expect(lines[0].hasSuffix(start) || start.hasSuffix("until "))
    #expect(lines[1] == "0:00:00.000  " + step)
    // A display that begins later.
    clock.advance(by: .seconds(1))
    var later = try RunEventReporter(run, in: store)
    #expect(try later.events(until: clock.now()).map(\.step) == [first, first])
  }
}
