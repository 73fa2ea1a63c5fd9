import SequenceRunner
import Testing

struct DurationTextTests {
  @Test(arguments: [
    ("20s", 20_000), ("1m30s", 90_000), ("1h", 3_600_000), ("90", 90_000), ("1:30", 90_000),
    ("1:00:05", 3_605_000), ("PT1M30S", 90_000), ("PT0.5S", 500), ("P2D", 172_800_000), ("0.1s", 100),
    ("1.5m", 90_000), ("2d", 172_800_000), ("30d", 2_592_000_000), ("1h0m5s", 3_605_000), ("0:07.25", 7250),
    ("1.5", 1500), ("5 min", 300_000), ("5 min.", 300_000), ("5 Minutes", 300_000),
    ("1 hour 30 minutes", 5_400_000),
    ("1h 30m", 5_400_000), ("1 hr. 30 min. 5 secs", 5_405_000), ("90 s", 90_000), ("1.5 hrs", 5_400_000),
    ("2 days", 172_800_000), ("1\u{A0}min 30\u{A0}s", 90_000), ("1day", 86_400_000),
  ])
  func `a duration is parsed`(text: String, milliseconds: Int) throws {
    #expect(try DurationText.parse(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    ("2x", DurationTextError.notADuration), ("", .notADuration), ("s", .notADuration),
    ("1m1m", .notADuration),
    ("1s1m", .notADuration), ("1.5m30s", .notADuration), ("1:60", .notADuration), ("1:5", .notADuration),
    ("1 x", .notADuration), ("5M", .notADuration), ("5 H", .notADuration), ("5 mi", .notADuration),
    ("2 h 8 h", .notADuration), ("30m 1h", .notADuration), ("5 minutes..", .notADuration),
    ("5 5", .notADuration),
    ("1:30 h", .notADuration), ("1.5h 30m", .notADuration), ("1h30", .noUnit), ("1 h 30", .noUnit),
    ("٣s", .notADuration), ("1.", .notADuration), (".5s", .notADuration),
    ("PT", .notADuration), ("1e3", .notADuration), ("0s", .zero), ("0:00", .zero), ("-5s", .negative),
    ("inf", .infinite), ("30d1s", .tooLong), ("99999999999999999999s", .tooLong), ("4294967297d", .tooLong),
    ("0.0000000001s", .tooFine), ("0,5h", .comma), ("1,5 hours", .comma), ("1,5", .comma),
    ("1h 2,5m", .comma),
    ("1,5x", .notADuration), ("5,", .notADuration), ("1,5,5s", .notADuration),
  ])
  func `an invalid duration is refused with the reason`(text: String, error: DurationTextError) {
    #expect(throws: error) { try DurationText.parseWritten(text) }
    #expect(throws: error.problem(with: "\"\(text)\"")) { try DurationText.parse(text) }
  }

  @Test(arguments: ["20s", "1m30s", "1h", "0.1s", "0.000000001s", "1d2h3m4.5s", "30d"])
  func `the shortest text is written and parsed as the same duration`(text: String) throws {
    #expect(DurationText.format(try DurationText.parse(text)) == text)
  }

  @Test(arguments: [
    ("1.5s", "1.5s"), ("1m0.025s", "1m0.025s"), ("0.1s", "0.1s"), ("7.137965813s", "7s"),
    ("1m59.9999s", "1m59s"), ("0.999999999s", "1s"), ("30d", "30d"),
  ])
  func `a duration from a clock is shown in whole seconds`(text: String, shown: String) throws {
    #expect(DurationText.shown(try DurationText.parse(text)) == shown)
  }

  @Test(arguments: [
    ("5 m Tea", 2, 0), ("1 hour 30 min Tea", 4, 0), ("2 h 8 h reading", 2, 0), ("Tea 1h 30m", 0, 2),
    ("reading 8 h 2 h", 0, 2), ("25 Tea", 0, 0), ("Chapter 3", 0, 0), ("Tea - 5m", 0, 1), ("forever", 0, 0),
    ("1:30", 1, 1), ("1h30 Tea", 1, 0), ("half an hour Nap", 3, 0), ("Nap half an hour", 0, 3),
    ("Wait a minute", 0, 0), ("a minute", 2, 2), ("an hour and twenty-five minutes Tea", 5, 0), ("a", 0, 0),
  ])
  func `a duration is the longest beginning or ending of words`(text: String, first: Int, last: Int) {
    let words = text.split(separator: " ")
    #expect(DurationText.find(in: words)?.count ?? 0 == first)
    #expect(DurationText.find(in: words, atEnd: true)?.count ?? 0 == last)
  }

  @Test(arguments: [
    ("1,5h", 5400), ("1,5 hours", 5400), ("0,25h", 900), ("1h 2,5m", 3750), ("1h30", 5400), ("2m30", 150),
    ("1h5", 3900), ("1d2h30", 95_400), ("5min30", 330), ("half an hour", 1800), ("Half hour", 1800),
    ("a half hour", 1800), ("half-hour", 1800), ("half a minute", 30), ("an hour", 3600), ("a minute", 60),
    ("five minutes", 300), ("twenty five minutes", 1500), ("forty-five min", 2700), ("25-minute", 1500),
    ("an hour and a half", 5400), ("one and a half hours", 5400), ("two and a half minutes", 150),
    ("quarter of an hour", 900), ("a quarter hour", 900), ("three quarters of an hour", 2700),
    ("1 hour and 30 minutes", 5400), ("an hour twenty minutes", 4800), ("ten seconds", 10),
  ])
  func `a duration is parsed as people type it`(text: String, seconds: Int) throws {
    #expect(try DurationText.parseTyped(text) == .seconds(seconds))
    #expect(try DurationText.parseTypedSigned("-" + text) == .seconds(-seconds))
    #expect(throws: Problem.self) { try DurationText.parse(text) }
  }

  @Test(arguments: [
    ("1,500s", DurationTextError.comma), ("1,5", .comma), ("1h 30", .noUnit), ("1h60", .noUnit),
    ("1h123", .noUnit), ("1d12", .noUnit), ("1,5h30", .notADuration), ("a second", .notADuration),
    ("a day", .notADuration), ("half a day", .notADuration), ("minutes five", .notADuration),
    ("five", .notADuration), ("five m", .notADuration), ("a", .notADuration), ("half", .notADuration),
    ("five minutes and", .notADuration), ("five minutes an hour", .notADuration),
    ("2-5 minutes", .notADuration),
    ("0 and a half hours and", .notADuration), ("0 hours and 0 minutes", .zero),
    ("999 and a half hours", .tooLong),
  ])
  func `what may mean something else is no duration`(text: String, error: DurationTextError) {
    #expect(throws: error) { try DurationText.parseTyped(text) }
  }

  @Test func `an extension has a sign or is positive`() throws {
    #expect(try DurationText.parseSigned("-30s") == .seconds(-30))
    #expect(try DurationText.parseSigned("+1m") == .seconds(60))
    #expect(try DurationText.parseSigned("1m") == .seconds(60))
    #expect(throws: DurationTextError.zero) { try DurationText.parseSigned("-0s") }
  }
}
