import FoundationEssentials
import Glibc
import SequenceClient
import SequencePlatform
import SequencePresentation
import SequenceRunner

enum StatsCommand {
  static let command = Command(
    "stats", "show totals, streaks and a chart",
    options: [DateArgument.since, grouping, year, LabelOption.filter, csv, Flag.json],
    discussion: [
      """
      Active time counts on the day on which it passed, in local time, so a run across midnight counts on \
      both days. A day begins at dayStart and a week on weekStart, keys of config.yaml. The chart has the \
      last 14 days, 12 weeks or 12 months, or all years. With --since it has everything since then.
      """,
      """
      --by card compares the planned with the actual time of each card, as medians of the steps that you \
      completed in the last 20 runs of each sequence. The planned time is that of the file, without \
      extensions.
      """,
      "A streak is a number of days in a row with a finished run. The current streak reaches until today or yesterday.",
    ],
    examples: [
      .init("sequence stats --by week", "show the work of this week and of those before"),
      .init("sequence stats --by month", "show the months of the last year"),
      .init("sequence stats --by sequence --since week", "compare the sequences of this week"),
      .init("sequence stats --by label --since month", "compare the labels of this month"),
      .init("sequence stats --year 2026", "show a map of the days of a year"),
      .init("sequence stats --by card", "see which cards take longer than planned"),
      .init("sequence stats --csv", "print the days as comma-separated values"),
    ], perform: perform)

  private static let grouping = Option<StatisticsGrouping>(
    "by", "PERIOD", "day (default), week, month, year, sequence, label, card")

  private static let year = Option<CivilDay>(
    "year", "YEAR", "show a map of the days of a year (2026)"
  ) {
    text throws(Failure) in
    guard text.utf8.count == 4, let year = Int(text), year > 0 else {
      throw Failure(usage: "\(quote(text)) is not a year", remedy: "write it like 2026")
    }
    return CivilDay(year: year, month: 1, day: 1)
  }

  private static let csv = Flag("csv", "print comma-separated values")

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    if arguments.has(.json), arguments.has(csv) {
      throw Failure(usage: "--json and --csv cannot be combined", remedy: "remove one of them")
    }
    if arguments.has(year) {
      let others: [any OptionSpec] = [DateArgument.since, StatsCommand.grouping, Flag.json, csv]
      if let other = others.first(where: { arguments.has($0) }) {
        throw Failure(
          usage: "--year and --\(other.name) cannot be combined", remedy: "remove one of them")
      }
    }
    let grouping = try arguments[grouping] ?? .day
    let client = try context.client(arguments)
    let calendar = LocalDays(client.configuration())
    let now = context.clock.now().wall
    let since = try arguments[DateArgument.since].map { calendar.day(of: $0.moment(at: now, calendar)).day }
    // Settled first, so that a run that has just ended is in the history.
    _ = try client.settle()
    if let year = try arguments[year] {
      return try show(year, arguments, client, calendar, today: calendar.day(of: now).day, context)
    }
    let from = since.map(calendar.start) ?? Moment(microseconds: .min)
    var statistics = Statistics(calendar, since: since, by: grouping)
    let label = try arguments[LabelOption.filter]
    try statistics.add(from: client.store, since: from, label: label)
    let today = calendar.day(of: now).day
    if arguments.has(.json) {
      let document = StatisticsDocument(statistics, since: since, today: today)
      try context.print(JSONText.encode(document))
      return .done
    }
    if arguments.has(csv) {
      // `print` adds the last line feed.
      try context.print(CSVText.text(StatisticsCSV.records(statistics)))
      return .done
    }
    guard statistics.total.runs > 0 else {
      let none =
        switch (label, since) {
        case (nil, nil): translated("no past runs yet")
        case (let label?, nil): translated("no past runs with the label {}", label)
        case (nil, let since?): translated("no past runs since {}", since.description)
        case (let label?, let since?):
          translated(
            "no past runs with the label {label} since {day}", ["label": label, "day": since.description])
        }
      context.printError(none)
      return .done
    }
    let table = StatisticsTable(
      DisplayStyle.detect(environment: context.environment).glyphs, columns: context.columns)
    let first = since ?? usualPeriods(grouping).map { statistics.period(of: today, after: 1 - $0) }
    try context.print(table.lines(statistics, from: first, today: today).joined(separator: "\n"))
    return .done
  }

  private static func show(
    _ year: CivilDay, _ arguments: ParsedArguments, _ client: Client, _ calendar: LocalDays, today: CivilDay,
    _ context: CommandContext
  ) throws -> ExitStatus {
    var query = calendar.query(year..<CivilDay(year: year.date.year + 1, month: 1, day: 1))
    query.label = try arguments[LabelOption.filter]
    var statistics = Statistics(calendar, since: year, by: .year)
    try statistics.add(client.store.historySummaries(query), from: client.store)
    guard let total = statistics.periods[year] else {
      let name = String(year.date.year)
      context.printError(
        query.label.map {
          translated("no past runs with the label {label} in {year}", ["label": $0, "year": name])
        } ?? translated("no past runs in {}", name))
      return .done
    }
    let map = YearMap(yearOf: year, statistics.days, calendar)
    let table = YearTable(
      DisplayStyle.detect(environment: context.environment).glyphs, columns: context.columns)
    let lines = [StatisticsTable.totals(total), ""] + table.lines(map, today: today)
    try context.print(lines.joined(separator: "\n"))
    return .done
  }

  /// The number of periods that are shown; `nil` for all.
  private static func usualPeriods(_ grouping: StatisticsGrouping) -> Int? {
    switch grouping {
    case .day: 14
    case .week, .month: 12
    case .year, .sequence, .label, .card: nil
    }
  }
}

struct StatisticsTable {
  private let glyphs: DisplayStyle.Glyphs
  private let columns: Int

  private static let chart = 10...40
  private static let titleColumns = 30

  init(_ glyphs: DisplayStyle.Glyphs, columns: Int) {
    self.glyphs = glyphs
    self.columns = columns
  }

  /// - Parameter first: the first day that is shown; the last one is today.
  func lines(_ statistics: Statistics, from first: CivilDay?, today: CivilDay) -> [String] {
    let grouping = statistics.grouping
    let table =
      switch grouping {
      case .day, .week, .month, .year:
        rows(statistics.rows(from: first, to: today), heading(grouping)) { start in
          switch grouping {
          case .day: "\(start) \(start.weekdayName)"
          case .week:
            (statistics.name(of: start).map { "\($0), " } ?? "") + translated("from {}", start.description)
          default: statistics.name(of: start) ?? start.description
          }
        }
      case .sequence:
        charted(
          statistics.sequencesByTime.map { (TextSafety.sanitised($0.entry.title), $0.entry.tally) },
          heading(grouping))
      case .card: cards(statistics.cards.rows)
      case .label:
        charted(
          statistics.labelsByTime.map { ($0.label ?? translated("without a label"), $0.tally) },
          heading(grouping))
      }
    return StatisticsTable.summary(statistics, today: today) + [""] + table
  }

  static func totals(_ total: Tally) -> String {
    let runs = plural(
      "1 run, {finished} finished", "{} runs, {finished} finished", count: total.runs,
      ["finished": String(total.finished)])
    let steps = plural(
      "1 step completed, {skipped} skipped", "{} steps completed, {skipped} skipped", count: total.completed,
      ["skipped": String(total.skipped)])
    let active = translated("{} active", ClockText.elapsed(total.active))
    // In one line, all that would be wider than a terminal.
    let times =
      total.rest == .zero
      ? "; \(active)"
      : "\n\(active): "
        + translated(
          "{work} work, {rest} rest",
          ["work": ClockText.elapsed(total.work), "rest": ClockText.elapsed(total.rest)])
    return "\(runs); \(steps)\(times)"
  }

  private static func summary(_ statistics: Statistics, today: CivilDay) -> [String] {
    let streak = statistics.streak(today: today)
    let current = plural("streak: 1 day", "streak: {} days", count: streak.current)
    let longest = streak.longestEnd.map { end in
      ", "
        + plural(
          "the longest 1 day (until {end})", "the longest {} days (until {end})", count: streak.longest,
          ["end": end.description])
    }
    return [totals(statistics.total), current + (longest ?? "")] + severalLabels(statistics)
  }

  private static func severalLabels(_ statistics: Statistics) -> [String] {
    let runs = statistics.runsWithSeveralLabels
    guard runs > 0 else { return [] }
    return [
      plural(
        "1 run has several labels, and counts for each of them",
        "{} runs have several labels, and count for each of them", count: runs)
    ]
  }

  private func heading(_ grouping: StatisticsGrouping) -> String {
    switch grouping {
    case .day: translated("day")
    case .week: translated("week")
    case .month: translated("month")
    case .year: translated("year")
    case .sequence: translated("sequence")
    case .label: translated("label")
    case .card: translated("card")
    }
  }

  private func rows(
    _ rows: [(start: CivilDay, tally: Tally)?], _ title: String, _ name: (CivilDay) -> String
  ) -> [String] {
    charted(
      rows.map { row in row.map { (name($0.start), $0.tally) } ?? (String(glyphs.ellipsis), nil) }, title)
  }

  private func cards(_ rows: [CardTimes.Row]) -> [String] {
    var table = TextTable(
      [.init(title: heading(.card), most: StatisticsTable.titleColumns)]
        + [translated("steps"), translated("planned"), translated("actual"), translated("difference")]
        .map { .init(title: $0, alignment: .right) }
        + [.init(title: heading(.sequence), most: StatisticsTable.titleColumns)])
    for row in rows {
      table.add([
        TextSafety.sanitised(row.title), String(row.steps), ClockText.elapsed(row.planned),
        ClockText.elapsed(row.actual), HistoryTable.difference(row.difference),
        TextSafety.sanitised(row.sequence),
      ])
    }
    return rows.isEmpty
      ? [translated("no steps with a planned time")] : table.lines(ellipsis: glyphs.ellipsis)
  }

  /// A table whose last column is a bar, in proportion to the longest active time.
  private func charted(_ rows: [(name: String, tally: Tally?)], _ title: String) -> [String] {
    // Without rests, all active time is work.
    let parts =
      rows.contains { $0.tally.map { $0.rest > .zero } ?? false }
      ? [translated("work"), translated("rest")] : []
    let numbers = [translated("runs"), translated("finished")] + parts + [translated("active")]
    var table = TextTable(
      [.init(title: title, most: StatisticsTable.titleColumns)]
        + numbers.map { .init(title: $0, alignment: .right) })
    for row in rows {
      guard let tally = row.tally, tally.runs > 0 else {
        table.add([row.name] + numbers.map { _ in "" })
        continue
      }
      let times = parts.isEmpty ? [tally.active] : [tally.work, tally.rest, tally.active]
      table.add(
        [row.name, String(tally.runs), String(tally.finished)] + times.map { ClockText.elapsed($0) })
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

/// The statistics as CSV: a record for each period or sequence with runs.
enum StatisticsCSV {
  static func records(_ statistics: Statistics) -> [String] {
    guard statistics.grouping != .card else { return records(statistics.cards.rows) }
    let header: [String]
    let rows: [(names: [CSVText.Field], tally: Tally)]
    switch statistics.grouping {
    case .day:
      header = ["day"]
      rows = statistics.days.sorted { $0.key < $1.key }.map { ([.text($0.key.description)], $0.value) }
    case .week, .month, .year:
      header = [statistics.grouping.rawValue, "start"]
      rows = statistics.periods.sorted { $0.key < $1.key }.map { start, tally in
        ([statistics.name(of: start).map { .text($0) } ?? .none, .text(start.description)], tally)
      }
    case .sequence:
      header = ["sequence", "title", "last_started", "last_date"]
      rows = statistics.sequencesByTime.map { id, entry in
        (
          [
            .text(id), .foreign(entry.title), .text(entry.lastStart.description),
            .text(LocalDays.date(of: entry.lastStart)),
          ], entry.tally
        )
      }
    case .card: (header, rows) = ([], [])
    case .label:
      header = ["label"]
      rows = statistics.labelsByTime.map { ([$0.label.map { .text($0) } ?? .none], $0.tally) }
    }
    return ([(header + columns).map { .text($0) }] + rows.map { $0.names + fields($0.tally) })
      .map(CSVText.record)
  }

  private static func records(_ cards: [CardTimes.Row]) -> [String] {
    let header = ["card", "title", "sequence", "sequence_title", "steps", "planned", "actual", "difference"]
    let rows = cards.map { card -> [CSVText.Field] in
      [
        .text(card.cardID.uuidString), .foreign(card.title), .text(card.sequenceID), .foreign(card.sequence),
        .number(Double(card.steps)), .number(card.planned.seconds), .number(card.actual.seconds),
        .number(card.difference.seconds),
      ]
    }
    return ([header.map { .text($0) }] + rows).map(CSVText.record)
  }

  private static let columns = [
    "runs", "finished", "completed", "skipped", "active", "work", "rest", "minutes", "work_minutes",
    "rest_minutes",
  ]

  private static func fields(_ tally: Tally) -> [CSVText.Field] {
    [tally.runs, tally.finished, tally.completed, tally.skipped].map { .number(Double($0)) } + [
      .number(tally.active.seconds), .number(tally.work.seconds), .number(tally.rest.seconds),
      .minutes(tally.active), .minutes(tally.work), .minutes(tally.rest),
    ]
  }
}

struct StatisticsDocument: Encodable {
  let schema = JSONText.schema
  let since: String?
  let total: TallyDocument
  let streak: StreakDocument
  var days: [DayDocument]?
  var weeks: [PeriodDocument]?
  var months: [PeriodDocument]?
  var years: [PeriodDocument]?
  var sequences: [SequenceDocument]?
  var labels: [LabelDocument]?
  var runsWithSeveralLabels: Int?
  var cards: [CardTimesDocument]?

  struct TallyDocument: Encodable {
    let runs: Int
    let finished: Int
    let completed: Int
    let skipped: Int
    let active: Double
    let work: Double
    let rest: Double

    init(_ tally: Tally) {
      (runs, finished) = (tally.runs, tally.finished)
      (completed, skipped, active) = (tally.completed, tally.skipped, tally.active.seconds)
      (work, rest) = (tally.work.seconds, tally.rest.seconds)
    }
  }

  struct StreakDocument: Encodable {
    let current: Int
    let longest: Int
    let longestEnd: String?
  }

  struct DayDocument: Encodable {
    let day: String
    let total: TallyDocument
  }

  struct PeriodDocument: Encodable {
    /// In ISO 8601; `nil` if weeks don't begin on Monday.
    var week: String?
    var month: String?
    var year: String?
    let start: String
    let total: TallyDocument

    init(_ start: CivilDay, _ tally: Tally, _ statistics: Statistics) {
      let name = statistics.name(of: start)
      switch statistics.grouping {
      case .week: week = name
      case .month: month = name
      case .year: year = name
      case .day, .sequence, .label, .card: break
      }
      (self.start, total) = (start.description, TallyDocument(tally))
    }
  }

  struct SequenceDocument: Encodable {
    let sequence: SequenceIdentity
    let lastStartedAt: String
    let total: TallyDocument
  }

  struct LabelDocument: Encodable {
    /// `nil` for the runs without one.
    let label: String?
    let total: TallyDocument
  }

  struct CardTimesDocument: Encodable {
    let card: SequenceIdentity
    let sequence: SequenceIdentity
    let steps: Int
    let planned: Double
    let actual: Double
    let difference: Double

    init(_ row: CardTimes.Row) {
      card = .init(id: row.cardID.uuidString, title: row.title)
      sequence = .init(id: row.sequenceID, title: row.sequence)
      (steps, planned, actual) = (row.steps, row.planned.seconds, row.actual.seconds)
      difference = row.difference.seconds
    }
  }

  init(_ statistics: Statistics, since: CivilDay?, today: CivilDay) {
    self.since = since?.description
    total = TallyDocument(statistics.total)
    let streak = statistics.streak(today: today)
    self.streak = StreakDocument(
      current: streak.current, longest: streak.longest, longestEnd: streak.longestEnd?.description)
    let periods = statistics.periods.sorted { $0.key < $1.key }
      .map { PeriodDocument($0.key, $0.value, statistics) }
    switch statistics.grouping {
    case .day:
      days = statistics.days.sorted { $0.key < $1.key }
        .map { DayDocument(day: $0.key.description, total: TallyDocument($0.value)) }
    case .week: weeks = periods
    case .month: months = periods
    case .year: years = periods
    case .sequence:
      sequences = statistics.sequencesByTime.map {
        SequenceDocument(
          sequence: .init(id: $0.id, title: $0.entry.title),
          lastStartedAt: $0.entry.lastStart.description, total: TallyDocument($0.entry.tally))
      }
    case .card: cards = statistics.cards.rows.map(CardTimesDocument.init)
    case .label:
      labels = statistics.labelsByTime.map { LabelDocument(label: $0.label, total: TallyDocument($0.tally)) }
      runsWithSeveralLabels = statistics.runsWithSeveralLabels
    }
  }
}
