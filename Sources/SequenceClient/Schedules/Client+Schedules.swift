package import SequenceConfiguration
package import SequenceFiles
import SequencePlatform
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
