import SequencePlatform
import Testing

@testable import SequenceFiles

struct TimeOfDayTests {
  @Test(arguments: [
    ("14:30", 14, 30), ("7:05", 7, 5), ("0:00", 0, 0), ("7pm", 19, 0), ("7 pm", 19, 0), ("7PM", 19, 0),
    ("7:30am", 7, 30), ("7:30 p.m.", 19, 30), ("12am", 0, 0), ("12pm", 12, 0), ("12:15am", 0, 15),
    ("noon", 12, 0), ("Midnight", 0, 0), ("7.30pm", 19, 30), ("7.30 p.m.", 19, 30),
    ("7:30 in the evening", 19, 30), ("7 in the Morning", 7, 0), ("12:15 in the afternoon", 12, 15),
  ])
  func `a time is read`(text: String, hour: Int, minute: Int) {
    #expect(TimeOfDay(text).map { [$0.hour, $0.minute] } == [hour, minute])
  }

  @Test(arguments: [
    "", "7", "24:00", "7:5", "7:60", "7:30:00", "13pm", "0am", "am", "pm", ":30pm", "7:pm", "1 2pm", "7  pm",
    "7.30", "7.5pm", "7:30.15pm", "19:30 in the evening", "٧pm", "19h", "tea", "-7pm", "7pm.",
  ])
  func `other texts are no time`(text: String) {
    #expect(TimeOfDay(text) == nil)
  }

  @Test(arguments: [
    ("7pm Dinner", 19, 0..<1), ("Dinner 7 pm", 19, 1..<3), ("noon", 12, 0..<1), ("Lunch noon", 12, 1..<2),
    ("Chapter 1 2pm", 14, 2..<3), ("until 19:00", 19, 0..<2), ("Dinner at 7 pm", 19, 1..<4),
    ("by noon Lunch", 12, 0..<2), ("@ 7pm", 19, 0..<2), ("Call till 9:30", 9, 1..<3),
    ("at 7pm sharp", 19, 0..<2), ("7:30 in the evening", 19, 0..<4),
    ("Dinner until 7:30 in the evening", 19, 1..<6), ("7.30pm Dinner", 19, 0..<1),
  ])
  func `a time is found at an end of words, with a preposition`(text: String, hour: Int, range: Range<Int>) {
    let found = TimeOfDay.find(in: text.split(separator: " "))
    #expect(found?.time.hour == hour && found?.range == range)
  }

  @Test(arguments: [
    "5m Call at 7pm", "noon prayer 10m", "19:00", "Tea", "sharp 7pm Tea", "5m Call at 19:00",
    "until 19:00 5m",
    "at home 5m", "until 7", "5m Walk in the evening", "7:30 Walk in the evening",
  ])
  func `a duration, another form or another place hides a time`(text: String) {
    #expect(TimeOfDay.find(in: text.split(separator: " ")) == nil)
  }

  @Test(arguments: [
    ("until 19:00", #""until 19:00" is a time of day, not a duration; write it like 2m or 1m30s"#),
    ("7pm Dinner", #""7pm" is a time of day, not a duration; write it like 2m or 1m30s"#),
    ("Dinner at 7 pm", #""at 7 pm" is a time of day, not a duration; write it like 2m or 1m30s"#),
    ("13pm", #""13pm" is not a time of day; write 1pm"#),
    ("Tea 0:30AM", #""0:30AM" is not a time of day; write 12:30am"#),
    ("Tea 14:30p.m.", #""14:30p.m." is not a time of day; write 2:30pm"#),
    ("25pm Tea", #""25pm" is not a time of day; write it like 7pm or 7:30am"#),
    ("1.500,5s", #""1.500,5s" is not a duration; write 1500.5s"#),
    ("Tea 1,500.5", #""1,500.5" is not a duration; write 1500.5s"#),
    ("Tea 1,500.5 s", #""1,500.5s" is not a duration; write 1500.5s"#),
    ("Tea 1.5.5 min", #""1.5.5 min" is not a duration; write it like 2m or 1m30s"#),
    ("5;30 min Tea", #""5;30 min" is not a duration; write it like 2m or 1m30s"#),
  ])
  func `a card has no time of day, and a wrong one is named`(spec: String, text: String) {
    let error = #expect(throws: Problem.self) { try CardSpec.sequence(cards: [spec]) }
    #expect(error?.description == text)
  }

  @Test(arguments: [
    "Noon prayer", "midnight", "Meet at home", "1st team", "Program", "10k am Rhein", "2nd day",
  ])
  func `words without a clock stay a title`(title: String) throws {
    #expect(try CardSpec.sequence(cards: [title]).card(at: 0).title == title)
  }
}
