import SequenceClient
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The runs of the history, in groups such as *Today* and *October*; it reads a page of them at a time.
final class HistoryList {
  private let client: Client
  let widget: Box
  private let more: Button
  private var shown: [Row] = []
  /// Those that follow after the next frame.
  private var waiting: [Row] = []
  /// The group of the last run.
  private var group: (heading: String, list: ListBox)?
  private var query = HistoryQuery()
  private var today = CivilDay(number: 0)
  private var calendar = LocalDays()
  var onOpen: (EndedRunSummary) -> Void = { _ in }
  var onError: (any Error) -> Void = { _ in }

  private static let pageSize = 50
  /// The rows that a window may show at once; a page of them takes as long as everything else on it.
  private static let firstRows = 10
  /// The most lines that the facts of a run and its remark have each.
  private static let mostLines = 2

  struct Row: Equatable {
    let run: EndedRunSummary
    let heading: String
    let facts: String

    init(_ run: EndedRunSummary, today: CivilDay, _ calendar: any DayDivision) {
      self.run = run
      let day = calendar.day(of: run.startedAt).day
      heading = RelativeDay.heading(of: day, today: today)
      let isNamed = (0...6).contains(today.number - day.number)
      let time = String(LocalDays.text(of: run.startedAt).suffix(5))
      let facts =
        [isNamed ? time : RelativeDay.text(of: day, at: time)]
        + (run.outcome == .lost ? [] : [StepText.completed(run)])
        + (run.outcome == .finished ? [] : [StepText.name(run.outcome)]) + run.labels
      let remark = run.remark.map { "\n“\(TextSafety.sanitised($0))”" } ?? ""
      self.facts = facts.joined(separator: " · ") + remark
    }
  }

  init(_ client: Client, _ box: Box, _ more: Button) {
    (self.client, widget, self.more) = (client, box, more)
    more.onClicked { [unowned self] in
      do { try showMore() } catch { onError(error) }
    }
  }

  var isEmpty: Bool { shown.isEmpty }

  /// Shows the newest runs, as many as before if the user has asked for more; the same runs keep their rows.
  ///
  /// - Parameter days: the days in which the runs were active; `nil` for all runs.
  func refresh(_ today: CivilDay, _ calendar: LocalDays, _ days: Range<CivilDay>?) throws {
    (self.today, self.calendar) = (today, calendar)
    let query = days.map(calendar.query) ?? HistoryQuery()
    let most =
      query == self.query ? max(HistoryList.pageSize, shown.count + waiting.count) : HistoryList.pageSize
    self.query = query
    let rows = try read(after: nil, most: most)
    guard rows != shown + waiting else { return }
    while let child = widget.lastChild { widget.remove(child) }
    (shown, group) = ([], nil)
    waiting = Array(rows.dropFirst(HistoryList.firstRows))
    try append(Array(rows.prefix(HistoryList.firstRows)))
    guard !waiting.isEmpty else { return }
    LoopSource.afterLayout { [weak self] in
      guard let self else { return }
      do { try appendWaiting() } catch { onError(error) }
    }
  }

  private func appendWaiting() throws {
    let rows = waiting
    waiting = []
    try append(rows)
  }

  private func showMore() throws {
    try appendWaiting()
    try append(try read(after: shown.last?.run, most: HistoryList.pageSize))
  }

  private func read(after last: EndedRunSummary?, most: Int) throws -> [Row] {
    // One more, to know whether there are more.
    (query.last, query.most) = (last, most + 1)
    defer { (query.last, query.most) = (nil, nil) }
    let runs = try client.store.historySummaries(query)
    more.isVisible = runs.count > most
    return runs.prefix(most).map { Row($0, today: today, calendar) }
  }

  private func append(_ rows: [Row]) throws {
    for row in rows {
      let list = try list(for: row.heading)
      shown.append(row)
      let made = try ActionRow.make(TextSafety.sanitised(row.run.title), row.facts, isActivatable: true)
      made.setSubtitleLines(HistoryList.mostLines)
      made.addSuffix(try Label.make(LengthText.elapsed(row.run.active), classes: "numeric"))
      list.append(made)
    }
  }

  private func list(for heading: String) throws -> ListBox {
    if let group, group.heading == heading { return group.list }
    let interface = try Interface(PackageResources.history_group_ui)
    let list: ListBox = try interface.object("group_runs")
    try (interface.object("group_title") as Label).text = heading
    list.setAccessibleName(heading)
    let first = shown.count
    list.onRow { [unowned self] index in
      if shown.indices.contains(first + index) { onOpen(shown[first + index].run) }
    }
    widget.append(try interface.object("group") as Box)
    group = (heading, list)
    return list
  }
}

enum RelativeDay {
  static let weekdays = [
    translated("Monday"), translated("Tuesday"), translated("Wednesday"), translated("Thursday"),
    translated("Friday"), translated("Saturday"), translated("Sunday"),
  ]

  /// Returns the name of the part of the past that a day belongs to, such as `Yesterday`, `Monday` or `October`.
  static func heading(of day: CivilDay, today: CivilDay) -> String {
    switch today.number - day.number {
    case 0: translated("Today")
    case 1: translated("Yesterday")
    case 2...6: weekdays[day.weekday]
    default: month(of: day, today: today).capitalizedFirst
    }
  }

  /// Returns the month of a day, such as `October`, with the year unless that is the current one.
  static func month(of day: CivilDay, today: CivilDay) -> String {
    let year = day.date.year
    guard year != today.date.year else { return day.monthName }
    return translated("{month} {year}", ["month": day.monthName, "year": "\(year)"])
  }

  /// Returns the date of a day, such as `21 November`, with the year unless that is the current one.
  static func date(_ day: CivilDay, today: CivilDay) -> String {
    translated("{day} {month}", ["day": "\(day.date.day)", "month": month(of: day, today: today)])
  }

  /// Returns the name of a day or a month.
  static func title(of days: Range<CivilDay>, today: CivilDay) -> String {
    let first = days.lowerBound
    guard days.upperBound == first + 1 else { return month(of: first, today: today) }
    return translated(
      "{weekday}, {date}", ["weekday": weekdays[first.weekday], "date": date(first, today: today)])
  }

  /// Returns a time in a month that is known, such as `Tuesday 3, 09:05`.
  fileprivate static func text(of day: CivilDay, at time: String) -> String {
    translated(
      "{weekday} {day}, {time}",
      ["weekday": weekdays[day.weekday], "day": "\(day.date.day)", "time": time])
  }

  static func shortMonth(of day: CivilDay) -> String { LocalTime.months[day.date.month - 1] }

  static func text(_ moment: Moment, now: Moment, _ calendar: any DayDivision) -> String {
    let (day, today) = (calendar.day(of: moment).day, calendar.day(of: now).day)
    switch today.number - day.number {
    case 0: return translated("today")
    case 1: return translated("yesterday")
    case -1: return translated("tomorrow")
    case -6 ... -2, 2...6: return translated("on {}", day.weekdayName)
    default: return translated("on {}", date(of: day, today: today))
    }
  }

  private static func date(of day: CivilDay, today: CivilDay) -> String {
    LocalTime.date(day.date.year, day.date.month, day.date.day, inYear: today.date.year)
  }

  /// Returns a day of the past with the time, such as `Yesterday, 14:02` or `26 Oct, 14:02`.
  static func time(_ moment: Moment, now: Moment, _ calendar: any DayDivision) -> String {
    let (day, today) = (calendar.day(of: moment).day, calendar.day(of: now).day)
    let isNamed = (0...6).contains(today.number - day.number)
    return translated(
      "{day}, {time}",
      [
        "day": isNamed ? heading(of: day, today: today) : date(of: day, today: today),
        "time": LocalTime.clock(of: moment, now: moment),
      ])
  }
}
