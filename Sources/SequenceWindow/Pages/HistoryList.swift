import SequenceClient
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The runs of the history, in groups such as *Today* and *October*; it reads a page of them at a time.
final class HistoryList {
  private let client: Client
  private let box: Box
  private let more: Button
  private var shown: [Row] = []
  /// The group of the last run.
  private var group: (heading: String, list: ListBox)?
  private var today = CivilDay(number: 0)
  private var calendar = LocalDays()
  var onOpen: (EndedRunSummary) -> Void = { _ in }
  var onError: (any Error) -> Void = { _ in }

  private static let pageSize = 50
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
      let date = isNamed ? "" : "\(day.weekdayName) \(day.date.day), "
      let facts =
        [date + LocalDays.text(of: run.startedAt).suffix(5)]
        + (run.outcome == .lost ? [] : [StepText.completed(run)])
        + (run.outcome == .finished ? [] : [run.outcome.rawValue]) + run.labels
      let remark = run.remark.map { "\n“\(TextSafety.sanitised($0))”" } ?? ""
      self.facts = facts.joined(separator: " · ") + remark
    }
  }

  init(_ client: Client, _ box: Box, _ more: Button) {
    (self.client, self.box, self.more) = (client, box, more)
    more.onClicked { [unowned self] in
      do { try showMore() } catch { onError(error) }
    }
  }

  var isEmpty: Bool { shown.isEmpty }

  /// Shows the newest runs, as many as before if the user has asked for more; the same runs keep their rows.
  func refresh(_ today: CivilDay, _ calendar: LocalDays) throws {
    (self.today, self.calendar) = (today, calendar)
    let rows = try read(after: nil, most: max(HistoryList.pageSize, shown.count))
    guard rows != shown else { return }
    while let child = box.lastChild { box.remove(child) }
    (shown, group) = ([], nil)
    try append(rows)
  }

  private func showMore() throws {
    try append(try read(after: shown.last?.run, most: HistoryList.pageSize))
  }

  private func read(after last: EndedRunSummary?, most: Int) throws -> [Row] {
    // One more, to know whether there are more.
    let runs = try client.store.historySummaries(HistoryQuery(after: last, most: most + 1))
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
    box.append(try interface.object("group") as Box)
    group = (heading, list)
    return list
  }
}

enum RelativeDay {
  static let weekdays = [
    translated("Monday"), translated("Tuesday"), translated("Wednesday"), translated("Thursday"),
    translated("Friday"), translated("Saturday"), translated("Sunday"),
  ]
  private static let months = [
    translated("January"), translated("February"), translated("March"), translated("April"),
    translated("May"), translated("June"), translated("July"), translated("August"),
    translated("September"), translated("October"), translated("November"), translated("December"),
  ]

  /// Returns the name of the part of the past that a day belongs to, such as `Yesterday`, `Monday` or `October`.
  static func heading(of day: CivilDay, today: CivilDay) -> String {
    switch today.number - day.number {
    case 0: translated("Today")
    case 1: translated("Yesterday")
    case 2...6: weekdays[day.weekday]
    default: month(of: day, isThisYear: day.date.year == today.date.year)
    }
  }

  private static func month(of day: CivilDay, isThisYear: Bool) -> String {
    let name = months[day.date.month - 1]
    return isThisYear ? name : "\(name) \(day.date.year)"
  }

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
