import SequenceClient
import SequencePlatform
import SequencePresentation
import SequenceRunner

final class HistoryPage {
  let widget: Stack
  let list: HistoryList
  private let client: Client
  private let scroller: ScrolledWindow
  private let title: Label
  private let next: Button
  private let spans: [ToggleButton]
  private let totalRuns: Label
  private let totalRunsUnit: Label
  private let totalTime: Label
  private let streak: Label
  private let streakUnit: Label
  private let chart: DrawingArea
  private let bars: FlowBox
  private let grouping: DropDown
  private let legend: FlowBox
  private let severalLabels: Label
  private let listed: Box
  private let listedTitle: Label
  private let noRuns: Label
  private var statistics: PeriodStatistics?
  private var barWidgets: [(child: FlowBoxChild, area: DrawingArea)] = []
  /// A day of the period that is shown; `nil` for the current period.
  private var day: CivilDay?
  /// The days whose runs are listed; `nil` for all runs.
  private var listedDays: Range<CivilDay>?
  /// The colors that sequences have, by their ids.
  var colors: [String: SequenceColor] = [:]
  var onError: (any Error) -> Void = { _ in }

  init(_ client: Client) throws {
    self.client = client
    let interface = try Interface(PackageResources.history_ui)
    widget = try interface.object("history")
    scroller = try interface.object("history_scroller")
    title = try interface.object("period")
    next = try interface.object("next_period")
    spans = try ["week", "month", "year"].map { try interface.object("span_\($0)") }
    totalRuns = try interface.object("total_runs")
    totalRunsUnit = try interface.object("total_runs_unit")
    totalTime = try interface.object("total_time")
    streak = try interface.object("streak")
    streakUnit = try interface.object("streak_unit")
    chart = try interface.object("chart")
    bars = try interface.object("bars")
    grouping = try DropDown.make([translated("By Sequence"), translated("By Label")])
    grouping.setAccessibleName(translated("Bars"))
    legend = try interface.object("legend")
    severalLabels = try interface.object("several_labels")
    listed = try interface.object("listed")
    listedTitle = try interface.object("listed_title")
    noRuns = try interface.object("no_runs")
    list = HistoryList(client, try interface.object("runs"), try interface.object("more_runs"))
    grouping.alignToStart()
    try (interface.object("grouping_place") as Bin).setChild(grouping)
    Canvas.draw(chart) { [weak self] canvas in
      if let statistics = self?.statistics { PeriodChart.drawAxes(of: statistics, on: canvas) }
    }
    connect(try interface.object("previous_period"), try interface.object("all_runs"))
  }

  private func connect(_ previous: Button, _ all: Button) {
    previous.onClicked { [unowned self] in move(by: -1) }
    next.onClicked { [unowned self] in move(by: 1) }
    for button in spans {
      button.on("toggled") { [unowned self, unowned button] in if button.isOn { move(by: 0) } }
    }
    grouping.onSelected { [unowned self] in attempt { try showPeriod() } }
    all.onClicked { [unowned self] in show(runsOf: nil) }
    bars.onChild { [unowned self] index in show(runsOfBar: index) }
  }

  private var calendar: LocalDays { LocalDays(client.configuration()) }

  private func today(_ calendar: LocalDays) -> CivilDay {
    calendar.day(of: client.context.clock.now().wall).day
  }

  private var span: StatisticsGrouping {
    spans.firstIndex(where: \.isOn).map { PastPeriod.spans[$0] } ?? .week
  }

  func refresh() throws {
    let calendar = calendar
    let today = today(calendar)
    try list.refresh(today, calendar, listedDays)
    let isEmpty = try list.isEmpty && client.store.historySummaries(HistoryQuery(most: 1)).isEmpty
    widget.page = isEmpty ? "empty" : "runs"
    let current = try Streak.current(in: client.store, today: today, calendar)
    streak.text = String(current)
    streakUnit.text = plural("day in a row", "days in a row", count: current)
    try showPeriod()
  }

  /// Shows a later or earlier period, and lists its runs; all runs for the current period.
  private func move(by count: Int) {
    let calendar = calendar
    let today = today(calendar)
    let period = PastPeriod(span, of: day ?? today, after: count, calendar)
    let isCurrent = period.days.contains(today)
    day = isCurrent ? nil : period.days.lowerBound
    listedDays = isCurrent ? nil : period.days
    attempt { try refresh() }
  }

  private func show(runsOfBar index: Int) {
    guard let statistics, statistics.bars.indices.contains(index) else { return }
    show(runsOf: statistics.bars[index].days)
    LoopSource.afterLayout { [weak self] in
      if let self { scroller.scroll(to: list.widget) }
    }
  }

  private func show(runsOf days: Range<CivilDay>?) {
    listedDays = days
    attempt {
      let calendar = calendar
      try list.refresh(today(calendar), calendar, days)
      showListed()
    }
  }

  private func showPeriod() throws {
    let calendar = calendar
    let today = today(calendar)
    let period = PastPeriod(span, of: day ?? today, calendar)
    let statistics = try PeriodStatistics(
      period, by: grouping.selected == 0 ? .sequence : .label, from: client.store, calendar, colors: colors)
    self.statistics = statistics
    title.text = period.title(today: today, calendar)
    next.isSensitive = period.days.upperBound <= today
    totalRuns.text = String(statistics.total.runs)
    totalRunsUnit.text = plural("run", "runs", count: statistics.total.runs)
    totalTime.text = LengthText.total(statistics.total.active)
    severalLabels.isVisible = statistics.runsWithSeveralLabels > 0
    severalLabels.text = plural(
      "1 run has several labels, and counts for each of them",
      "{} runs have several labels, and count for each of them", count: statistics.runsWithSeveralLabels)
    try showBars(statistics, today)
    try showLegend(statistics)
    showListed()
  }

  private func showBars(_ statistics: PeriodStatistics, _ today: CivilDay) throws {
    chart.queueDraw()
    bars.setMargins(end: Int(PeriodChart.axis(textScale: chart.textScale)))
    // A bar that has the focus keeps it.
    if barWidgets.count != statistics.bars.count {
      bars.removeChildren()
      bars.setChildrenPerLine(statistics.bars.count)
      barWidgets = try statistics.bars.indices.map { index in
        let interface = try Interface(PackageResources.bar_ui)
        let bar: FlowBoxChild = try interface.object("bar")
        let area: DrawingArea = try interface.object("bar_area")
        Canvas.draw(area) { [weak self] canvas in
          guard let statistics = self?.statistics, statistics.bars.indices.contains(index) else { return }
          PeriodChart.drawBar(index, of: statistics, on: canvas)
        }
        let actions = try ActionGroup.make()
        try actions.add("open") { [unowned self] in show(runsOfBar: index) }
        bar.insert(actions, prefix: "bar")
        bars.append(bar)
        return (bar, area)
      }
    }
    for (index, bar) in barWidgets.enumerated() {
      let text = statistics.text(of: index, today: today)
      bar.child.setAccessibleName(text.split(separator: "\n").joined(separator: ", "))
      bar.child.setTooltip(text)
      bar.area.queueDraw()
    }
  }

  private func showLegend(_ statistics: PeriodStatistics) throws {
    legend.removeChildren()
    legend.isVisible = !statistics.series.isEmpty
    for series in statistics.series {
      let interface = try Interface(PackageResources.legend_ui)
      let dot: Label = try interface.object("legend_dot")
      if let color = series.color { dot.set(class: color.rawValue, true) }
      try (interface.object("legend_name") as Label).text = series.name
      try (interface.object("legend_time") as Label).text = LengthText.total(series.active)
      dot.hideFromScreenReaders()
      legend.append(try interface.object("legend_entry"))
    }
  }

  private func showListed() {
    for (index, bar) in barWidgets.enumerated() {
      let isListed = statistics?.bars[index].days == listedDays
      bar.child.set(class: "listed", isListed)
      bar.child.setAccessibleSelected(isListed)
    }
    listed.isVisible = listedDays != nil
    noRuns.isVisible = list.isEmpty
    guard let listedDays else { return }
    let calendar = calendar
    let today = today(calendar)
    let isPeriod = statistics?.period.days == listedDays
    let name =
      isPeriod
      ? statistics?.period.title(today: today, calendar) : RelativeDay.title(of: listedDays, today: today)
    listedTitle.text = translated("Runs: {}", name ?? "")
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { onError(error) }
  }
}
