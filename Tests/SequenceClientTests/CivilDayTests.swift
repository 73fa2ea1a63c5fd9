import SequencePlatform
import Testing

@testable import SequenceClient

struct CivilDayTests {
  /// Tests the search against the C library, which finds most midnights itself.
  @Test func `the end of a day is also found by searching`() {
    for second in stride(from: Int64(0), to: 1_800_000_000, by: 9_999_991) {
      let (day, end) = LocalDays().day(of: Moment(microseconds: second * 1_000_000))
      #expect(LocalDays.searchedEnd(of: day, from: second) * 1_000_000 == end.microseconds)
    }
  }

  @Test(arguments: [
    (1970, 1, 1, 0, "1970-W01"), (2026, 11, 21, 20_778, "2026-W47"), (2000, 2, 29, 11_016, "2000-W09"),
    (2021, 1, 3, 18_630, "2020-W53"), (2024, 12, 30, 20_087, "2025-W01"), (1, 1, 1, -719_162, "0001-W01"),
    (1969, 12, 28, -4, "1969-W52"),
  ])
  func `a day has its number, its date and its week`(
    year: Int, month: Int, day: Int, number: Int, week: String
  ) {
    let civil = CivilDay(year: year, month: month, day: day)
    #expect(civil.number == number)
    #expect(civil.date == (year, month, day))
    #expect(civil.week == week)
  }

  @Test func `days count up without gaps over four centuries, and Mondays follow each other`() {
    var last = CivilDay(year: 1899, month: 12, day: 31)
    for number in last.number + 1...last.number + 146_097 {
      let day = CivilDay(number: number)
      let (year, month, date) = day.date
      if CivilDay(year: year, month: month, day: date) != day || !(last.date < day.date)
        || day.weekday != (last.weekday + 1) % 7
      {
        Issue.record("\(last) is followed by \(day)")
      }
      last = day
    }
    #expect(last.description == "2299-12-31")
  }
}
