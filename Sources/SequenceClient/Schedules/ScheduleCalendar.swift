package import SequenceConfiguration
package import SequenceFiles
package import SequencePlatform

/// The starts of schedules, in the time zone that `TZ` or the system sets, or in another one.
package struct ScheduleCalendar {
  private let offset: (Int64) -> Int64

  /// - Parameter offset: returns the local time minus UTC at a second since 1970; `nil` for the present time zone.
  package init(offset: ((Int64) -> Int64)? = nil) {
    // Reads the time zone anew.
    _ = LocalDays()
    self.offset = offset ?? LocalDays.offset(at:)
  }

  package struct Start: Equatable, Sendable {
    package let day: CivilDay
    package let moment: Moment
  }

  /// Returns the first start after a moment; `nil` if there is none within a year.
  ///
  /// - Parameter decided: the last date whose time counts no more.
  package func next(
    _ time: TimeOfDay, on days: ScheduleDays, lead: Duration = .zero, after moment: Moment,
    beyond decided: CivilDay? = nil
  ) -> Start? {
    let first = day(of: moment.advanced(by: lead)) + -1
    var day = max(first, decided.map { $0 + 1 } ?? first)
    for _ in 0...366 {
      if days.has(weekday: day.weekday), let at = self.moment(of: day, time) {
        let start = at.advanced(by: .zero - lead)
        if start > moment { return Start(day: day, moment: start) }
      }
      day = day + 1
    }
    return nil
  }

  package func next(
    _ schedule: Schedule, after moment: Moment, beyond decided: CivilDay? = nil
  ) -> Start? {
    next(
      schedule.time, on: schedule.days, lead: schedule.lead ?? .zero, after: moment, beyond: decided)
  }

  /// Returns the first moment of a date at which the clocks show a time, or the end of the gap over it; `nil` for a
  /// date that is skipped.
  private func moment(of day: CivilDay, _ time: TimeOfDay) -> Moment? {
    let midnight = Int64(day.number) * 86_400
    let local = midnight + Int64(time.hour) * 3600 + Int64(time.minute) * 60
    let second = LocalDays.firstSecond(showing: local, offset)
    guard self.day(ofSecond: LocalDays.firstSecond(showing: midnight, offset)) == day else { return nil }
    return Moment(microseconds: second * 1_000_000)
  }

  private func day(of moment: Moment) -> CivilDay {
    day(ofSecond: moment.microseconds / 1_000_000 - (moment.microseconds % 1_000_000 < 0 ? 1 : 0))
  }

  private func day(ofSecond second: Int64) -> CivilDay {
    let local = second + offset(second)
    return CivilDay(number: Int(local / 86_400 - (local % 86_400 < 0 ? 1 : 0)))
  }
}
