import SequenceClient
import SequenceConfiguration
import SequencePlatform
import SequenceStore
import Testing

@testable import SequenceCommand

struct DateArgumentTests {
  @Test(arguments: [
    ("today", 0), ("yesterday", 1), ("0d", 0), ("7d", 7), ("007d", 7), ("36525d", 36_525),
  ])
  func `words and numbers of days count back from today`(text: String, days: Int) throws {
    let now = LocalDays().start(of: CivilDay(year: 2026, month: 11, day: 24)).advanced(by: .seconds(50_000))
    let argument = try DateArgument.parse(text)
    #expect(argument == .daysAgo(days))
    #expect(
      argument.moment(at: now, LocalDays())
        == LocalDays().start(of: CivilDay(year: 2026, month: 11, day: 24) + -days))
  }

  @Test(arguments: [
    ("tuesday", 24), ("Mon", 23), ("wednesday", 18), ("week", 23), ("this week", 23), ("month", 1),
  ])
  func `a day of the week is the last one, today at the latest`(text: String, day: Int) throws {
    let now = LocalDays().start(of: CivilDay(year: 2026, month: 11, day: 24)).advanced(by: .seconds(50_000))
    #expect(
      try DateArgument.parse(text).moment(at: now, LocalDays())
        == LocalDays().start(of: CivilDay(year: 2026, month: 11, day: day)))
  }

  @Test func `a date is the beginning of its local day`() throws {
    #expect(try DateArgument.parse("2026-11-21") == .day(CivilDay(year: 2026, month: 11, day: 21)))
  }

  @Test func `a day and a week begin when the configuration says`() throws {
    let configuration = try Configuration.parse(Array("dayStart: 3:00\nweekStart: sunday\n".utf8))
    let days = LocalDays(configuration)
    func moment(_ day: Int, _ hours: Int) -> Moment {
      LocalDays().start(of: CivilDay(year: 2026, month: 11, day: day)).advanced(by: .seconds(hours * 3600))
    }
    for (text, day) in [("today", 23), ("yesterday", 22), ("week", 22), ("monday", 23), ("2026-11-20", 20)] {
      // Two o'clock at night on Tuesday is still Monday.
      #expect(try DateArgument.parse(text).moment(at: moment(24, 2), days) == moment(day, 3), "\(text)")
    }
  }

  @Test(arguments: [
    "", "d", "-1d", "+1d", "1.5d", "7", "7 d", "36526d", "99999999999999999999d", "\u{661}d", "tomorrow",
    "mo",
  ])
  func `other texts are refused`(text: String) {
    #expect(throws: Failure.self) { try DateArgument.parse(text) }
  }
}
