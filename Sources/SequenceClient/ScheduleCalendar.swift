package import SequenceConfiguration
package import SequenceFiles
package import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore

extension Client {
  package func schedules() throws -> [Schedule] {
    try store.repairing { () throws(StoreError) in try ScheduleTable(store.database).schedules() }
  }

  package func nextSchedule() throws -> Schedule? { try schedules().min { $0.due.wall < $1.due.wall } }

  /// Returns a schedule of a sequence that isn't stored yet, with its first start.
  ///
  /// - Parameters:
  ///   - days: the days that have the time; empty for the next one only.
  ///   - isUntil: whether the sequence begins so early that it ends at the time.
  package func schedule(
    _ source: SequenceSource, _ choices: ScheduleChoices, at time: TimeOfDay, on days: ScheduleDays,
    until isUntil: Bool
  ) throws -> Schedule {
    let definition = source.timeline.definition
    guard let path = source.path else {
      throw Problem("standard input cannot be read again", remedy: "write the sequence to a file")
    }
    let planned = isUntil ? try source.planned(in: store) : nil
    guard !isUntil || planned != nil else {
      throw Problem(
        "\(quoted(definition.title)) has endless rounds, so it cannot end at a time",
        remedy: "add --rounds with a number")
    }
    let reading = store.clock.now()
    var schedule = Schedule(
      path: absolutePath(path), sequence: definition.id, title: definition.title, time: time, days: days,
      lead: planned, choices: choices, due: reading, day: 0)
    guard schedule.wait(by: ScheduleCalendar(), at: reading) else {
      throw Problem("the clocks show no such time within a year", remedy: "choose another time")
    }
    return schedule
  }

  /// Has the agent start a sequence at a time of day; returns the schedule with its number.
  package func add(_ schedule: Schedule) throws -> Schedule {
    let number = try store.base.transaction { database throws(StoreError) -> Int64? in
      let table = ScheduleTable(database)
      guard try table.schedules().count < ScheduleTable.most else { return nil }
      return try table.add(schedule)
    }
    guard let number else {
      throw Problem(
        "there are \(ScheduleTable.most) schedules already",
        remedy: "remove one with sequence schedule remove NUMBER")
    }
    ensureAgent()
    var added = schedule
    added.number = number
    return added
  }

  /// Returns the schedule that was removed; `nil` if there is none of that number.
  package func removeSchedule(_ number: Int64) throws -> Schedule? {
    let removed = try store.base.transaction { database throws(StoreError) -> Schedule? in
      let table = ScheduleTable(database)
      guard let schedule = try table.schedules().first(where: { $0.number == number }) else { return nil }
      try table.remove(number)
      return schedule
    }
    ensureAgent()
    return removed
  }
}

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

/// The starts of schedules, in the time zone that `TZ` or the system sets, or in another one.
package struct ScheduleCalendar {
  private let offset: (Int64) -> Int64

  /// - Parameter offset: returns the local time minus UTC at a second since 1970; `nil` for the present time zone.
  package init(offset: ((Int64) -> Int64)? = nil) {
    // Reads the time zone again.
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
