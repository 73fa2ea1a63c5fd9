import SequencePlatform
import SequenceRunner

/// Splits active time at midnights.
///
/// It keeps the day of the last moment, because most steps of a run are on the same day.
struct ActiveDays {
  private let division: any DayDivision
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
