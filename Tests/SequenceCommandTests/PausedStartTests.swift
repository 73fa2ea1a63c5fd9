import Foundation
import SequencePlatform
import SequenceFiles
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

struct PausedStartTests {
  private let sequence: CommandLineRunner
  private static let cards = ["--card", "A 10m", "--card", "B 20m", "--title", "T"]

  init() throws { sequence = try CommandLineRunner() }

  private func document(_ outcome: CommandLineRunner.Outcome) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) as? [String: Any], "\(outcome)")
  }

  @Test func `the first step waits at its full length until the run is resumed`() throws {
    let started = try document(sequence.run(["start", "--paused", "--json"] + PausedStartTests.cards))
    #expect(started["state"] as? String == "paused" && started["suspend"] == nil)
    let step = try #require(started["step"] as? [String: Any])
    #expect(step["number"] as? Int == 1 && step["remaining"] as? Double == 600)
    #expect(try sequence("notifications").text == "")
    #expect(try sequence("status").text.hasPrefix(#"paused: "A" 10:00 left"#))
    #expect(try sequence("resume").status == 0)
    #expect(try sequence("notifications").text.contains("pending"))
  }

  @Test func `it works with --from, --replace and --beside, and with a file`() throws {
    let path = sequence.home.path + "/tea.yaml"
    try "title: Tea\ncards: [{ title: Steep, countdown: 3m }]\n".write(
      toFile: path, atomically: false, encoding: .utf8)
    #expect(try sequence.run(["start"] + PausedStartTests.cards).status == 0)
    let second = try document(
      sequence.run(["start", "--paused", "--replace", "--from", "B", "--json"] + PausedStartTests.cards))
    #expect(second["state"] as? String == "paused")
    #expect((second["step"] as? [String: Any])?["number"] as? Int == 2)
    #expect(try document(sequence("history", "--json"))["runs"].map { ($0 as? [Any])?.count } == 1)
    let tea = try document(sequence("start", path, "--paused", "--beside", "--json"))
    #expect(tea["state"] as? String == "paused")
    #expect((tea["runs"] as? [Any])?.count == 2)
  }

  @Test func `a timer has no such option`() throws {
    #expect(try sequence("timer", "5m", "--paused").status == 64)
  }

  @Test func `a stopped run that was never resumed adds nothing to the statistics`() throws {
    #expect(try sequence.run(["start", "--paused"] + PausedStartTests.cards).status == 0)
    #expect(try sequence("stop").status == 0)
    let run = try #require(
      (try document(sequence("history", "--json"))["runs"] as? [[String: Any]])?.first)
    #expect(run["active"] as? Double == 0)
    let statistics = try document(sequence("stats", "--json"))
    #expect((statistics["total"] as? [String: Any])?["active"] as? Double == 0)
  }

  @Test func `the first line of a run that starts paused names no end`() throws {
    let clock = ManualClock()
    let store = try RunStore(in: StateDirectory(path: sequence.state), clock: clock, parts: [], observers: [])
    let timeline = try CardSpec.sequence(cards: ["A 10m"], title: "T")
    let run = try #require(try store.start(timeline, RunStart(paused: true)).run)
    var reporter = try RunEventReporter(run, in: store)
    #expect(
      try reporter.events(until: clock.now()).map(reporter.line) == [
        "0:00:00.000  started \"T\" as t, 1 step", "0:00:00.000  step 1 of 1: \"A\", 10m",
        "0:00:00.000  paused \"A\"",
      ])
  }
}
