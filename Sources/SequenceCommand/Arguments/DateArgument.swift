import CSequenceLinux
import FoundationEssentials
import Glibc
import SequenceClient
import SequencePlatform
import SequenceRunner
import SequenceStore

/// A date on the command line, of which `history` and `stats` show everything since its beginning.
enum DateArgument: Equatable {
  case moment(Moment)
  /// The beginning of a day.
  case day(CivilDay)
  /// The beginning of the day this many days before today.
  case daysAgo(Int)
  /// The beginning of the last day of the week with this number, from 0 for Monday, which may be today.
  case weekday(Int)
  /// The beginning of the week.
  case week
  /// The beginning of the month.
  case month

  static let since = Option<DateArgument>(
    "since", "DATE", "only runs since DATE (2026-11-21, today, monday, 7d)", parse: parse)

  /// Parses a local date, which means its beginning, a number of days, or ISO 8601 with a time and a zone.
  static func parse(_ text: String) throws(Failure) -> DateArgument {
    if let day = day(text) { return .day(day) }
    if let days = daysAgo(text) { return .daysAgo(days) }
    if let word = word(text.lowercased()) { return word }
    for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
      // A text of neither form is rejected below.
      if let date = try? style.parse(text) { return .moment(Moment(date)) }
    }
    throw Failure(
      usage: "\(quote(text)) is not a valid date",
      remedy: "write it like 2026-11-21, today, monday, 7d or 2026-11-21T09:00:00Z")
  }

  func moment(at now: Moment, _ days: LocalDays) -> Moment {
    let today = days.day(of: now).day
    return switch self {
    case .moment(let moment): moment
    case .day(let day): days.start(of: day)
    case .daysAgo(let count): days.start(of: today + -count)
    case .weekday(let weekday): days.start(of: today.last(weekday: weekday))
    case .week: days.start(of: days.week(of: today))
    case .month: days.start(of: today.month)
    }
  }

  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  private static func word(_ text: String) -> DateArgument? {
    switch text {
    case "week", "this week": .week
    case "month", "this month": .month
    default: weekdays.firstIndex { $0 == text || $0.prefix(3) == text }.map(DateArgument.weekday)
    }
  }

  private static func daysAgo(_ text: String) -> Int? {
    switch text {
    case "today": return 0
    case "yesterday": return 1
    default:
      guard text.hasSuffix("d"), text.utf8.dropLast().allSatisfy({ (48...57).contains($0) }) else {
        return nil
      }
      return Int(text.dropLast()).flatMap { $0 <= mostDays ? $0 : nil }
    }
  }

  /// A century.
  private static let mostDays = 36_525

  private static func day(_ text: String) -> CivilDay? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, text.count == 10, let year = Int(parts[0]), let month = Int(parts[1]),
      let number = Int(parts[2]), (1...12).contains(month)
    else { return nil }
    let day = CivilDay(year: year, month: month, day: number)
    // `CivilDay` would turn the 31st of April into the 1st of May.
    return day.date == (year, month, number) ? day : nil
  }
}
