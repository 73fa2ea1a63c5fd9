import SequenceClient
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// A week, month or year of the history.
struct PastPeriod: Equatable {
  /// One of `spans`.
  let span: StatisticsGrouping
  let days: Range<CivilDay>

  static let spans: [StatisticsGrouping] = [.week, .month, .year]

  /// - Parameter count: the number of periods after the period of the day.
  init(_ span: StatisticsGrouping, of day: CivilDay, after count: Int = 0, _ calendar: any DayDivision) {
    self.span = span
    let periods = Statistics(calendar, by: span)
    let start = periods.period(of: day, after: count)
    days = start..<periods.period(of: start, after: 1)
  }

  /// The days of a week or month, or the months of a year.
  var bars: [Range<CivilDay>] {
    guard span == .year else { return (days.lowerBound.number..<days.upperBound.number).map(PastPeriod.day) }
    let year = days.lowerBound.date.year
    return (1...12).map {
      CivilDay(year: year, month: $0, day: 1)..<CivilDay(year: year, month: $0 + 1, day: 1)
    }
  }

  private static func day(_ number: Int) -> Range<CivilDay> {
    CivilDay(number: number)..<CivilDay(number: number + 1)
  }

  /// Returns its name for a file, such as `2026-W47`, `2026-11` or `2026`.
  func fileName(_ calendar: any DayDivision) -> String {
    Statistics(calendar, by: span).name(of: days.lowerBound) ?? days.lowerBound.description
  }

  /// Returns its name, such as `This Week`, `9–15 November`, `October` or `2025`.
  func title(today: CivilDay, _ calendar: any DayDivision) -> String {
    switch span {
    case .week where days.contains(today): return translated("This Week")
    case .week where days.contains(today + -7): return translated("Last Week")
    case .week:
      let (first, last) = (days.lowerBound, days.upperBound + -1)
      let end = RelativeDay.date(last, today: today)
      return first.month == last.month
        ? translated("{day}–{date}", ["day": "\(first.date.day)", "date": end])
        : translated("{first} – {last}", ["first": RelativeDay.date(first, today: last), "last": end])
    case .month: return RelativeDay.month(of: days.lowerBound, today: today)
    default: return String(days.lowerBound.date.year)
    }
  }
}

/// The runs of a period, with the active time of each sequence or label in each bar.
struct PeriodStatistics {
  let period: PastPeriod
  /// Those with the most active time first, and the others together at the end.
  let series: [Series]
  /// The active times of each bar, by series.
  let bars: [(days: Range<CivilDay>, parts: [Duration])]
  let total: Tally
  /// The map of a year; `nil` for another period.
  let map: YearMap?
  let runsWithSeveralLabels: Int

  struct Series: Equatable {
    let name: String
    /// `nil` for the others, and for runs without a label.
    let color: SequenceColor?
    let active: Duration
  }

  private static let mostSeries = 6

  /// - Parameters:
  ///   - grouping: `sequence` or `label`.
  ///   - colors: the colors that sequences have, by their ids.
  init(
    _ period: PastPeriod, by grouping: StatisticsGrouping, from store: RunStore, _ calendar: LocalDays,
    colors: [String: SequenceColor]
  ) throws {
    self.period = period
    let runs = try store.historySummaries(calendar.query(period.days))
    let bars = period.bars
    var times: [String?: [Duration]] = [:]
    let none = Array(repeating: Duration.zero, count: bars.count)
    var whole = Statistics(calendar, since: period.days.lowerBound, by: period.span)
    try whole.add(runs, from: store) { run, parts in
      let keys = grouping == .sequence ? [run.sequenceID] : run.countedLabels
      for (day, tally) in parts where tally.active > .zero {
        guard let bar = bars.firstIndex(where: { $0.contains(day) }) else { continue }
        for key in keys { times[key, default: none][bar] += tally.active }
      }
    }
    total = whole.periods[period.days.lowerBound] ?? Tally()
    map = period.span == .year ? YearMap(yearOf: period.days.lowerBound, whole.days, calendar) : nil
    runsWithSeveralLabels = grouping == .label ? runs.count { $0.labels.count > 1 } : 0
    let found = times.map { key, parts in
      let title = key.map { whole.sequences[$0]?.title ?? $0 } ?? translated("No Label")
      return (
        key: key, name: TextSafety.sanitised(title), active: parts.reduce(.zero, +), parts: parts
      )
    }.sorted { ($1.active, $0.name) < ($0.active, $1.name) }
    let others = found.count > PeriodStatistics.mostSeries ? found[(PeriodStatistics.mostSeries - 1)...] : []
    let shown = found.dropLast(others.count)
    var used = Set(shown.compactMap { $0.key.flatMap { colors[$0] } })
    var series = shown.map { entry in
      let color = entry.key.map { colors[$0] ?? PeriodStatistics.color(of: $0, &used) }
      return Series(name: entry.name, color: color, active: entry.active)
    }
    var parts = shown.map(\.parts)
    if !others.isEmpty {
      let sums = bars.indices.map { bar in others.reduce(Duration.zero) { $0 + $1.parts[bar] } }
      series.append(Series(name: translated("Other"), color: nil, active: sums.reduce(.zero, +)))
      parts.append(sums)
    }
    self.series = series
    self.bars = bars.enumerated().map { index, days in (days, parts.map { $0[index] }) }
  }

  /// Returns a color for a sequence or label without one: the same in each period, unless another one has it there.
  private static func color(of key: String, _ used: inout Set<SequenceColor>) -> SequenceColor {
    let all = SequenceColor.allCases
    let first = Int(StableHash.fnv1a128(Array(key.utf8)) % UInt128(all.count))
    let free = (all[first...] + all[..<first]).first { !used.contains($0) }
    let color = free ?? all[first]
    used.insert(color)
    return color
  }

  func active(of bar: Int) -> Duration { bars[bar].parts.reduce(.zero, +) }

  var longest: Duration { bars.indices.map(active).max() ?? .zero }

  /// Returns the day or month of a bar with its active time, and a line for each series in it.
  func text(of bar: Int, today: CivilDay) -> String {
    let title = RelativeDay.title(of: bars[bar].days, today: today)
    let active = active(of: bar)
    guard active > .zero else { return translated("{}: no active time", title) }
    let parts = zip(series, bars[bar].parts).filter { $0.1 > .zero }
    let lines = parts.map { "\($0.name) \(LengthText.total($1))" }
    return (["\(title): \(LengthText.total(active))"] + lines).joined(separator: "\n")
  }
}
