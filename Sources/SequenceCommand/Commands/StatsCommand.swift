import Glibc
import Platform
import SequenceRunner
import TerminalDisplay

/// `stats`: what the runs that are over add up to.
enum StatsCommand {
  /// How many days and weeks are told one by one unless the user names a date.
  private static let (usualDays, usualWeeks) = (14, 12)

  static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let grouping =
      try arguments.value("by").map { text throws(UsageError) in try StatisticsGrouping(text) } ?? .day
    let calendar = LocalCalendar()
    let since = try arguments.value("since").map { text throws(UsageError) in
      calendar.day(of: try DateArgument.moment(text)).day
    }
    let store = try context.store(arguments)
    let from = since.map(LocalCalendar.start) ?? Moment(microseconds: .min)
    let statistics = try store.foldHistory(since: from, into: Statistics(calendar, since: since)) {
      $0.add($1)
    }
    let today = calendar.day(of: store.clock.now().wall).day
    if arguments.has("json") {
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
