import FoundationEssentials
import Notifier
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceClient

/// Local times, and the calendar of notifications, which has its own.
struct LocalDaysTests {
  /// Zones of all continents, with the odd ones: half hours, midnight, two hours, a skipped day, no rule, Ramadan.
  private static let zones = [
    "Africa/Cairo", "Africa/Casablanca", "Africa/Johannesburg", "Africa/Juba", "America/Asuncion",
    "America/Caracas", "America/Chicago", "America/Halifax", "America/Havana", "America/Los_Angeles",
    "America/New_York", "America/Nuuk", "America/Santiago", "America/Sao_Paulo", "America/St_Johns",
    "Antarctica/Casey", "Antarctica/Troll", "Asia/Amman", "Asia/Beirut", "Asia/Gaza", "Asia/Jerusalem",
    "Asia/Kolkata", "Asia/Pyongyang", "Asia/Tehran", "Asia/Tokyo", "Atlantic/Azores", "Australia/Adelaide",
    "Australia/Lord_Howe", "Australia/Sydney", "Europe/Berlin", "Europe/Chisinau", "Europe/Dublin",
    "Europe/Istanbul", "Europe/London", "Europe/Moscow", "Europe/Volgograd", "Pacific/Apia",
    "Pacific/Auckland", "Pacific/Chatham", "Pacific/Fiji",
  ]

  @Test func `40 zones are listed`() { #expect(Set(LocalDaysTests.zones).count == 40) }

  @Test(arguments: zones)
  func `a time is found as the calendar of notifications finds it, around all changes in ten years`(
    name: String
  )
    throws
  {
    let zone = try #require(TimeZone(identifier: name))
    func offset(_ second: Int64) -> Int64 {
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second))))
    }
    // Samoa changed its date in 2011, North Korea its offset in 2015 and 2018, Sao Paulo ended daylight saving in 2019.
    let (start, end) = (
      Date(timeIntervalSince1970: 1_420_070_400), Date(timeIntervalSince1970: 1_735_689_600)
    )
    var changes: [Date] = []
    var place = start
    while let next = zone.nextDaylightSavingTimeTransition(after: place), next < end {
      changes.append(next)
      place = next
    }
    for change in changes {
      let second = Int64(change.timeIntervalSince1970)
      // The times around the change, by the clocks before it and after it.
      for minutes in [-61, -60, -31, -30, -1, 0, 1, 29, 30, 31, 59, 60, 61, 90, 120, 180] {
        for old in Set([offset(second - 1), offset(second)]) {
          let local = second + old + Int64(minutes) * 60
          let (day, time) = (local.floorDivided(by: 86_400), local - local.floorDivided(by: 86_400) * 86_400)
          let exact = LocalDays.seconds(showing: local, offset)
          for found in exact { #expect(found + offset(found) == local) }
          #expect(exact == exact.sorted() && exact.count <= 2)
          let first = LocalDays.firstSecond(showing: local, offset)
          // A gap that ends on another day is no time of its day.
          let isOfDay = (first + offset(first)).floorDivided(by: 86_400) == day
          let midnight = LocalDays.firstSecond(showing: day * 86_400, offset)
          let trigger = NotificationTrigger.daily(Int(time / 3600), Int(time % 3600 / 60), in: zone)
          let next = trigger.next(after: Date(timeIntervalSince1970: TimeInterval(midnight - 1)))
          guard isOfDay else { continue }
          #expect(next.map { Int64($0.timeIntervalSince1970) } == first, "\(name) \(change) \(minutes) min")
        }
      }
    }
  }
}

extension Int64 {
  fileprivate func floorDivided(by divisor: Int64) -> Int64 { self / divisor - (self % divisor < 0 ? 1 : 0) }
}
