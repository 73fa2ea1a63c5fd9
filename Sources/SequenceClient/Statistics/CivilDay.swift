import SequencePresentation

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

  package var monday: CivilDay { self + -weekday }

  /// The week in ISO 8601, such as `2026-W47`: it begins on Monday and belongs to the year of its Thursday.
  package var week: String {
    let thursday = monday + 3
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

  package var weekdayName: String { ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][weekday] }
}
