import Foundation
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

/// Runs that are to end at a time, as people and scripts see them.
struct UntilTests {
  private let sequence: CommandLineRunner

  init() throws { sequence = try CommandLineRunner() }

  private static let roast = """
    title: Roast
    cards:
      - { title: Sear, countdown: 20m, atLeast: 10m }
      - { title: Roast, countdown: 20m, atLeast: 17m }
      - { title: Rest, countdown: 20m, atLeast: 19m, atMost: 4h }
    """

  private func document(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  /// The lateness in minutes in JSON; the words of the others.
  private func late(_ status: RunStatus) throws -> (json: Double?, words: String?) {
    let total = try document(JSONText.encode(StatusDocument(status)))["total"] as? [String: Any]
    let words = RunView(status)?.lateness
    let view = try #require(RunView(status))
    #expect(TemplateField.late.value(of: view) == words ?? "")
    #expect(StatusText.line(status).contains("late") == (words != nil))
    #expect(try JSONText.encode(WaybarDocument(status, text: "")).contains("late") == (words != nil))
    let frame = DisplayFrame.lines(view, size: TerminalSize(columns: 80, rows: 24), style: .plain)
    #expect(frame.contains { $0.contains("late") } == (words != nil))
    #expect(words.map { words in frame.contains { $0.contains(words) } } ?? true)
    #expect(view.totalLeft.last == words ?? view.totalLeft.first)
    return ((total?["late"] as? Double).map { $0 / 60 }, words)
  }

  @Test func `all faces say how late a run is that was delayed by a pause and a reboot`() throws {
    let clock = ManualClock()
    let store = try RunStore(in: StateDirectory(path: sequence.state), clock: clock)
    let timeline = try SequenceFile.parse(Array(UntilTests.roast.utf8)).timeline
    let start = clock.now()
    try store.start(timeline, until: start.wall.advanced(by: .seconds(3600)))
    clock.advance(by: .seconds(25 * 60))
    try store.perform(.pause)
    // The roast can give 3 minutes, and the rest 1.
    for second in 1...330 {
      clock.advance(by: .seconds(1))
      let late = max(0, second - 240)
      let words = late < 60 ? nil : "1 min late"
      #expect(try self.late(store.status()) == (Double(late) / 60, words), "after \(second) s")
    }
    let wall = clock.now().wall
    clock.set(
      to: ClockReading(
        wall: wall.advanced(by: .seconds(30)), boot: .seconds(9), bootID: "another boot"))
    #expect(try late(store.status()) == (2, "2 min late"))
    try store.perform(.resume())
    #expect(try late(store.status()) == (2, "2 min late"))
    let view = try #require(RunView(try store.status()))
    #expect(view.next?.length == "19:00")
    #expect(view.position.totalRemaining == .seconds(31 * 60))
    for _ in 1..<(31 * 6) {
      clock.advance(by: .seconds(10))
      #expect(try late(store.status()) == (2, "2 min late"))
    }
    clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(try late(store.status()) == (2, "2 min late"))
    clock.advance(by: .nanoseconds(1))
    let ended = try #require(try store.history().first)
    #expect(ended.endedAt == start.wall.advanced(by: .seconds(62 * 60)))
    #expect(ended.late == .seconds(120))
    #expect(RunSummary.line(ended).hasSuffix(", 2 min late"))
    let history = try document(JSONText.encode(HistoryDocument([(ended, [])])))
    let run = try #require((history["runs"] as? [[String: Any]])?.first)
    #expect(run["late"] as? Double == 120)
    #expect(run["deadline"] as? String == start.wall.advanced(by: .seconds(3600)).description)
  }

  /// A time some minutes from now, whose seconds don't matter to the test.
  private func time(in minutes: Int) throws -> String {
    let moment = try SystemClock().now().wall.advanced(by: .seconds(60 * minutes))
    return LocalTime.clock(of: moment, now: moment)
  }

  private static func ends(_ text: String, at time: String) -> Bool {
    ["", " tomorrow"].contains { text.hasSuffix("until \(time)\($0)") }
  }

  @Test func `check shows the lengths of a run that would start now, and start gives them`() throws {
    let path = try sequence.home.write(UntilTests.roast, to: "roast.yaml")
    #expect(try sequence("check", path).text.contains("Rest, 20m (19m to 4h), rest\n"))
    let time = try time(in: 90)
    let check = try sequence("check", path, "--until", time)
    #expect(check.status == 0 && UntilTests.ends(check.text, at: time), "\(check)")
    let total =
      try document(sequence("check", path, "--until", time, "--json").text)["total"] as? [String: Any]
    #expect(total?["late"] as? Double == 0)
    let started = try document(sequence("start", path, "--until", time, "--json").text)
    #expect((started["total"] as? [String: Any])?["late"] as? Double == 0)
    #expect(UntilTests.ends(try sequence("status").text, at: time))
  }

  @Test func `a run that would end early is refused, and so are endless rounds`() throws {
    let path = try sequence.home.write(UntilTests.roast, to: "roast.yaml")
    let early = try sequence("start", path, "--until", time(in: 600))
    #expect(early.status == 1)
    #expect(early.errors.hasPrefix(#"sequence: "Roast" takes 4h40m, so it would end 5h"#), "\(early)")
    #expect(try sequence("check", path, "--until", time(in: 600)) == early)
    let cards = ["--card", "Work 7m", "--rounds", "forever"]
    let endless = try sequence.run(["start", "--until", time(in: 30)] + cards)
    #expect(endless.status == 1)
    #expect(endless.errors.hasSuffix("give it a number of rounds, such as --rounds 4"), "\(endless)")
  }

  @Test func `what a card usually takes is shown before a run and in it`() throws {
    let path = try sequence.home.write(
      "{title: Morning, cards: [{title: Shower, countUp: {}}, {title: Bus, countdown: 10m}]}",
      to: "morning.yaml")
    let timeline = try SequenceFile.read(path: path).timeline
    let clock = ManualClock()
    let store = try CompleteStore.open(in: StateDirectory(path: sequence.state), clock: clock)
    #expect(try sequence("check", path).text.hasSuffix("at least 10m (1 step has no fixed length)"))
    for minutes in [5, 6, 9] {
      try store.start(timeline)
      clock.advance(by: .seconds(minutes * 60))
      try store.perform(.next)
      try store.perform(.stop)
    }
    let plan = try sequence("check", path).text.split(separator: "\n")
    #expect(plan[1].hasSuffix("Shower, until you complete it, usually 6m"), "\(plan)")
    #expect(plan[3] == "2 steps, about 16m")
    #expect(try sequence("check", path, "--until", time(in: 16)).text.contains("about 16m, until about "))
    let steps = try document(sequence("check", path, "--json").text)["steps"] as? [[String: Any]]
    #expect(steps?.map { $0["usual"] as? Double } == [360, nil])
    #expect(
      try sequence("check", path, "--state-dir", sequence.home.path + "/none").text.contains("at least"))
    try store.start(timeline)
    #expect(try StatusText.line(store.status()).contains(", until about "))
    let status = try store.status()
    #expect(RunView(status)?.end == "about " + EndText.clock(status.reading.wall, after: .seconds(960)))
    clock.advance(by: .seconds(480))
    let later = try store.status()
    #expect(RunView(later)?.end == "about " + EndText.clock(later.reading.wall, after: .seconds(600)))
    try store.perform(.next)
    #expect(RunView(try store.status())?.end == EndText.clock(later.reading.wall, after: .seconds(600)))
  }
}
