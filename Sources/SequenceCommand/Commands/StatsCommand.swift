import Glibc
import Platform
import SequenceClient
import SequenceRunner
import TerminalDisplay

/// `stats`: what the runs that are over add up to.
enum StatsCommand {
  static let command = Command(
    "stats", "say what the runs that are over add up to", options: [DateArgument.since, grouping, Flag.json],
    discussion: [
      "Active time counts on the days that it was on, by the local time: a run across midnight is a run of both days. "
        + "Weeks begin on Monday. The last 14 days and 12 weeks are shown, with --since all since then.",
      "A streak is days in a row with a run that was finished; it goes on if it reaches until today or yesterday.",
    ], perform: perform)

  private static let grouping = Option<StatisticsGrouping>(
    "by", "day|week|sequence", "what the rows are of; day is usual")

  /// How many days and weeks are told one by one unless the user names a date.
  private static let (usualDays, usualWeeks) = (14, 12)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let grouping = try arguments[grouping] ?? .day
    let calendar = LocalCalendar()
    let since = try arguments[DateArgument.since].map { calendar.day(of: $0).day }
    let client = try context.client(arguments)
    // A run that is over since the last command belongs to the history.
    _ = try client.settle()
    let from = since.map(LocalCalendar.start) ?? Moment(microseconds: .min)
    var statistics = Statistics(calendar, since: since)
    try statistics.add(from: client.store, since: from)
    let today = calendar.day(of: context.clock.now().wall).day
    if arguments.has(.json) {
      let document = StatisticsDocument(statistics, by: grouping, since: since, today: today)
      try context.print(JSONText.encode(document))
      return .done
    }
    guard statistics.total.runs > 0 else {
      try context.print("no run is over\(since.map { " since \($0)" } ?? "")")
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
