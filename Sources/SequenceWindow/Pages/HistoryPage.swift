import SequenceClient
import SequencePlatform
import SequencePresentation
import SequenceRunner

final class HistoryPage {
  let widget: Stack
  let list: HistoryList
  private let client: Client
  private let totalRuns: Label
  private let totalRunsUnit: Label
  private let totalTime: Label
  private let streak: Label
  private let streakUnit: Label
  private let chart: DrawingArea
  private var days: [DayBar] = []

  private static let chartDays = 14

  init(_ client: Client) throws {
    self.client = client
    let interface = try Interface(PackageResources.history_ui)
    widget = try interface.object("history")
    totalRuns = try interface.object("total_runs")
    totalRunsUnit = try interface.object("total_runs_unit")
    totalTime = try interface.object("total_time")
    streak = try interface.object("streak")
    streakUnit = try interface.object("streak_unit")
    chart = try interface.object("chart")
    list = HistoryList(client, try interface.object("runs"), try interface.object("more_runs"))
    Canvas.draw(chart) { [weak self] canvas in
      if let self { DayChart.draw(days, on: canvas) }
    }
  }

  func refresh() throws {
    let calendar = LocalDays(client.configuration())
    let now = client.context.clock.now().wall
    let today = calendar.day(of: now).day
    try list.refresh(today, calendar)
    widget.page = list.isEmpty ? "empty" : "runs"
    var statistics = Statistics(calendar)
    try statistics.add(from: client.store, since: Moment(microseconds: .min))
    totalRuns.text = String(statistics.total.runs)
    totalTime.text = LengthText.total(statistics.total.active)
    totalRunsUnit.text = HistoryPage.noun("run", statistics.total.runs)
    let current = statistics.streak(today: today).current
    streak.text = String(current)
    streakUnit.text = HistoryPage.noun("day", current) + " in a row"
    days = (0..<HistoryPage.chartDays).map { offset in
      let day = today + (offset - HistoryPage.chartDays + 1)
      return DayBar(day: day, active: statistics.days[day]?.active ?? .zero)
    }
    let sum = days.reduce(Duration.zero) { $0 + $1.active }
    chart.setAccessibleName(
      "Active time of the last \(HistoryPage.chartDays) days: \(LengthText.total(sum))")
    chart.queueDraw()
  }

  static func noun(_ noun: String, _ count: Int) -> String { count == 1 ? noun : noun + "s" }
}
