import Glibc
import SequencePlatform
import SequenceFiles
import SequenceRunner
import Testing

@testable import SequencePresentation

@Suite struct TextTests {
  @Test(arguments: [
    (0, "12:00"), (11, "23:00"), (12, "00:00 tomorrow"), (35, "23:00 tomorrow"), (36, "00:00 on 1 Jan 2027"),
    (-12, "00:00"), (-13, "23:00 yesterday"), (-37, "23:00 on 28 Dec"),
  ])
  func `a clock time that is not today's has its day`(hours: Int, text: String) {
    // Noon of 30 December 2026 by the clock of the user.
    var (noon, parts) = (time_t(1_798_632_000), tm())
    localtime_r(&noon, &parts)
    let now = Moment(microseconds: Int64(noon - parts.tm_gmtoff) * 1_000_000)
    #expect(LocalTime.clock(of: now.advanced(by: .seconds(hours * 3600)), now: now) == text)
  }

  @Test(arguments: [
    ("", 0), ("Work", 4), ("Grüße", 5), ("e\u{301}", 1), ("日本語", 6), ("한국", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2),
    ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("1", 1), ("ｗ", 2),
    ("…", 1), ("▏█░", 3), ("●◉○", 3), ("a\u{200B}b", 2), ("🏋️‍♀️ Squats", 9), ("क्षि", 3), ("שלום", 4),
  ])
  func `columns are counted per cluster`(text: String, columns: Int) {
    #expect(TextWidth.columns(text) == columns)
  }

  /// Tests characters of Unicode 11 and before, whose widths agree in all versions of glibc in use.
  @Test func `single characters are as wide as in glibc`() throws {
    let utf8 = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
    let former = uselocale(utf8)
    defer {
      uselocale(former)
      freelocale(utf8)
    }
    // <wchar.h> declares it for _XOPEN_SOURCE only.
    let address = try #require(dlsym(nil, "wcwidth"))
    let wcwidth = unsafeBitCast(address, to: (@convention(c) (wchar_t) -> Int32).self)
    var different: [String] = []
    for value in UInt32(0x20)...0x3FFFF {
      guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age.major <= 11,
        !scalar.properties.isEmoji, !scalar.properties.isNoncharacterCodePoint,
        ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory),
        // Wide since Unicode 16, and no longer spacing since Unicode 15.
        !(0x4DC0...0x4DFF).contains(value), value != 0x1171E
      else { continue }
      let columns = TextWidth.columns(Character(scalar))
      if columns != Int(wcwidth(wchar_t(value))) { different.append(String(value, radix: 16)) }
    }
    #expect(different == [])
  }

  @Test(arguments: [
    ("Work", 4, "Work"), ("Work", 3, "Wo…"), ("Work", 1, "…"), ("Work", 0, ""), ("Work", -1, ""),
    ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 6, "日本語"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"), ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 2, "…"), ("🇩🇪🇫🇷", 3, "🇩🇪…"),
  ])
  func `text is cut between clusters`(text: String, columns: Int, result: String) {
    #expect(TextWidth.truncated(text, to: columns) == result)
    #expect(TextWidth.columns(result) <= max(0, columns))
  }

  @Test(arguments: [
    ("Work", "Work"), ("", ""), ("a\tb", "a b"), ("a\nb", "a b"), ("a\r\nb", "a b"), ("a\n\rb", "a  b"),
    ("\u{1B}[31mred", "[31mred"), ("\u{1B}]0;title\u{7}x", "]0;titlex"), ("a\u{0}b\u{7F}c", "abc"),
    ("a\u{9B}31mb", "a31mb"), ("a\u{85}b\u{2028}c\u{2029}d", "a b c d"), ("a\u{B}b\u{C}c", "a b c"),
    ("\u{202E}evil\u{202C}", "evil"), ("\u{2066}x\u{2069}", "x"), ("שלום", "שלום"), ("👩‍👩‍👧", "👩‍👩‍👧"),
    ("a\u{200F}b", "a\u{200F}b"), ("e\u{301}\u{1B}", "e\u{301}"),
  ])
  func `external text cannot control the terminal`(text: String, result: String) {
    #expect(Array(TextSafety.sanitised(text).unicodeScalars) == Array(result.unicodeScalars))
  }

  @Test(arguments: ["Tea", "שלום", "تمرين 5", "a שלום b"])
  func `a title that was copied from an answer is the title`(title: String) {
    #expect(TextSafety.unisolated(TextSafety.isolated(title)) == title)
    #expect(TextSafety.isolated(title).contains("\u{2069}") == (title != "Tea"))
  }

  @Test(arguments: [
    ("Work", "Work"), ("a\u{202E}b", "ab"), ("תה", "\u{200E}\u{2068}תה\u{2069}"),
    ("  תה\u{2069} 2 ", "  \u{200E}\u{2068}תה 2\u{2069} "),
  ])
  func `text from right to left is isolated without the spaces around it`(text: String, result: String) {
    #expect(Array(TextSafety.isolated(text).unicodeScalars) == Array(result.unicodeScalars))
  }

  @Test(arguments: [
    (7_000, "0:07"), (90_000, "1:30"), (725_000, "12:05"), (3_723_000, "1:02:03"), (0, "0:00"), (1, "0:01"),
    (59_001, "1:00"), (3_599_001, "1:00:00"), (-1, "0:00"), (-999, "0:00"), (-1_000, "+0:01"),
    (-12_900, "+0:12"), (2_592_000_000, "720:00:00"),
  ])
  func `the time left is rounded up`(milliseconds: Int64, text: String) {
    #expect(ClockText.remaining(.milliseconds(milliseconds)) == text)
  }

  @Test(arguments: [
    (0, "0:00"), (999, "0:00"), (1_000, "0:01"), (59_999, "0:59"), (3_599_999, "59:59"),
    (3_600_000, "1:00:00"), (-1, "0:00"), (-5_000, "0:00"),
  ])
  func `elapsed time is rounded down`(milliseconds: Int64, text: String) {
    #expect(ClockText.elapsed(.milliseconds(milliseconds)) == text)
  }

  @Test(arguments: [
    (20_000, "20 s"), (350_000, "5 min 50 s"), (5_400_000, "1 h 30 min"), (100_800_000, "1 d 4 h"),
    (500, "0.5 s"),
    (0, "0 s"),
  ])
  func `a length has units after no-break spaces`(milliseconds: Int64, text: String) {
    let broken = LengthText.format(.milliseconds(milliseconds))
    #expect(broken.replacing("\u{A0}", with: " ") == text)
    #expect(broken.split(separator: " ").allSatisfy { $0.contains("\u{A0}") })
  }

  @Test(arguments: [
    (0, "0 s"), (59, "59 s"), (61, "1 min"), (3600, "1 h"), (13_380, "3 h 43 min"), (36_660, "10 h"),
    (100_800, "28 h"),
  ])
  func `a sum of times has hours instead of days`(seconds: Int, text: String) {
    #expect(LengthText.total(.seconds(seconds)).replacing("\u{A0}", with: " ") == text)
  }

  @Test func `a length of elapsed time is rounded down to seconds`() {
    #expect(LengthText.elapsed(.milliseconds(61_999)) == "1\u{A0}min 1\u{A0}s")
  }

  @Test func `a group of one round shows no rounds`() throws {
    let text =
      "title: A\ncards: [{ rounds: 1, cards: [{ rounds: 2, cards: [{ title: W, countdown: 1m }] }] }]"
    let step = try SequenceFile.parse(Array(text.utf8)).timeline.step(at: 1)
    #expect(StepText.rounds(step) == ["round 2 of 2"])
  }
}
