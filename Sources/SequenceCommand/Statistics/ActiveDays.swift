import Platform
import SequenceRunner

/// Attributes active time to the days that it was on.
///
/// The day of the last moment is kept: the steps of a run follow each other, and hardly any is on another day.
struct ActiveDays {
  private let division: any DayDivision
  private var known: (day: CivilDay, start: Moment, end: Moment)?

  init(_ division: any DayDivision) {
    self.division = division
  }

  /// The day of a moment.
  mutating func day(of moment: Moment) -> CivilDay { range(of: moment).day }

  /// The parts of a time that begins at a moment, each with its day, in order; their sum is that time.
  mutating func parts(of duration: Duration, from start: Moment) -> [(day: CivilDay, duration: Duration)] {
    var (parts, left, begin) = ([(day: CivilDay, duration: Duration)](), duration, start)
    while left > .zero {
      let (day, end) = range(of: begin)
      let today = end.duration(since: begin)
      // A day that does not go on is the end of what can be told: the rest is on it.
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

  /// The day of a moment, and its end.
  mutating func range(of moment: Moment) -> (day: CivilDay, end: Moment) {
    if let known, known.start <= moment, moment < known.end { return (known.day, known.end) }
    let (day, end) = division.day(of: moment)
    known = (day, moment, end)
    return (day, end)
  }
}
