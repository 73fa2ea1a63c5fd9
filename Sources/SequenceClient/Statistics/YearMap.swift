/// The days of a year in columns of weeks, with levels of their active time.
package struct YearMap {
  package let days: Range<CivilDay>
  /// The first day of each week; the first one may be in the year before.
  package let weeks: [CivilDay]
  package let longest: Duration
  private let active: [CivilDay: Duration]

  /// The number of levels besides that of no active time.
  package static let levels = 4

  /// - Parameter day: a day of the year.
  package init(yearOf day: CivilDay, _ tallies: [CivilDay: Tally], _ division: any DayDivision) {
    let year = day.date.year
    let days = CivilDay(year: year, month: 1, day: 1)..<CivilDay(year: year + 1, month: 1, day: 1)
    self.days = days
    let first = division.week(of: days.lowerBound)
    weeks = stride(from: first.number, to: days.upperBound.number, by: 7).map(CivilDay.init)
    active = tallies.filter { days.contains($0.key) && $0.value.active > .zero }.mapValues(\.active)
    longest = active.values.max() ?? .zero
  }

  /// Returns a day of a week, by its place in the week; `nil` for one of another year.
  package func day(_ place: Int, ofWeek week: Int) -> CivilDay? {
    let day = weeks[week] + place
    return days.contains(day) ? day : nil
  }

  /// The last day with active time.
  package var lastActive: CivilDay? { active.keys.max() }

  package func active(on day: CivilDay) -> Duration { active[day] ?? .zero }

  /// Returns the level of a day in proportion to the longest one; 0 without active time.
  package func level(of day: CivilDay) -> Int {
    let active = active(on: day)
    return (0...YearMap.levels).first { active <= most(ofLevel: $0) } ?? YearMap.levels
  }

  package func most(ofLevel level: Int) -> Duration { longest * level / YearMap.levels }

  /// Returns the month, from 1, that begins in a week.
  package func month(beginningIn week: Int) -> Int? {
    (0..<7).lazy.compactMap { day($0, ofWeek: week) }.first { $0.date.day == 1 }?.date.month
  }
}
