import SequencePlatform
package import SequenceRunner

/// Splits active time where a day begins.
///
/// It keeps the day of the last moment, because most steps of a run are on the same day.
struct ActiveDays {
  let division: any DayDivision
  private var known: (day: CivilDay, start: Moment, end: Moment)?

  init(_ division: any DayDivision) {
    self.division = division
  }

  mutating func day(of moment: Moment) -> CivilDay { range(of: moment).day }

  /// Splits a time that begins at a moment by day, in order.
  ///
  /// The sum of the parts is that time.
  mutating func parts(of duration: Duration, from start: Moment) -> [(day: CivilDay, duration: Duration)] {
    var (parts, left, begin) = ([(day: CivilDay, duration: Duration)](), duration, start)
    while left > .zero {
      let (day, end) = range(of: begin)
      let today = end.duration(since: begin)
      // The calendar ends with a day that has no end: the rest belongs to it.
      guard today > .zero, left > today else {
        parts.append((day, left))
        break
      }
      parts.append((day, today))
      left -= today
      begin = end
    }
    return parts
  }

  mutating func range(of moment: Moment) -> (day: CivilDay, end: Moment) {
    if let known, known.start <= moment, moment < known.end { return (known.day, known.end) }
    let (day, end) = division.day(of: moment)
    known = (day, moment, end)
    return (day, end)
  }
}

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

package struct Streak: Equatable, Sendable {
  package let current: Int
  package let longest: Int
  /// The last day of the longest streak, of the latest one if several are equally long; `nil` if there is none.
  package let longestEnd: CivilDay?

  /// Returns the length of the current streak; reads one run of each day, and more only if that run doesn't count there.
  ///
  /// - Complexity: O(days of the streak · log(runs)), and O(runs) for a day without a finished run that started on it.
  package static func current(in store: RunStore, today: CivilDay, _ calendar: LocalDays) throws -> Int {
    var (length, last) = (0, today)
    while true {
      let days = (0..<daysAtOnce).map { last + -$0 }
      let starts = days.map(calendar.start(of:))
      let ends = [calendar.start(of: last + 1)] + starts
      let runs = try store.firstFinished(startedIn: zip(starts, ends).map { $0..<$1 })
      for (day, run) in zip(days, runs) {
        if try isActive(day, run, in: store, calendar) {
          length += 1
        } else if day < today {
          return length
        }
      }
      last = last + -daysAtOnce
    }
  }

  private static let daysAtOnce = 64

  /// Returns whether a finished run counts on a day.
  ///
  /// - Parameter run: the first one that started on it.
  private static func isActive(
    _ day: CivilDay, _ run: EndedRunSummary?, in store: RunStore, _ calendar: LocalDays
  ) throws -> Bool {
    var statistics = Statistics(calendar, since: day)
    func counts() -> Bool { (statistics.days[day]?.finished ?? 0) > 0 }
    if let run {
      try statistics.add([run], from: store)
      if counts() { return true }
    }
    // A run of the day before may reach into the day.
    try statistics.add(store.historySummaries(calendar.query(day..<day + 1)), from: store)
    return counts()
  }

  /// Finds the streaks of days in ascending order.
  ///
  /// A streak that ends yesterday is current, because today isn't over.
  package init(_ days: [CivilDay], today: CivilDay) {
    var (length, longest, longestEnd) = (0, 0, CivilDay?.none)
    var (current, last) = (0, CivilDay?.none)
    for day in days {
      length = last.map { $0 + 1 == day } ?? false ? length + 1 : 1
      if length >= longest { (longest, longestEnd) = (length, day) }
      if day == today || day + 1 == today { current = length }
      last = day
    }
    (self.current, self.longest, self.longestEnd) = (current, longest, longestEnd)
  }
}
