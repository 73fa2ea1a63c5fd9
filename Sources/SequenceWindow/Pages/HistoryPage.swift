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
  private let map: DayMap
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
  var onReport: (String) -> Void = { _ in }

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
    map = try DayMap(interface)
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
    let actions = try ActionGroup.make()
    try actions.add("export-period") { [unowned self] in export(statistics?.period) }
    try actions.add("export-all") { [unowned self] in export(nil) }
    widget.insert(actions, prefix: "history")
  }

  private func connect(_ previous: Button, _ all: Button) {
    previous.onClicked { [unowned self] in move(by: -1) }
    next.onClicked { [unowned self] in move(by: 1) }
    for button in spans {
      button.setEllipsis()
      button.on("toggled") { [unowned self, unowned button] in if button.isOn { move(by: 0) } }
    }
    grouping.onSelected { [unowned self] in attempt { try showPeriod() } }
    all.onClicked { [unowned self] in show(runsOf: nil) }
    bars.onChild { [unowned self] index in show(runsOfBar: index) }
    map.onDay = { [unowned self] day in showBelow(runsOf: day..<day + 1) }
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
    try showPeriod()
    // A streak of years takes as long as all the rest.
    LoopSource.afterLayout { [weak self] in self?.attempt { try self?.showStreak(today, calendar) } }
  }

  private func showStreak(_ today: CivilDay, _ calendar: LocalDays) throws {
    let current = try Streak.current(in: client.store, today: today, calendar)
    streak.text = String(current)
    streakUnit.text = plural("day in a row", "days in a row", count: current)
  }

  /// Shows a later or earlier period, and lists its runs; all runs for the current period.
  private func move(by count: Int) {
    let calendar = calendar
    let today = today(calendar)
    let period = PastPeriod(span, of: day ?? today, after: count, calendar)
    let isCurrent = period.days.contains(today)
    day = isCurrent ? nil : period.days.lowerBound
    listedDays = isCurrent ? nil : period.days
    attempt {
      try list.refresh(today, calendar, listedDays)
      try showPeriod()
    }
  }

  private func show(runsOfBar index: Int) {
    guard let statistics, statistics.bars.indices.contains(index) else { return }
    showBelow(runsOf: statistics.bars[index].days)
  }

  private func showBelow(runsOf days: Range<CivilDay>) {
    show(runsOf: days)
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
    map.show(statistics.map, today: today)
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
    map.show(listed: listedDays)
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

  // MARK: - Export

  /// Asks for a file for the runs of a period, or for all runs.
  private func export(_ period: PastPeriod?) {
    let calendar = calendar
    let query = period.map { calendar.query($0.days) } ?? HistoryQuery()
    let name = ["history", period?.fileName(calendar)].compactMap(\.self).joined(separator: "-")
    let kinds = HistoryForm.allCases.map { (name: HistoryPage.name(of: $0), end: $0.rawValue) }
    widget.window?.chooseNewFile(
      translated("Export Runs"), name: "\(name).\(kinds[0].end)", kinds: kinds,
      accept: translated("Export")
    ) { [weak self] chosen, kind in
      let (path, form) = HistoryForm.file(chosen, chosen: HistoryForm.allCases[kind])
      guard path != chosen, FileKind(of: path) != .nothing else {
        self?.write(query, to: path, form)
        return
      }
      // The file chooser has asked about another name.
      self?.widget.window?.ask(
        translated("Replace the File?"),
        translated("“{}” exists already.", TextSafety.sanitised(pathParts(path).last ?? path)),
        answer: translated("Replace")
      ) { [weak self] in self?.write(query, to: path, form) }
    }
  }

  private func write(_ query: HistoryQuery, to path: String, _ form: HistoryForm) {
    let store = client.store
    // A long history takes seconds with its steps.
    Background.run("export") {
      Result { try form.write(query, of: store, to: path) }
    } then: { [weak self] result in
      self?.attempt {
        try result.get()
        self?.onReport(
          translated("Exported to {}", TextSafety.sanitised(pathParts(path).last ?? path)))
      }
    }
  }

  private static func name(of form: HistoryForm) -> String {
    switch form {
    case .csv: translated("CSV, for spreadsheets")
    case .json: translated("JSON, with all steps")
    case .calendar: translated("iCalendar, for calendars")
    }
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { onError(error) }
  }
}
