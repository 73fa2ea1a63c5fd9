import Glibc
import SequencePlatform
import SequenceClient
import SequenceRunner

/// `stats`: totals of past runs.
enum StatsCommand {
  static let command = Command(
    "stats", "show totals, streaks and a chart", options: [DateArgument.since, grouping, Flag.json],
    discussion: [
      "Active time counts on the day on which it passed, in local time, so a run across midnight counts on both days. Weeks "
        + "begin on Monday. The chart has the last 14 days or 12 weeks, or with --since all days since then.",
      "A streak is a number of days in a row with a finished run. The current streak reaches until today or yesterday.",
    ],
    examples: [
      .init("sequence stats --by week", "show the last 12 weeks"),
      .init("sequence stats --by sequence --since 2026-01-01", "compare sequences since a date"),
    ], perform: perform)

  private static let grouping = Option<StatisticsGrouping>(
    "by", "day|week|sequence", "group rows by day, week or sequence (default: day)")

  /// How many days and weeks are shown without `--since`.
  private static let (usualDays, usualWeeks) = (14, 12)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let grouping = try arguments[grouping] ?? .day
    let calendar = LocalDays()
    let now = context.clock.now().wall
    let since = try arguments[DateArgument.since].map { calendar.day(of: $0.moment(at: now)).day }
    let client = try context.client(arguments)
    // Settled first, so that a run that has just ended is in the history.
    _ = try client.settle()
    let from = since.map(LocalDays.start) ?? Moment(microseconds: .min)
    var statistics = Statistics(calendar, since: since)
    try statistics.add(from: client.store, since: from)
    let today = calendar.day(of: now).day
    if arguments.has(.json) {
      let document = StatisticsDocument(statistics, by: grouping, since: since, today: today)
      try context.print(JSONText.encode(document))
      return .done
    }
    guard statistics.total.runs > 0 else {
      context.printError("no past runs\(since.map { " since \($0)" } ?? " yet")")
      return .done
    }
    let columns = (context.hasTerminal ? TerminalSize(of: STDOUT_FILENO) : nil) ?? .fallback
    let table = StatisticsTable(
      DisplayStyle.detect(environment: context.environment).glyphs, columns: columns.columns)
    let first = since ?? first(grouping, today)
    try context.print(
      table.lines(statistics, by: grouping, from: first, today: today).joined(separator: "\n"))
    return .done
  }

  private static func first(_ grouping: StatisticsGrouping, _ today: CivilDay) -> CivilDay? {
    switch grouping {
    case .day: today + (1 - usualDays)
    case .week: today.monday + 7 * (1 - usualWeeks)
    case .sequence: nil
    }
  }
}
