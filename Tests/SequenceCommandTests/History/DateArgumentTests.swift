import SequenceClient
import SequencePlatform
import SequenceStore
import Testing

@testable import SequenceCommand

struct DateArgumentTests {
  @Test(arguments: [
    ("today", 0), ("yesterday", 1), ("0d", 0), ("7d", 7), ("007d", 7), ("36525d", 36_525),
  ])
  func `words and numbers of days count back from today`(text: String, days: Int) throws {
    let now = LocalDays.start(of: CivilDay(year: 2026, month: 11, day: 24)).advanced(by: .seconds(50_000))
    let argument = try DateArgument.parse(text)
    #expect(argument == .daysAgo(days))
    #expect(
      argument.moment(at: now) == LocalDays.start(of: CivilDay(year: 2026, month: 11, day: 24) + -days))
  }

  @Test func `a date is the beginning of its local day`() throws {
    let start = LocalDays.start(of: CivilDay(year: 2026, month: 11, day: 21))
    #expect(try DateArgument.parse("2026-11-21") == .moment(start))
  }

  @Test(arguments: [
    "", "d", "-1d", "+1d", "1.5d", "7", "7 d", "36526d", "99999999999999999999d", "\u{661}d", "tomorrow",
  ])
  func `other texts are refused`(text: String) {
    #expect(throws: Failure.self) { try DateArgument.parse(text) }
  }
}

struct TimeOfDayTests {
  @Test(arguments: [
    ("14:30", 14, 30), ("7:05", 7, 5), ("0:00", 0, 0), ("7pm", 19, 0), ("7 pm", 19, 0), ("7PM", 19, 0),
    ("7:30am", 7, 30), ("7:30 p.m.", 19, 30), ("12am", 0, 0), ("12pm", 12, 0), ("12:15am", 0, 15),
    ("noon", 12, 0), ("Midnight", 0, 0),
  ])
  func `a time is read`(text: String, hour: Int, minute: Int) {
    #expect(TimeOfDay(text).map { [$0.hour, $0.minute] } == [hour, minute])
  }

  @Test(arguments: [
    "", "7", "24:00", "7:5", "7:60", "7:30:00", "13pm", "0am", "am", "pm", ":30pm", "7:pm", "1 2pm", "7  pm",
    "7.30pm", "٧pm", "19h", "tea", "-7pm", "7pm.",
  ])
  func `other texts are no time`(text: String) {
    #expect(TimeOfDay(text) == nil)
  }

  @Test(arguments: [
    ("7pm Dinner", 19, 0..<1), ("Dinner 7 pm", 19, 1..<3), ("noon", 12, 0..<1), ("Lunch noon", 12, 1..<2),
    ("Chapter 1 2pm", 14, 2..<3),
  ])
  func `a time is found at an end of words`(text: String, hour: Int, range: Range<Int>) {
    let found = TimeOfDay.find(in: text.split(separator: " ").map(String.init))
    #expect(found?.time.hour == hour && found?.range == range)
  }

  @Test(arguments: ["5m Call at 7pm", "noon prayer 10m", "19:00", "Tea", "at 7pm sharp"])
  func `a duration, another form or another place hides a time`(text: String) {
    #expect(TimeOfDay.find(in: text.split(separator: " ").map(String.init)) == nil)
  }

  @Test(arguments: [
    ("until 19:00", 0..<2), ("Dinner at 7 pm", 1..<4), ("by noon Lunch", 0..<2), ("@ 7pm", 0..<2),
    ("5m Call at 19:00", nil), ("until 19:00 5m", nil), ("at home 5m", nil), ("19:00", nil), ("until 7", nil),
  ])
  func `a preposition and a time are found`(text: String, range: Range<Int>?) {
    #expect(TimeOfDay.phrase(in: text.split(separator: " ").map(String.init)) == range)
  }
}
