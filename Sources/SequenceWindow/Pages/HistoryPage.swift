import FoundationEssentials
import SequenceClient
import SequencePlatform
import SequencePresentation
import SequenceRunner

final class HistoryPage {
  let widget: Stack
  private let totalRuns: Label
  private let totalRunsUnit: Label
  private let totalTime: Label
  private let streak: Label
  private let streakUnit: Label
  private let chart: DrawingArea
  private let list: ListBox
  private let more: Label
  private var runs: [EndedRunSummary] = []
  private var days: [DayBar] = []
  var onOpen: (EndedRunSummary) -> Void = { _ in }

  private static let mostRuns = 100
  private static let chartDays = 14

  init() throws {
    let interface = try Interface(PackageResources.history_ui)
    widget = try interface.object("history")
    totalRuns = try interface.object("total_runs")
    totalRunsUnit = try interface.object("total_runs_unit")
    totalTime = try interface.object("total_time")
    streak = try interface.object("streak")
    streakUnit = try interface.object("streak_unit")
    chart = try interface.object("chart")
    list = try interface.object("runs")
    more = try interface.object("more_runs")
    list.onRow { [unowned self] index in
      if runs.indices.contains(index) { onOpen(runs[index]) }
    }
    Canvas.draw(chart) { [weak self] canvas in
      if let self { DayChart.draw(days, on: canvas) }
    }
  }

  func refresh(_ client: Client) throws {
    let calendar = LocalDays(client.configuration())
    let now = client.context.clock.now().wall
    let today = calendar.day(of: now).day
    var statistics = Statistics(calendar)
    try statistics.add(from: client.store, since: Moment(microseconds: .min))
    runs = try client.store.historySummaries()
    widget.page = runs.isEmpty ? "empty" : "runs"
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
    list.removeRows()
    for run in runs.prefix(HistoryPage.mostRuns) { list.append(try row(run, now, calendar)) }
    let earlier = runs.count - HistoryPage.mostRuns
    more.isVisible = earlier > 0
    more.text = "and \(earlier) earlier \(HistoryPage.noun("run", earlier))"
  }

  static func noun(_ noun: String, _ count: Int) -> String { count == 1 ? noun : noun + "s" }

  private func row(_ run: EndedRunSummary, _ now: Moment, _ calendar: LocalDays) throws -> ActionRow {
    let day = RelativeDay.text(run.startedAt, now: now, calendar)
    let time = LocalDays.text(of: run.startedAt).suffix(5)
    let facts = ["\(day), \(time)"] + (run.outcome == .lost ? [] : [StepText.completed(run)])
    let outcome = run.outcome == .finished ? [] : [run.outcome.rawValue]
    let row = try ActionRow.make(
      TextSafety.sanitised(run.title), (facts + outcome).joined(separator: " · "), isActivatable: true)
    row.addSuffix(try Label.make(LengthText.elapsed(run.active), classes: "numeric"))
    return row
  }
}

struct DayBar: Equatable {
  let day: CivilDay
  let active: Duration
}

/// The chart of days: a bar each, as high as its active time, over lines with their times.
enum DayChart {
  /// The times that lines may have, in minutes; a second line has twice the time.
  private static let steps = [1, 2, 5, 10, 15, 30, 60, 90, 120, 180, 240, 360, 540, 720]

  /// The time of the lower of the two lines.
  static func step(longest: Duration) -> Duration {
    let lengths = steps.lazy.map { Duration.seconds($0 * 60) }
    return lengths.first { $0 * 2 >= longest } ?? .seconds(43_200)
  }

  private static func numberInMonth(_ day: CivilDay) -> String {
    let digits = day.description.suffix(2)
    return String(digits.hasPrefix("0") ? digits.dropFirst() : digits)
  }

  static func draw(_ days: [DayBar], on canvas: Canvas) {
    guard let longest = days.map(\.active).max(), !days.isEmpty else { return }
    let size = 11 * canvas.textScale
    let (top, labels, axis) = (8 * canvas.textScale, 32 * canvas.textScale, 46 * canvas.textScale)
    let bottom = canvas.height - labels
    let room = bottom - top
    let step = step(longest: longest)
    for line in 0...2 {
      let y = bottom - room * Double(line) / 2
      canvas.use(.text(opacity: Shade.track))
      canvas.line(from: 0, to: canvas.width - axis, y: y, thickness: 1)
      canvas.use(.text(opacity: Shade.text))
      if line > 0 { canvas.text(LengthText.format(step * line), at: .end, y: y, height: size) }
    }
    let column = (canvas.width - axis) / Double(days.count)
    for (index, bar) in days.enumerated() {
      let x = Double(index) * column
      if bar.active > .zero {
        let height = max(2, min(1, bar.active / (step * 2)) * room)
        canvas.use(.named("accent_color"))
        canvas.bar(x: x + column * 0.2, y: bottom - height, width: column * 0.6, height: height)
      }
      canvas.use(.text(opacity: Shade.text))
      for (line, text) in [String(bar.day.weekdayName.prefix(2)), numberInMonth(bar.day)]
        .enumerated()
      {
        canvas.text(
          text, center: (x + column / 2, bottom + (10 + 14 * Double(line)) * canvas.textScale), height: size,
          maxWidth: column,
          isHeavy: false)
      }
    }
  }
}

enum RelativeDay {
  static func text(_ moment: Moment, now: Moment, _ calendar: any DayDivision) -> String {
    let (day, today) = (calendar.day(of: moment).day, calendar.day(of: now).day)
    switch today.number - day.number {
    case 0: return "today"
    case 1: return "yesterday"
    case -1: return "tomorrow"
    case -6 ... -2, 2...6: return "on " + day.weekdayName
    default: return "on " + day.description
    }
  }
}
