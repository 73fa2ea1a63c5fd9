import CSequenceLinux
import FoundationEssentials
import Glibc
import Platform
import SequenceClient
import Store

/// A moment that a user names by a date.
enum DateArgument {
  static let since = Option<Moment>(
    "since", "DATE", "leave out what ended before, as in 2026-11-21", parse: moment)

  /// The moment of a text: the beginning of a local date, or ISO 8601 with a time and a zone.
  static func moment(_ text: String) throws(UsageError) -> Moment {
    if let day = day(text) { return LocalCalendar.start(of: day) }
    for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
      // A text that is of neither form is refused below.
      if let date = try? style.parse(text) { return Moment(date) }
    }
    throw UsageError("\(quote(text)) is no date", remedy: "write it like 2026-11-21 or 2026-11-21T09:00:00Z")
  }

  private static func day(_ text: String) -> CivilDay? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, text.count == 10, let year = Int(parts[0]), let month = Int(parts[1]),
      let number = Int(parts[2]), (1...12).contains(month)
    else { return nil }
    let day = CivilDay(year: year, month: month, day: number)
    // The 31st of April would be the 1st of May; nobody means that.
    return day.date == (year, month, number) ? day : nil
  }
}
