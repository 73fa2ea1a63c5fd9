package import SequenceConfiguration
package import SequencePlatform
import SequencePresentation

/// Whether a schedule's next start has come, seen at a reading.
package struct ScheduleTurn {
  private let schedule: Schedule
  private let reading: ClockReading
  /// Whether the time of the start has come; a time that a change of the clock or the zone jumps over has not.
  package let isDue: Bool
  /// Whether the sequence may begin: its time has just come, and the machine was awake.
  package let mayStart: Bool

  /// - Parameter hasSlept: whether the machine was suspended since the reading before.
  package init(_ schedule: Schedule, at reading: ClockReading, hasSlept: Bool) {
    self.schedule = schedule
    self.reading = reading
    let due = schedule.due
    guard due.bootID == reading.bootID else {
      (isDue, mayStart) = (due.wall <= reading.wall, false)
      return
    }
    // A clock that was set by a moment jumps over nothing.
    let late = reading.wall.duration(since: due.wall)
    let isJustPast = late >= .zero && late <= Lateness.notification
    // The two clocks are read one after the other.
    isDue = due.boot <= reading.boot + .milliseconds(1) || isJustPast
    mayStart = isDue && !hasSlept && (reading.boot - due.boot <= Lateness.notification)
  }

  /// Returns the last start that has passed, of which alone there may still be news.
  package func lastTime(by calendar: ScheduleCalendar) -> ScheduleCalendar.Start {
    var last = ScheduleCalendar.Start(day: CivilDay(number: schedule.day), moment: schedule.due.wall)
    guard !mayStart, !schedule.days.isEmpty else { return last }
    while let next = calendar.next(schedule, after: last.moment, beyond: last.day),
      next.moment <= reading.wall
    {
      last = next
    }
    return last
  }
}

extension Schedule {
  /// Returns its title and the time of the next start, such as `Morning routine at 07:00`.
  package func announcement(now: Moment) -> String {
    translated("{title} at {time}", ["title": title, "time": LocalTime.clock(of: due.wall, now: now)])
  }

  /// Lets it wait for its next start; returns `false` if there is none.
  package mutating func wait(by calendar: ScheduleCalendar, at reading: ClockReading) -> Bool {
    let decided = last.map { CivilDay(number: $0.day) }
    guard let start = calendar.next(self, after: reading.wall, beyond: decided) else { return false }
    due = reading.at(start.moment)
    day = start.day.number
    return true
  }

  /// Moves a start to the time at which a shorter sequence has to begin for the same end.
  package mutating func delay(to planned: Duration, at reading: ClockReading) {
    guard let deadline else { return }
    lead = planned
    due = reading.at(deadline.advanced(by: .zero - planned))
  }

  /// Whether it waits for the same moment as another one, but for the rounding of the clocks.
  package func isAsDue(_ other: Schedule) -> Bool {
    day == other.day && due.wall == other.due.wall && due.bootID == other.due.bootID && lead == other.lead
      && abs((due.boot - other.due.boot).nanoseconds) < 1_000_000
  }
}
