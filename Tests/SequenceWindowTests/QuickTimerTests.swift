import SequenceClient
import SequencePlatform
import Testing

@testable import SequenceWindow

/// The line below the field of the quick timer.
@Suite struct QuickTimerTests {
  /// Noon in local time on 23 November 2026.
  private static var noon: Moment {
    LocalDays.moments(of: CivilDay(year: 2026, month: 11, day: 23), hour: 12, minute: 0)[0]
  }

  @Test(arguments: [
    ("5m", "“Timer” for 5\u{A0}min, until 12:05"), ("Tea 5m", "“Tea” for 5\u{A0}min, until 12:05"),
    ("5 minutes Tea", "“Tea” for 5\u{A0}min, until 12:05"),
    ("  green  tea 1m30s ", "“green tea” for 1\u{A0}min 30\u{A0}s, until 12:01"),
    ("1:30", "“Timer” for 1\u{A0}min 30\u{A0}s, until 12:01"),
    ("1 min 30 s", "“Timer” for 1\u{A0}min 30\u{A0}s, until 12:01"),
    ("until 19:00", "“Timer” for 7\u{A0}h, until 19:00"),
    ("Dinner 7pm", "“Dinner” for 7\u{A0}h, until 19:00"),
    ("1d", "“Timer” for 1\u{A0}d, until 12:00 tomorrow"),
    ("25", "\"25\" has no unit; write 25s or 25m"), ("Tea 5", "\"5\" has no unit; write 5s or 5m"),
    ("Tea", "\"Tea\" has no duration; write it like 5m Tea, or Tea until 14:30"),
    ("5m\u{202E}Tea 5m", nil), ("  ", nil), ("", nil),
  ])
  func `the line says how a text is understood or what is missing`(text: String, line: String?) {
    let shown = QuickTimer.line(text, at: QuickTimerTests.noon)
    if text.contains("\u{202E}") {
      #expect(shown?.contains("\u{202E}") == false)
    } else {
      #expect(shown == line)
    }
  }

  @Test(arguments: [
    ("5", ["5m", "5s"], [300, 5]), ("Tea 5 ", ["Tea 5m", "Tea 5s"], [300, 5]),
    ("90", ["90m", "90s"], [5400, 90]),
  ])
  func `a number without a unit may be minutes or seconds`(text: String, texts: [String], lengths: [Int]) {
    let choices = QuickTimer.withUnits(text, at: QuickTimerTests.noon)
    #expect(choices.map(\.text) == texts)
    #expect(choices.map(\.length) == lengths.map { .seconds($0) })
  }

  @Test(arguments: ["", "Tea", "5m", "1:30", "Dinner until 19:00", "5 min 30", "0", "99999999"])
  func `other texts have no choice of a unit`(text: String) {
    #expect(QuickTimer.withUnits(text, at: QuickTimerTests.noon).isEmpty)
  }
}
