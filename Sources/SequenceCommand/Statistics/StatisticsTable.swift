import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceRunner

/// The statistics as text: totals, streaks, and a table with a chart.
struct StatisticsTable {
  private let glyphs: DisplayStyle.Glyphs
  private let columns: Int

  /// The limits of the width of the chart.
  private static let chart = 10...40
  /// The maximum width of a title.
  private static let titleColumns = 30

  /// - Parameter columns: the maximum width of a line.
  init(_ glyphs: DisplayStyle.Glyphs, columns: Int) {
    self.glyphs = glyphs
    self.columns = columns
  }

  /// - Parameters:
  ///   - first: the first day that is shown; the last one is today.
  func lines(
    _ statistics: Statistics, by grouping: StatisticsGrouping, from first: CivilDay?, today: CivilDay
  ) -> [String] {
    let table =
      switch grouping {
      case .day:
        rows(Statistics.rows(statistics.days, every: 1, from: first, to: today), "day") {
          "\($0) \($0.weekdayName)"
        }
      case .week:
        rows(Statistics.rows(statistics.weeks, every: 7, from: first?.monday, to: today.monday), "week") {
          "\($0.week), from \($0)"
        }
      case .sequence:
        charted(
          statistics.sequencesByTime.map { (TextSafety.sanitised($0.entry.title), $0.entry.tally) },
          "sequence")
      }
    return StatisticsTable.summary(statistics, today: today) + [""] + table
  }

  private static func summary(_ statistics: Statistics, today: CivilDay) -> [String] {
    let total = statistics.total
    let runs = count(total.runs, "run")
    let steps = "\(count(total.completed, "step")) completed, \(total.skipped) skipped"
    let streak = statistics.streak(today: today)
    let longest =
      streak.longestEnd.map { ", the longest \(count(streak.longest, "day")) (until \($0))" } ?? ""
    return [
      "\(runs), \(total.finished) finished; \(steps); \(ClockText.elapsed(total.active)) active",
      "streak: \(count(streak.current, "day"))\(longest)",
    ]
  }

  private static func count(_ number: Int, _ word: String) -> String {
    number == 1 ? "1 \(word)" : "\(number) \(word)s"
  }

  private func rows(
    _ rows: [(start: CivilDay, tally: Tally)?], _ title: String, _ name: (CivilDay) -> String
  ) -> [String] {
    charted(
      rows.map { row in row.map { (name($0.start), $0.tally) } ?? (String(glyphs.ellipsis), nil) }, title)
  }

  /// A table whose last column is a bar, in proportion to the longest active time.
  private func charted(_ rows: [(name: String, tally: Tally?)], _ title: String) -> [String] {
    var table = TextTable([
      .init(title: title, most: StatisticsTable.titleColumns), .init(title: "runs", alignment: .right),
      .init(title: "finished", alignment: .right), .init(title: "active", alignment: .right),
    ])
    for row in rows {
      let tally = row.tally
      table.add([
        row.name, tally.map { $0.runs == 0 ? "" : String($0.runs) } ?? "",
        tally.map { $0.runs == 0 ? "" : String($0.finished) } ?? "",
        tally.map { $0.runs == 0 ? "" : ClockText.elapsed($0.active) } ?? "",
      ])
    }
    let lines = table.lines(ellipsis: glyphs.ellipsis)
    let width = lines.map(TextWidth.columns).max() ?? 0
    let room = min(
      max(columns - width - 2, StatisticsTable.chart.lowerBound), StatisticsTable.chart.upperBound)
    let most = rows.compactMap(\.tally?.active.seconds).max() ?? 0
    let bars = rows.map { row in
      most > 0 ? glyphs.bar((row.tally?.active.seconds ?? 0) / most, columns: room).filled : ""
    }
    return zip(lines, [""] + bars).map { line, bar in
      guard !bar.isEmpty else { return line }
      return line + String(repeating: " ", count: width - TextWidth.columns(line) + 2) + bar
    }
  }
}
