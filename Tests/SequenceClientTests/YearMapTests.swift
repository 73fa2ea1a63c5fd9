import SequencePlatform
import Testing

@testable import SequenceClient

struct YearMapTests {
  private struct Weeks: DayDivision {
    let firstWeekday: Int
    func day(of moment: Moment) -> (day: CivilDay, end: Moment) { (CivilDay(number: 0), moment) }
  }

  private func map(_ active: [CivilDay: Int] = [:], year: Int = 2026, firstWeekday: Int = 0)
    -> YearMap
  {
    let tallies = active.mapValues { seconds in
      var tally = Tally()
      tally.add(.seconds(seconds))
      return tally
    }
    return YearMap(
      yearOf: CivilDay(year: year, month: 5, day: 5), tallies, Weeks(firstWeekday: firstWeekday))
  }

  @Test(arguments: [(2026, 0), (2026, 5), (2026, 6), (2024, 0), (2028, 5), (2000, 5)])
  func `each day of a year is in one place`(year: Int, firstWeekday: Int) {
    let map = map(year: year, firstWeekday: firstWeekday)
    let days = map.weeks.indices.flatMap { week in (0..<7).compactMap { map.day($0, ofWeek: week) }
    }
    #expect(days == (map.days.lowerBound.number..<map.days.upperBound.number).map(CivilDay.init))
    #expect(
      map.weeks.allSatisfy { $0.weekday == firstWeekday } && (53...54).contains(map.weeks.count))
    #expect(map.weeks.indices.compactMap(map.month) == Array(1...12))
  }

  @Test func `a level is the part of the longest day of the year`() {
    let day = CivilDay(year: 2026, month: 1, day: 1)
    let map = map([day: 1, day + 1: 25, day + 2: 26, day + 3: 75, day + 4: 100, day + 365: 500])
    #expect((0...5).map { map.level(of: day + $0) } == [1, 1, 2, 3, 4, 0])
    #expect(map.longest == .seconds(100) && map.most(ofLevel: 1) == .seconds(25))
    #expect(map.lastActive == day + 4)
    #expect(self.map().level(of: day) == 0)
  }
}
