import SequenceClient
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport

/// The cost of looking back at 100,000 runs of five years.
enum PastRuns: Benchmark {
  static let name = "history"
  private static let count = 100_000
  private static let years = Duration.seconds(5 * 365 * 86_400)

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    let (few, many) = (try Tool(workplace), try Tool(workplace))
    let now = try SystemClock().now().wall
    for (tool, count) in [(few, 1000), (many, count)] {
      try LongHistory.write(count, to: tool.store(), over: years, until: now)
    }
    let commands: [[String]] = [
      ["stats"], ["stats", "--year", "\(LocalDays().day(of: now).day.date.year)"],
      ["history", "--since", "7d"], ["history", "--label", "garden", "--since", "30d"],
      ["history", "--search", "stretch", "--since", "30d"], ["history", "--search", "nothing"],
      ["history", "--csv"],
    ]
    for words in commands {
      let samples = try interleaved(
        5, [few, many].map { tool in { try tool.process(words).duration() } })
      try report(
        Row(
          "\(words.joined(separator: " ")), 100,000 runs", samples[1].medianTime,
          beside: "1,000 runs",
          samples[0].medianTime))
    }
    for words in [["history"], ["history", "--label", "garden"], ["history", "--search", "stretch"]] {
      let samples = try interleaved(5, [{ try firstLine(of: many, words) }])
      try report(
        Row(
          "\(words.joined(separator: " ")), first line, 100,000 runs", samples[0].medianTime,
          goal: .limit(.nanoseconds(100_000_000))))
    }
    try pages(of: many.store(), now, report)
  }

  private static func firstLine(of tool: Tool, _ words: [String]) throws -> Duration {
    let start = ContinuousClock.now
    let process = try tool.begin(words)
    defer { process.end() }
    _ = try process.line()
    return ContinuousClock.now - start
  }

  /// Measures the reading of the pages of the window.
  private static func pages(of store: RunStore, _ now: Moment, _ report: (Row) throws -> Void)
    throws
  {
    let days = LocalDays()
    let today = days.day(of: now).day
    let year = CivilDay(year: today.date.year, month: 1, day: 1)
    let pages: [(name: String, read: () throws -> Void)] = [
      ("first page of the list", { _ = try store.historySummaries(HistoryQuery(most: 51)) }),
      ("runs of a day", { _ = try store.historySummaries(days.query(today..<today + 1)) }),
      ("streak", { _ = try Streak.current(in: store, today: today, days) }),
      (
        "year",
        {
          var statistics = Statistics(days, since: year, by: .year)
          try statistics.add(store.historySummaries(days.query(year..<today + 1)), from: store)
        }
      ),
    ]
    let samples = try interleaved(
      10,
      pages.map { page in
        {
          let start = ContinuousClock.now
          try page.read()
          return ContinuousClock.now - start
        }
      })
    for (page, sample) in zip(pages, samples) {
      try report(
        Row(
          "\(page.name), 100,000 runs", sample.medianTime, goal: .limit(.nanoseconds(100_000_000))))
    }
  }
}
