import Foundation
import NotifierLedger
import Notifier
import Testing

/// The times of triggers, without a store.
struct TriggerTests {
  /// Returns the first local times of a trigger after a local date, such as `2026-03-28 00:00`.
  private func times(
    _ components: DateComponents, _ zone: String, after start: String, _ count: Int
  ) throws -> [String] {
    let zone = try #require(TimeZone(identifier: zone))
    let style = Date.VerbatimFormatStyle(
      format:
        "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
      timeZone: zone, calendar: Calendar(identifier: .gregorian))
    var date = try Date(start, strategy: style.parseStrategy)
    let trigger = NotificationTrigger.matching(components, in: zone)
    var times: [String] = []
    while times.count < count, let next = trigger.next(after: date) {
      #expect(next > date)
      times.append(next.formatted(style))
      date = next
    }
    return times
  }

  @Test(arguments: [
    // The clocks are set from 2:00 to 3:00, and from 3:00 to 2:00.
    ("Europe/Berlin", 2, 30, "2026-03-28 12:00", ["2026-03-29 03:00", "2026-03-30 02:30"]),
    ("Europe/Berlin", 2, 30, "2026-10-24 12:00", ["2026-10-25 02:30", "2026-10-26 02:30"]),
    ("America/New_York", 2, 30, "2026-03-07 12:00", ["2026-03-08 03:00", "2026-03-09 02:30"]),
    ("America/New_York", 1, 30, "2026-10-31 12:00", ["2026-11-01 01:30", "2026-11-02 01:30"]),
    // By half an hour.
    ("Australia/Lord_Howe", 2, 15, "2026-10-03 12:00", ["2026-10-04 02:30", "2026-10-05 02:15"]),
    ("Australia/Lord_Howe", 1, 45, "2026-04-04 12:00", ["2026-04-05 01:45", "2026-04-06 01:45"]),
    // At midnight.
    ("Africa/Cairo", 0, 0, "2026-04-23 12:00", ["2026-04-24 01:00", "2026-04-25 00:00"]),
    // The 30th did not exist.
    ("Pacific/Apia", 8, 0, "2011-12-28 12:00", ["2011-12-29 08:00", "2011-12-31 08:00"]),
  ])
  func `a daily time comes once on each day`(
    zone: String, hour: Int, minute: Int, start: String, expected: [String]
  ) throws {
    let components = DateComponents(hour: hour, minute: minute)
    #expect(try times(components, zone, after: start, expected.count) == expected)
  }

  /// The first pass is over, and the second pass through the same local times has not come to the time yet.
  @Test(arguments: [
    ("Europe/Berlin", 2, 47, "2027-10-31T01:10:00Z", "2027-11-01 02:47"),
    ("America/New_York", 1, 47, "2027-11-07T06:10:00Z", "2027-11-08 01:47"),
    ("Australia/Lord_Howe", 1, 50, "2027-04-03T15:10:00Z", "2027-04-05 01:50"),
    // The hour that follows comes once.
    ("Europe/Berlin", 3, 0, "2027-10-31T01:10:00Z", "2027-10-31 03:00"),
    ("Australia/Lord_Howe", 2, 0, "2027-04-03T15:10:00Z", "2027-04-04 02:00"),
  ])
  func `a daily time that comes twice is the first, wherever the search begins`(
    zone: String, hour: Int, minute: Int, start: String, expected: String
  ) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let trigger = NotificationTrigger.daily(hour, minute, in: zone)
    let next = try #require(trigger.next(after: try Date(start, strategy: .iso8601)))
    var style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day().time(
      includingFractionalSeconds: false)
    style = style.dateTimeSeparator(.space)
    #expect(next.formatted(style).hasPrefix(expected))
  }

  @Test func `an hourly time comes in each hour of a day with 23 or 25 hours`() throws {
    let half = DateComponents(minute: 30)
    #expect(
      try times(half, "Europe/Berlin", after: "2026-03-29 00:45", 3)
        == ["2026-03-29 01:30", "2026-03-29 03:30", "2026-03-29 04:30"])
    #expect(
      try times(half, "Europe/Berlin", after: "2026-10-25 01:45", 3)
        == ["2026-10-25 02:30", "2026-10-25 02:30", "2026-10-25 03:30"])
  }

  @Test(arguments: [
    (
      DateComponents(month: 2, day: 29, hour: 8), "2026-01-01 00:00",
      ["2028-02-29 08:00", "2032-02-29 08:00"]
    ),
    (DateComponents(day: 31, hour: 8), "2026-01-31 12:00", ["2026-03-31 08:00", "2026-05-31 08:00"]),
    (DateComponents(month: 2, day: 30), "2026-01-01 00:00", []),
    (DateComponents(year: 2027, month: 5, day: 3), "2026-01-01 00:00", ["2027-05-03 00:00"]),
    (
      DateComponents(year: 2026, month: 3, day: 29, hour: 2, minute: 30), "2026-01-01 00:00",
      ["2026-03-29 03:00"]
    ),
    (DateComponents(hour: 8, weekday: 2), "2026-01-01 00:00", ["2026-01-05 08:00", "2026-01-12 08:00"]),
    (
      DateComponents(hour: 8, weekday: 2, weekdayOrdinal: 5), "2026-01-01 00:00",
      ["2026-03-30 08:00", "2026-06-29 08:00"]
    ),
    (DateComponents(weekday: 2), "2026-01-01 00:00", ["2026-01-05 00:00", "2026-01-12 00:00"]),
    (DateComponents(hour: 25), "2026-01-01 00:00", []),
  ])
  func `days that a month does not have are skipped`(
    components: DateComponents, start: String, expected: [String]
  ) throws {
    #expect(try times(components, "Europe/Berlin", after: start, 2) == expected)
  }

  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns",
  ])
  func `triggers agree with a clock that is read each minute`(zone: String) throws {
    let timeZone = try #require(TimeZone(identifier: zone))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    var changes: [Date] = []
    var place = try Date("2011-01-01T00:00:00Z", strategy: .iso8601)
    for _ in 0..<6 {
      place = try #require(timeZone.nextDaylightSavingTimeTransition(after: place))
      changes.append(place)
    }
    let patterns = [
      DateComponents(hour: 2, minute: 15), DateComponents(hour: 1, minute: 45),
      DateComponents(hour: 0, minute: 0),
      DateComponents(minute: 10), DateComponents(hour: 3, minute: 0),
      DateComponents(hour: 2, minute: 30, weekday: 1),
    ]
    for change in changes {
      let start = change.addingTimeInterval(-86_400)
      let clock = LocalMinutes(from: start, days: 3, calendar)
      for pattern in patterns {
        let trigger = NotificationTrigger.matching(pattern, in: timeZone)
        var (times, date) = ([Date](), start)
        while let next = trigger.next(after: date), next < clock.end {
          times.append(next)
          date = next
        }
        #expect(times == clock.times(of: pattern), "\(pattern) around \(change)")
      }
    }
  }

  @Test(arguments: [
    DateComponents(year: Int.max - 1, hour: 8), DateComponents(year: 10_000),
    DateComponents(year: Int.min, minute: 3),
    DateComponents(hour: 8, weekOfYear: 3),
    DateComponents(calendar: Calendar(identifier: .hebrew), month: 1, day: 1),
    DateComponents(calendar: Calendar(identifier: .buddhist), year: 2570),
  ])
  func `components that no date of the calendar has never match`(components: DateComponents) {
    #expect(NotificationTrigger.matching(components).next(after: Date(timeIntervalSince1970: 0)) == nil)
  }

  @Test func `the text of a trigger may have any year`() throws {
    let trigger = try #require(NotificationTrigger("matching year=\(Int.max - 1) hour=8"))
    #expect(trigger.next(after: Date(timeIntervalSince1970: 0)) == nil)
  }

  @Test(arguments: [Calendar.Identifier.gregorian, .iso8601])
  func `components may name the Gregorian calendar`(calendar: Calendar.Identifier) throws {
    let components = DateComponents(calendar: Calendar(identifier: calendar), month: 3, day: 4, hour: 5)
    let plain = DateComponents(month: 3, day: 4, hour: 5)
    #expect(
      try times(components, "Europe/Berlin", after: "2026-01-01 00:00", 2)
        == times(plain, "Europe/Berlin", after: "2026-01-01 00:00", 2))
  }

  @Test func `a trigger that does not repeat has one time`() throws {
    let date = Date(timeIntervalSince1970: 1_790_000_000)
    #expect(NotificationTrigger.immediately.next(after: date) == date)
    #expect(NotificationTrigger.after(.seconds(90)).next(after: date) == date + 90)
    #expect(NotificationTrigger.every(.seconds(90)).next(after: date) == date + 90)
    #expect(NotificationTrigger.at(date + 1).next(after: date) == date + 1)
    #expect(NotificationTrigger.at(date).next(after: date) == nil)
  }

  @Test(arguments: [
    (NotificationTrigger.immediately, "immediately"),
    (.after(.milliseconds(1500)), "after 1.5 s"),
    (.after(.seconds(-60)), "after -60 s"),
    (.every(.nanoseconds(3_600_000_000_001)), "every 3600.000000001 s"),
    (.at(Date(timeIntervalSince1970: 1_790_000_000.25)), "at @1790000000.25"),
    (.daily(8), "matching hour=8 minute=0"),
    (
      .matching(
        DateComponents(timeZone: TimeZone(identifier: "Europe/Berlin"), month: 2, day: 29, hour: 8)),
      "matching month=2 day=29 hour=8 zone=Europe/Berlin"
    ),
    (
      .matching(DateComponents(weekday: 2, weekdayOrdinal: 1), in: TimeZone(identifier: "Asia/Kathmandu")),
      "matching weekday=2 weekday-ordinal=1 zone=Asia/Kathmandu"
    ),
  ])
  func `a trigger is a text, and comes back from it`(trigger: NotificationTrigger, text: String) throws {
    #expect(trigger.description == text)
    #expect(NotificationTrigger(text) == trigger)
    let data = try JSONEncoder().encode([trigger])
    #expect(try JSONDecoder().decode([String].self, from: data) == [text])
    #expect(try JSONDecoder().decode([NotificationTrigger].self, from: data) == [trigger])
  }

  @Test(arguments: [
    "", "immediately ", "after", "after 1", "after s", "after 1.0000000001 s", "after 1e3 s",
    "after 99999999999999 s",
    "every 1 h", "at 5", "at @", "at @1.1234567", "matching", "matching hour", "matching hour=x",
    "matching minutes=3",
    "sometimes",
  ])
  func `other texts are no triggers`(text: String) throws {
    #expect(NotificationTrigger(text) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([NotificationTrigger].self, from: JSONEncoder().encode([text]))
    }
  }
}

/// The local time of a wall clock in each minute of a few days.
private struct LocalMinutes {
  private let minutes: [(date: Date, shown: DateComponents, wasShown: Bool, skipped: [DateComponents])]
  let end: Date

  init(from start: Date, days: Int, _ calendar: Calendar) {
    var minutes: [(Date, DateComponents, Bool, [DateComponents])] = []
    var utc = calendar
    utc.timeZone = .gmt
    // The last time that was shown, as if it was one of UTC.
    var last: Date?
    for number in 1...days * 1440 {
      let date = start.addingTimeInterval(Double(number) * 60)
      let parts: Set<Calendar.Component> = [.year, .month, .day, .weekday, .hour, .minute]
      let shown = calendar.dateComponents(parts, from: date)
      guard let face = utc.date(from: shown) else { continue }
      var skipped: [DateComponents] = []
      var place = last.map { $0 + 60 } ?? face
      while place < face {
        let minute = utc.dateComponents(parts, from: place)
        if minute.day == shown.day { skipped.append(minute) }
        place += 60
      }
      minutes.append((date, shown, last.map { face <= $0 } ?? false, skipped))
      last = max(last ?? face, face)
    }
    self.minutes = minutes
    end = start.addingTimeInterval(Double(days * 1440) * 60 + 1)
  }

  /// Returns when a pattern matches.
  func times(of pattern: DateComponents) -> [Date] {
    func matches(_ shown: DateComponents) -> Bool {
      [\DateComponents.weekday, \.hour, \.minute].allSatisfy {
        pattern[keyPath: $0] == nil || pattern[keyPath: $0] == shown[keyPath: $0]
      }
    }
    return minutes.filter { minute in
      pattern.hour == nil
        ? matches(minute.shown)
        : !minute.wasShown && matches(minute.shown) || minute.skipped.contains(where: matches)
    }.map(\.date)
  }
}
