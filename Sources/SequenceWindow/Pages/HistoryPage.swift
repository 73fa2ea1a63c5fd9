import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceRunner

/// The totals of the history, a chart of its last days, and its runs.
final class HistoryPage {
  let widget: Widget
  private let totalRuns: Widget
  private let totalRunsUnit: Widget
  private let totalTime: Widget
  private let streak: Widget
  private let streakUnit: Widget
  private let chart: Widget
  private let list: Widget
  private let more: Widget
  private var runs: [EndedRunSummary] = []
  private var days: [DayBar] = []
  /// Shows the page of a run.
  var onOpen: (EndedRunSummary) -> Void = { _ in }

  /// The most runs that are listed.
  private static let mostRuns = 100
  /// The days of the chart.
  private static let chartDays = 14

  init() throws {
    let interface = try Interface(PackageResources.history_ui)
    widget = try interface.widget("history")
    totalRuns = try interface.widget("total_runs")
    totalRunsUnit = try interface.widget("total_runs_unit")
    totalTime = try interface.widget("total_time")
    streak = try interface.widget("streak")
    streakUnit = try interface.widget("streak_unit")
    chart = try interface.widget("chart")
    list = try interface.widget("runs")
    more = try interface.widget("more_runs")
    list.onRow { [unowned self] index in
      if runs.indices.contains(index) { onOpen(runs[index]) }
    }
    Canvas.draw(chart) { [weak self] canvas in
      if let self { DayChart.draw(days, on: canvas) }
    }
  }

  /// Reads the history.
  func refresh(_ client: Client) throws {
    let calendar = LocalCalendar()
    let now = client.context.clock.now().wall
    let today = calendar.day(of: now).day
    var statistics = Statistics(calendar)
    try statistics.add(from: client.store, since: Moment(microseconds: .min))
    runs = try client.store.historySummaries()
    widget.set("visible-child-name", to: runs.isEmpty ? "empty" : "runs")
    totalRuns.set("label", to: String(statistics.total.runs))
    totalTime.set("label", to: LengthText.total(statistics.total.active))
    totalRunsUnit.set("label", to: HistoryPage.noun("run", statistics.total.runs))
    let current = statistics.streak(today: today).current
    streak.set("label", to: String(current))
    streakUnit.set("label", to: HistoryPage.noun("day", current) + " in a row")
    days = (0..<HistoryPage.chartDays).map { offset in
      let day = today + (offset - HistoryPage.chartDays + 1)
      return DayBar(day: day, active: statistics.days[day]?.active ?? .zero)
    }
    let sum = days.reduce(Duration.zero) { $0 + $1.active }
    chart.setAccessibleName(
      "Active time of the last \(HistoryPage.chartDays) days: \(LengthText.total(sum))")
    chart.queueDraw()
    list.removeRows()
    for run in runs.prefix(HistoryPage.mostRuns) { list.append(row: try row(run, now, calendar)) }
    let earlier = runs.count - HistoryPage.mostRuns
    more.isVisible = earlier > 0
    more.set("label", to: "and \(earlier) earlier \(HistoryPage.noun("run", earlier))")
  }

  /// A noun in the number that a count needs.
  static func noun(_ noun: String, _ count: Int) -> String { count == 1 ? noun : noun + "s" }

  private func row(_ run: EndedRunSummary, _ now: Moment, _ calendar: LocalCalendar) throws -> Widget {
    let day = RelativeDay.text(run.startedAt, now: now, calendar)
    let time = LocalCalendar.text(of: run.startedAt).suffix(5)
    let facts = ["\(day), \(time)", StepText.completed(run)]
    let outcome = run.outcome == .finished ? [] : [run.outcome.rawValue]
    let row = try Widget.row(
      TextSafety.sanitised(run.title), (facts + outcome).joined(separator: " · "), isActivatable: true)
    row.addSuffix(try Widget.label(LengthText.elapsed(run.active), classes: "numeric"))
    return row
  }
}
