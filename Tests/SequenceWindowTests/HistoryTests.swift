import SequenceClient
import SequenceFiles
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceWindow

@Suite struct HistoryTests {
  private let days = LocalDays()

  @Test(arguments: [
    (0, "Today"), (1, "Yesterday"), (2, "Thursday"), (6, "Sunday"), (7, "November"), (20, "November"),
    (21, "October"), (326, "December 2025"), (400, "October 2025"),
  ])
  func `runs are grouped as people say it`(daysAgo: Int, heading: String) {
    let today = CivilDay(year: 2026, month: 11, day: 21)
    #expect(RelativeDay.heading(of: today + -daysAgo, today: today) == heading)
  }

  @Test func `a row has the date unless its heading says it, labels and the remark`() throws {
    let start = try #require(
      LocalDays.moments(of: CivilDay(year: 2026, month: 11, day: 3), hour: 9, minute: 5).first)
    let run = EndedRunSummary(
      runID: "A", sequenceID: "B", title: "Yoga", startedAt: start, endedAt: start, outcome: .stopped,
      steps: 4,
      completed: 2, skipped: 0, active: .seconds(60), rest: .zero, remark: "Legs", labels: ["health"])
    let day = days.day(of: start).day
    let facts = "09:05 · 2 of 4 steps · stopped · health\n“Legs”"
    #expect(HistoryList.Row(run, today: day, days).facts == facts)
    #expect(HistoryList.Row(run, today: day + 6, days).facts == facts)
    #expect(HistoryList.Row(run, today: day + 7, days).facts == "Tuesday 3, " + facts)
  }

  @Test func `pages of the history are the whole history, though runs started at the same time`() throws {
    let directory = try TemporaryDirectory()
    let clock = ManualClock(wall: Moment(microseconds: 1_750_000_000_000_000))
    let store = try RunStore(
      in: StateDirectory(path: directory.path), clock: clock, parts: [], observers: [])
    for number in 0..<9 {
      _ = try store.start(CardSpec.sequence(cards: ["A 1m"], title: "\(number)"))
      if number % 3 > 0 { clock.advance(by: .seconds(30)) }
      _ = try store.perform(.stop)
    }
    let whole = try store.historySummaries()
    var (pages, last): ([EndedRunSummary], EndedRunSummary?) = ([], nil)
    repeat {
      let page = try store.historySummaries(HistoryQuery(after: last, most: 2))
      pages += page
      last = page.last
    } while last != nil
    #expect(pages == whole)
    #expect(Set(whole.map(\.runID)).count == 9)
    // A run without a length isn't in an empty period.
    let middle = try #require(whole.dropFirst(2).first { $0.startedAt < $0.endedAt })
    let range = try store.historySummaries(HistoryQuery(since: middle.endedAt, until: middle.endedAt))
    #expect(range == whole.filter { $0.endedAt >= middle.endedAt && $0.startedAt < middle.endedAt })
    #expect(range.contains(middle))
  }
}

/// The history of the built program.
@Suite(.timeLimit(.minutes(5)))
struct HistoryPageTests {
  @Test func `a run gets a remark and is started again`() throws {
    let screen = try VirtualScreen(isAccessible: true)
    let clock = ManualClock(wall: Moment(microseconds: 1_750_000_000_000_000))
    let store = try RunStore(in: StateDirectory(path: screen.state), clock: clock)
    for title in ["First"] + Array(repeating: "Other", count: 2) {
      _ = try store.start(
        CardSpec.sequence(cards: ["Walk 1m"], title: title),
        options: RunOptions(suspendPolicy: nil, sound: nil, speech: nil, labels: ["park"]),
        RunStart())
      clock.advance(by: .seconds(3600))
      _ = try store.settle()
    }
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "Sequence")
    try screen.activate("history")
    try screen.act("row.open", on: "First")
    try screen.write("Legs were tired", into: "Remark")
    try screen.click(on: "Remark", "text box", inWindow: window)
    try screen.press("Return")
    try screen.wait(for: "First", from: "history", "--search", "tired")
    try screen.act("click", on: "Start Again", "button")
    try screen.wait(untilTitle: "Walk – First")
    try screen.wait(for: #""labels":["park"]"#, from: "status", "--json")
  }

  @Test func `a screen reader and keys read a bar and the days of an earlier year, and list their runs`()
    throws
  {
    let screen = try VirtualScreen(isAccessible: true)
    let year = LocalDays().day(of: try SystemClock().now().wall).day.date.year - 1
    let june = try #require(
      LocalDays.moments(of: CivilDay(year: year, month: 6, day: 15), hour: 12, minute: 0).first)
    let clock = ManualClock(wall: june)
    let store = try RunStore(in: StateDirectory(path: screen.state), clock: clock)
    _ = try store.start(CardSpec.sequence(cards: ["Walk 1m"], title: "First"))
    clock.advance(by: .seconds(60))
    _ = try store.settle()
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "Sequence")
    try screen.activate("history")
    try screen.act("click", on: "Year")
    try screen.act("click", on: "Earlier", "button")
    func title(_ day: CivilDay) -> String {
      RelativeDay.title(of: day..<day + 1, today: CivilDay(year: year + 1, month: 6, day: 15))
    }
    // The map of days is one object, whose name is the chosen day.
    let monday = CivilDay(year: year, month: 6, day: 15)
    try screen.click(on: "\(title(monday)): 1\u{A0}min", "button", inWindow: window)
    try screen.press("Home")
    let first = CivilDay(year: year, month: 1, day: 1)
    try screen.wait(untilVisible: "\(title(first)): no active time", inWindowTitled: "Sequence")
    for key in ["Down", "Right", "Return"] { try screen.press(key) }
    try screen.wait(untilVisible: "Runs: \(title(first + 8))", inWindowTitled: "Sequence")
    try screen.act("day.next", on: "\(title(first + 8)): no active time", "button")
    try screen.act("day.open", on: "\(title(first + 9)): no active time", "button")
    try screen.wait(untilVisible: "Runs: \(title(first + 9))", inWindowTitled: "Sequence")
    try screen.act("bar.open", on: "June \(year): 1\u{A0}min, First 1\u{A0}min")
    try screen.wait(untilVisible: "Runs: June \(year)", inWindowTitled: "Sequence")
  }
}
