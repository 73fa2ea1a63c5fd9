import CSequenceLinux
import Glibc
package import SequenceConfiguration
package import SequenceFiles
package import SequencePlatform
import SequencePresentation
package import SequenceRunner

package protocol DayDivision {
  /// Returns the day of a moment and the first later moment of another day.
  func day(of moment: Moment) -> (day: CivilDay, end: Moment)
  /// The day of the week on which a week begins, from 0 for Monday.
  var firstWeekday: Int { get }
}

extension DayDivision {
  package var firstWeekday: Int { 0 }

  /// Returns the first day of the week of a day.
  package func week(of day: CivilDay) -> CivilDay { day.last(weekday: firstWeekday) }
}

/// The days of the time zone that `TZ` or the system sets, according to the C library.
package struct LocalDays: DayDivision {
  private let dayStart: TimeOfDay
  package let firstWeekday: Int

  /// - Parameter configuration: when a day and a week begin. A day has the date on which it begins.
  package init(_ configuration: Configuration = Configuration()) {
    tzset()
    dayStart = configuration.dayStart
    firstWeekday =
      switch configuration.weekStart {
      case .monday: 0
      case .saturday: 5
      case .sunday: 6
      }
  }

  package func day(of moment: Moment) -> (day: CivilDay, end: Moment) {
    let second = LocalDays.seconds(of: moment)
    let date = LocalDays.day(ofSecond: second)
    guard dayStart != .midnight else {
      return (date, LocalDays.moment(atSecond: LocalDays.end(of: date, from: second)))
    }
    let start = start(of: date)
    return moment < start ? (date + -1, start) : (date, self.start(of: date + 1))
  }

  /// The runs that were active in days.
  package func query(_ days: Range<CivilDay>) -> HistoryQuery {
    HistoryQuery(since: start(of: days.lowerBound), until: start(of: days.upperBound))
  }

  /// Returns the moment when a day begins; that of the next day if the day is skipped.
  package func start(of day: CivilDay) -> Moment {
    LocalDays.start(of: day, hour: dayStart.hour, minute: dayStart.minute)
  }

  /// Formats the date of a moment, such as `2026-11-21`.
  package static func date(of moment: Moment) -> String { String(text(of: moment).prefix(10)) }

  /// Formats the date and time of a moment, such as `2026-11-21 09:00`.
  package static func text(of moment: Moment) -> String {
    guard let parts = unsafe time(ofSecond: seconds(of: moment)) else { return moment.description }
    let date = unsafe [
      padded(Int(parts.tm_year) + 1900, 4), padded(Int(parts.tm_mon) + 1, 2), padded(Int(parts.tm_mday), 2),
    ]
    let time = unsafe [padded(Int(parts.tm_hour), 2), padded(Int(parts.tm_min), 2)]
    return date[0] + "-" + date[1] + "-" + date[2] + " " + time[0] + ":" + time[1]
  }

  /// Returns the moments at which the clocks show a time of a day, earliest first.
  ///
  /// A time comes twice if the clocks are set back over it. A time that they skip is replaced by the end of the gap, if
  /// that is on the same day. So there is none only for a day that is skipped, or its end.
  package static func moments(of day: CivilDay, hour: Int, minute: Int) -> [Moment] {
    tzset()
    let time = localSecond(of: day, hour, minute)
    let exact = seconds(showing: time, offset(at:))
    guard exact.isEmpty else { return exact.map { moment(atSecond: $0) } }
    let end = firstSecond(showing: time, offset(at:))
    return LocalDays.day(ofSecond: end) == day ? [moment(atSecond: end)] : []
  }

  /// Returns how long it takes until the clocks show a time of day again.
  package static func duration(until time: TimeOfDay, after now: Moment) -> Duration {
    var day = LocalDays().day(of: now).day
    while true {
      let moments = moments(of: day, hour: time.hour, minute: time.minute)
      if let next = moments.first(where: { $0 > now }) { return next.duration(since: now) }
      day = day + 1
    }
  }

  /// Returns the first moment at which the clocks show a time of a day, or at which they skip it.
  private static func start(of day: CivilDay, hour: Int, minute: Int) -> Moment {
    tzset()
    return moment(atSecond: firstSecond(showing: localSecond(of: day, hour, minute), offset(at:)))
  }

  private static func localSecond(of day: CivilDay, _ hour: Int, _ minute: Int) -> Int64 {
    Int64(day.number) * 86_400 + Int64(hour) * 3600 + Int64(minute) * 60
  }

  /// Returns the seconds since 1970 at which the clocks show a local time, earliest first.
  ///
  /// `mktime` finds one of two, and does not say which.
  ///
  /// - Parameters:
  ///   - time: the local time, as if it were UTC.
  ///   - offset: returns the local time minus UTC at a second since 1970.
  package static func seconds(showing time: Int64, _ offset: (Int64) -> Int64) -> [Int64] {
    // Local time is less than a day from UTC, and the clocks are set less often than every six hours.
    let offsets = Set(
      stride(from: time - longestOffset, through: time + longestOffset, by: 6 * 3600).map(offset))
    return offsets.map { time - $0 }.filter { offset($0) == time - $0 }.sorted()
  }

  /// Returns the first second since 1970 at which the clocks show a local time, or the end of the gap if they skip it.
  package static func firstSecond(showing time: Int64, _ offset: (Int64) -> Int64) -> Int64 {
    if let first = seconds(showing: time, offset).first { return first }
    var (before, after) = (time - longestOffset, time + longestOffset)
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if middle + offset(middle) < time { before = middle } else { after = middle }
    }
    return after
  }

  /// More than local time differs from UTC, in seconds.
  private static let longestOffset: Int64 = 30 * 3600

  /// The local time minus UTC at a second since 1970; zero for years beyond the C library's.
  package static func offset(at second: Int64) -> Int64 {
    guard let parts = unsafe time(ofSecond: second) else { return 0 }
    return unsafe Int64(parts.tm_gmtoff)
  }

  private static func end(of day: CivilDay, from second: Int64) -> Int64 {
    guard let parts = unsafe time(ofSecond: second) else { return searchedEnd(of: day, from: second) }
    let passed = unsafe Int64(parts.tm_hour) * 3600 + Int64(parts.tm_min) * 60 + Int64(parts.tm_sec)
    let midnight = second + 86_400 - passed
    let isMidnight =
      midnight > second && LocalDays.day(ofSecond: midnight) != day
      && LocalDays.day(ofSecond: midnight - 1) == day
    return isMidnight ? midnight : searchedEnd(of: day, from: second)
  }

  /// Finds the first second of the next day by bisection, for days on which clocks are set at midnight or that are
  /// skipped.
  package static func searchedEnd(of day: CivilDay, from second: Int64) -> Int64 {
    var (inside, outside) = (second, second + longestDay)
    guard LocalDays.day(ofSecond: outside) != day else { return outside }
    while outside - inside > 1 {
      let middle = inside + (outside - inside) / 2
      if LocalDays.day(ofSecond: middle) == day { inside = middle } else { outside = middle }
    }
    return outside
  }

  /// Longer than any day, in seconds.
  private static let longestDay: Int64 = 50 * 3600

  private static func day(ofSecond second: Int64) -> CivilDay {
    // It fails only for years beyond ±2^31, which no moment reaches. UTC applies then.
    guard let parts = unsafe time(ofSecond: second) else { return CivilDay(number: Int(second / 86_400)) }
    return unsafe civilDay(parts)
  }

  private static func civilDay(_ parts: tm) -> CivilDay {
    unsafe CivilDay(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
  }

  private static func time(ofSecond second: Int64) -> tm? {
    var (second, parts) = unsafe (time_t(second), tm())
    guard unsafe localtime_r(&second, &parts) != nil else { return nil }
    return unsafe parts
  }

  /// The whole seconds since 1970 at a moment, rounded down.
  private static func seconds(of moment: Moment) -> Int64 {
    let (seconds, rest) = moment.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return rest < 0 ? seconds - 1 : seconds
  }

  /// The moment of a second since 1970, clamped to the range of moments.
  private static func moment(atSecond second: Int64) -> Moment {
    let (product, overflowed) = second.multipliedReportingOverflow(by: 1_000_000)
    return Moment(microseconds: overflowed ? (second < 0 ? .min : .max) : product)
  }
}

package struct CivilDay: Hashable, Comparable, Sendable {
  /// The number of days since 1970-01-01, negative before.
  package let number: Int

  package init(number: Int) {
    self.number = number
  }

  /// The day of a date.
  ///
  /// A day past the end of the month is a day of the next month.
  ///
  /// The calculation lets years begin in March, so that the leap day is the last day of a year (Howard Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms").
  package init(year: Int, month: Int, day: Int) {
    let march = (month + 9) % 12
    let shifted = month <= 2 ? year - 1 : year
    let era = CivilDay.floored(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * march + 2) / 5 + day - 1
    number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The year, the month from 1 and the day from 1.
  package var date: (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = CivilDay.floored(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
  }

  /// The day of the week, from 0 for Monday.
  package var weekday: Int {
    // The first of January 1970 was a Thursday.
    let shifted = number + 3
    return shifted - CivilDay.floored(shifted, 7) * 7
  }

  /// Returns the last day that is a day of the week, from 0 for Monday; the day itself at the latest.
  package func last(weekday other: Int) -> CivilDay { self + -((weekday - other + 7) % 7) }

  /// The first day of the month.
  package var month: CivilDay { CivilDay(year: date.year, month: date.month, day: 1) }

  /// The week in ISO 8601, such as `2026-W47`: it begins on Monday and belongs to the year of its Thursday.
  package var week: String {
    let thursday = self + (3 - weekday)
    let year = thursday.date.year
    let number = (thursday.number - CivilDay(year: year, month: 1, day: 1).number) / 7 + 1
    return "\(padded(year, 4))-W\(padded(number, 2))"
  }

  package static func + (day: CivilDay, days: Int) -> CivilDay { CivilDay(number: day.number + days) }

  package static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }

  private static func floored(_ number: Int, _ divisor: Int) -> Int {
    number / divisor - (number % divisor < 0 ? 1 : 0)
  }
}

extension CivilDay: CustomStringConvertible {
  /// The date in ISO 8601, such as `2026-11-21`.
  package var description: String {
    let (year, month, day) = date
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  package var weekdayName: String { ScheduleDays.shortNames[weekday] }

  /// The name of its month in the language of the user.
  package var monthName: String { CivilDay.monthNames[date.month - 1] }

  private static let monthNames = [
    translated("January"), translated("February"), translated("March"), translated("April"),
    translated("May"), translated("June"), translated("July"), translated("August"),
    translated("September"), translated("October"), translated("November"), translated("December"),
  ]
}
