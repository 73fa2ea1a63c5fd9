import Foundation
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceClient

struct ScheduleCalendarTests {
  /// Counts the starts in steps of five minutes, by what the clocks show: `locals` has the local time of each.
  private func counted(
    _ time: TimeOfDay, on days: ScheduleDays, in locals: [Int64], from first: Int64
  ) -> [Int64] {
    var starts: [Int64] = []
    var decided: Set<Int64> = []
    for index in locals.indices.dropFirst() {
      // A gap shows as a jump over the time.
      let (before, local) = (locals[index - 1], locals[index])
      for day in [local / 86_400 - 1, local / 86_400] {
        let due = day * 86_400 + Int64(time.hour * 3600 + time.minute * 60)
        // The first of January 1970 was a Thursday.
        guard before < due, due <= local, !decided.contains(day),
          days.has(weekday: Int((day + 3) % 7))
        else { continue }
        decided.insert(day)
        starts.append(first + Int64(index - 1) * 300)
      }
    }
    return starts
  }

  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "Asia/Kolkata",
  ])
  func `the starts of two years are those that a count of the minutes finds`(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    let calendar = ScheduleCalendar { second in
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
    }
    // 2026-01-01 and 2028-01-01 in UTC.
    let (first, end): (Int64, Int64) = (1_767_225_600, 1_830_297_600)
    let locals = stride(from: first - 300, to: end, by: 300).map { second in
      second + Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
    }
    for (time, days) in [
      ("7:00", ScheduleDays.weekdays), ("2:30", .daily), ("2:10", .daily), ("0:00", .daily),
      ("0:30", .weekends),
      ("23:55", ScheduleDays(rawValue: 0b000_1010)), ("1:45", .daily),
    ] {
      let time = try #require(TimeOfDay(time))
      var found: [Int64] = []
      var last: (moment: Moment, day: CivilDay?) = (
        Moment(microseconds: first * 1_000_000 - 1), nil
      )
      while let next = calendar.next(time, on: days, after: last.moment, beyond: last.day),
        next.moment < Moment(microseconds: end * 1_000_000)
      {
        #expect(days.has(weekday: next.day.weekday))
        found.append(next.moment.microseconds / 1_000_000)
        last = (next.moment, next.day)
      }
      #expect(
        found == counted(time, on: days, in: locals, from: first),
        "\(time.text) \(days.text)")
    }
  }

  @Test func `a start before the time it is to end at keeps the date of that time`() throws {
    let calendar = ScheduleCalendar { _ in 0 }
    let midnight = Moment(microseconds: CivilDay(year: 2026, month: 11, day: 27).midnight)
    let time = try #require(TimeOfDay("0:30"))
    func next(after moment: Moment) -> ScheduleCalendar.Start? {
      calendar.next(time, on: .daily, lead: .seconds(3600), after: moment)
    }
    let start = try #require(next(after: midnight.advanced(by: .seconds(-7200))))
    #expect(start.day == CivilDay(year: 2026, month: 11, day: 27))
    #expect(start.moment == midnight.advanced(by: .seconds(-1800)))
    // Once that has passed, the next one is a day later.
    #expect(next(after: midnight)?.moment == midnight.advanced(by: .seconds(86_400 - 1800)))
  }

  @Test(arguments: [
    ("weekdays", "weekdays"), ("mon,thu", "Mon, Thu"), ("Sat sun", "weekends"), ("monday", "Mon"),
    ("weekdays,weekends", "daily"),
  ])
  func `days are words`(text: String, shown: String) {
    #expect(ScheduleDays(text)?.text == shown)
  }

  @Test(arguments: ["", "m", "foo", "mon-fri", ","]) func `other words are no days`(text: String) {
    #expect(ScheduleDays(text) == nil)
  }
}

extension CivilDay { fileprivate var midnight: Int64 { Int64(number) * 86_400_000_000 } }
