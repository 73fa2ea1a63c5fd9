import SequencePlatform
import SequenceClient

/// Days as people say them.
enum RelativeDay {
  /// The day of a moment: today, yesterday, or a date.
  static func text(_ moment: Moment, now: Moment, _ calendar: any DayDivision) -> String {
    let (day, today) = (calendar.day(of: moment).day, calendar.day(of: now).day)
    switch today.number - day.number {
    case 0: return "today"
    case 1: return "yesterday"
    case 2...6: return "on " + day.weekdayName
    default: return "on " + day.description
    }
  }
}
