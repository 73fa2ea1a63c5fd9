import SequencePlatform
import SequenceFiles
import SequenceRunner
import Testing

@testable import SequenceImport

struct ImporterTests {
  private static let course = "[COURSE DATA]\n0 1\n1 1\n"

  @Test(arguments: [
    ("road.crs", "a course of distances and slopes has no times, so there is nothing to count down"),
    ("ROAD.PGMF", "a course of distances and slopes has no times, so there is nothing to count down"),
    ("ride.fit", "FIT files cannot be read"),
    ("ride.txt", "unknown format; add --format with zwo, erg, mrc"),
    ("ride", "unknown format"), ("-", "unknown format"),
  ])
  func `unsupported files are refused with a clear message`(name: String, message: String) throws {
    let found = try #require(refusal("hello", name))
    #expect(found.hasPrefix("\(name): \(message)"), "\(found)")
  }

  @Test(arguments: [
    ([0x0E, 0x10, 0x00, 0x46] as [UInt8], "this is a binary file"),
    ([0xFF, 0xFE, 0x3C, 0x00], "this is UTF-16; save the file as UTF-8"),
    ([0x81, 0x8D], "this is neither UTF-8 nor Windows-1252"),
  ])
  func `files that are not text are refused with a clear message`(bytes: [UInt8], message: String) throws {
    let found = try #require(refusal(of: bytes, "t.erg"))
    #expect(found.hasPrefix("t.erg: \(message)"), "\(found)")
  }

  @Test func `a format is recognized by file name, contents or option`() throws {
    #expect(try imported(ImporterTests.course, "a.MRC").format == .mrc)
    #expect(try imported(ImporterTests.course, "-").format == .erg)
    #expect(try imported("\u{FEFF}" + ImporterTests.course, "a.txt", as: .mrc).format == .mrc)
    let zwift = #"<workout_file><workout><MaxEffort Duration="1"/></workout></workout_file>"#
    #expect(try imported(zwift, "-").format == .zwo)
    #expect(try imported(zwift, "-").sequence.definition.title == "Imported workout")
  }

  @Test func `a file larger than a sequence file may be is refused`() {
    #expect(
      refusal(of: Array(repeating: 0x20, count: (1 << 20) + 1), "t.erg")
        == "t.erg: the file is larger than 1 MiB")
  }

  @Test func `a title that is too long is refused and not truncated`() throws {
    let title = String(repeating: "x", count: 1001)
    let found = try #require(
      refusal("[COURSE HEADER]\nDESCRIPTION=\(title)\n" + ImporterTests.course, "t.erg"))
    #expect(found == "t.erg: the title would have 1001 characters; use at most 1000")
    let accents = String(repeating: "\u{301}", count: 2000)
    #expect(
      refusal("[COURSE HEADER]\nDESCRIPTION=a\(accents)\n" + ImporterTests.course, "t.erg")
        == "t.erg: the title would have 4001 bytes; use at most 4000")
  }

  @Test func `a result larger than a sequence file may be is refused`() throws {
    let points = (0..<60_000).map { "\($0) \($0)" }.joined(separator: "\n")
    let found = try #require(refusal("[COURSE DATA]\n" + points, "t.erg"))
    #expect(found.contains("larger than 1 MiB"), "\(found)")
  }

  @Test(arguments: [
    "Plain", "on", "yes", "12", "12 x", "1:30", "a: b", "a #b", "- a", "\"quoted\"", "it's", "back\\slash",
    "{a}",
    "[a]", "*a", "&a", "!a", "|", ">", "%a", "@a", "`a`", "~", "?", "a\u{A0}b", "\u{FEFF}a", "🚴‍♀️ é",
    "a\u{FFFF}",
    "a\u{E000}", "null", "0x1F", "2026-11-21", "---", "...", "<<", "a,b", "e\u{301}",
  ])
  func `every text is parsed as written`(text: String) throws {
    let sequence = SequenceDefinition(text) {
      Group(2) { Card(text, .countUp(goal: nil), note: text) }
    }
    let written = try SequenceText.checked(sequence, [text])
    #expect(try SequenceFile.parse(Array(written.utf8)).definition == sequence)
  }

  @Test func `control characters are removed and counted, and white space is one space`() {
    var report = ImportReport()
    #expect(PlainText.line("a\u{1B}[31m\u{7F}\r\n\t b\u{202E}c\u{85}", &report) == "a[31m bc")
    #expect(report.lines == ["dropped: control character (3)"])
    #expect(PlainText.line("a \u{301}b", &report) == "a \u{301}b")
    #expect(PlainText.title(ofFileNamed: "/home/x/\u{301}b.erg", &report) == "\u{301}b")
  }

  @Test func `a report distinguishes up to a hundred kinds`() {
    var report = ImportReport()
    for number in 0..<1000 { report.drop("kind \(number % 200)") }
    #expect(report.dropped.count == 101)
    #expect(report.lines.last == "dropped: other things (500)")
  }

  @Test func `a result that does not parse as intended is not returned`() throws {
    let sequence = SequenceDefinition("T") { Card("A", .countdown(.seconds(1), advance: .automatic)) }
    #expect(throws: ImportError.self) {
      try SequenceText.check("title: T\ncards: [{ title: A, countdown: 2s }]", against: sequence)
    }
  }
}
