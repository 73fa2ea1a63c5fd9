import CSequenceLinux
import Glibc
package import SequencePlatform
import SequencePresentation
import SequenceRunner

/// A division of time into days.
package protocol DayDivision {
  /// Returns the day of a moment and the first later moment of another day.
  func day(of moment: Moment) -> (day: CivilDay, end: Moment)
}

/// The days of the time zone that `TZ` or the system sets, according to the C library.
package struct LocalDays: DayDivision {
  /// Reads the time zone.
  package init() { tzset() }

  package func day(of moment: Moment) -> (day: CivilDay, end: Moment) {
    let second = LocalDays.seconds(of: moment)
    let day = LocalDays.day(ofSecond: second)
    return (day, Moment(seconds: LocalDays.end(of: day, from: second)))
  }

  /// Formats the date and time of a moment, such as `2026-11-21 09:00`.
  package static func text(of moment: Moment) -> String {
    guard let parts = unsafe time(ofSecond: seconds(of: moment)) else { return moment.description }
    let date = unsafe [
      padded(Int(parts.tm_year) + 1900, 4), padded(Int(parts.tm_mon) + 1, 2), padded(Int(parts.tm_mday), 2),
    ]
    let time = unsafe [padded(Int(parts.tm_hour), 2), padded(Int(parts.tm_min), 2)]
    return date[0] + "-" + date[1] + "-" + date[2] + " " + time[0] + ":" + time[1]
  }

  /// Returns the moment with a time of day; one beside it if the clocks skip that time.
  package static func moment(of day: CivilDay, hour: Int, minute: Int) -> Moment {
    Moment(seconds: second(of: day, hour: hour, minute: minute))
  }

  private static func second(of day: CivilDay, hour: Int, minute: Int) -> Int64 {
    let (year, month, number) = day.date
    var parts = unsafe tm()
    unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
      Int32(clamping: year - 1900), Int32(month - 1), Int32(number)
    )
    unsafe (parts.tm_hour, parts.tm_min, parts.tm_isdst) = (Int32(hour), Int32(minute), -1)
    return Int64(unsafe mktime(&parts))
  }

  /// Returns the moment when a day begins.
  package static func start(of day: CivilDay) -> Moment {
    let second = second(of: day, hour: 0, minute: 0)
    // If there is no midnight, the C library may answer with a time of the day before.
    return Moment(
      seconds: LocalDays.day(ofSecond: second) < day ? end(of: day + -1, from: second) : second)
  }

  /// Returns the first second of the next day.
  private static func end(of day: CivilDay, from second: Int64) -> Int64 {
    // `mktime` would check the time zone's file at each call.
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
}

extension Moment {
  /// A number of seconds after 1970, clamped to the range of moments.
  fileprivate init(seconds: Int64) {
    let (product, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000)
    self.init(microseconds: overflowed ? (seconds < 0 ? .min : .max) : product)
  }
}
