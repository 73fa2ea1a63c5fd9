import CSequenceLinux
import FoundationEssentials
import Glibc
import SequencePlatform
import SequenceClient
import SequenceStore

/// The moment of a date on the command line.
enum DateArgument {
  static let since = Option<Moment>(
    "since", "DATE", "only runs that ended on or after DATE (2026-11-21)", parse: moment)

  /// Parses a local date, which means its beginning, or ISO 8601 with a time and a zone.
  static func moment(_ text: String) throws(UsageError) -> Moment {
    if let day = day(text) { return LocalCalendar.start(of: day) }
    for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
      // A text of neither form is rejected below.
      if let date = try? style.parse(text) { return Moment(date) }
    }
    throw UsageError(
      "\(quote(text)) is not a valid date", remedy: "write it like 2026-11-21 or 2026-11-21T09:00:00Z")
  }

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
