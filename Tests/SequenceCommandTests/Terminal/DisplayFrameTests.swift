import Foundation
import SequenceRunner
import TestSupport
import Testing

@testable import SequencePresentation
@testable import SequenceCommand

@Suite(.timeLimit(.minutes(5))) struct DisplayFrameTests {
  static let styles: [DisplayStyle] = [
    .plain, DisplayStyle(colors: .none, glyphs: .ascii), DisplayStyle(colors: .sixteen, glyphs: .unicode),
    DisplayStyle(colors: .palette, glyphs: .ascii),
    DisplayStyle(colors: .palette, glyphs: .unicode, background: .black),
  ]

  private func bare(_ line: String) -> String {
    var text = ""
    var isInSequence = false
    for scalar in line.unicodeScalars {
      if scalar == "\u{1B}" { isInSequence = true }
      if !isInSequence { text.unicodeScalars.append(scalar) }
      if scalar == "m" { isInSequence = false }
    }
    return text
  }

  @Test func `an endless sequence shows the step and the round without a number of them`() throws {
    let yaml =
      "title: T\ncards: [{ rounds: forever, cards: [{ title: A, countdown: 5s }, { title: B, countdown: 5s }] }]"
    let view = try RunView.sample(yaml, after: 162)
    let lines = DisplayFrame.lines(view, size: TerminalSize(columns: 80, rows: 24), style: .plain)
      .map { bare($0).trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains { $0.hasSuffix("step 33") })
    #expect(lines.contains("round 17"))
    #expect(lines.contains("2:42 in all"))
  }

  @Test(arguments: [
    ("125m", "2:05:00"), ("29d23h", "719:00:00"), ("30d", "720:00:00"), ("99h", "99:00:00"),
  ])
  func `a long time is shown whole in 20 columns`(duration: String, clock: String) throws {
    let view = try RunView.sample("title: T\ncards: [{ title: Tea, countdown: \(duration) }]\n", after: 0)
    for size in [(20, 5), (20, 24), (20, 1)].map(TerminalSize.init) {
      let lines = DisplayFrame.lines(view, size: size, style: .plain).map(bare)
      #expect(lines.contains { $0.contains(clock) }, "\(lines)")
    }
  }

  @Test(arguments: SampleView.allCases)
  func `every frame fits every terminal`(sample: SampleView) throws {
    let view = try sample.view()
    // All widths for the two most different views. For the others some widths from 45 on, to save time.
    let isEvery = [.work, .hostile].contains(sample)
    for columns in Array(0...44) + Array(stride(from: 45, through: 120, by: isEvery ? 1 : 7)) {
      for rows in 0...40 {
        let size = TerminalSize(columns: columns, rows: rows)
        let message = sample == .hostile ? SampleView.hostileMessage : nil
        let lines = DisplayFrame.lines(view, message: message, size: size, style: .plain)
        let widest = lines.map(TextWidth.columns).max() ?? 0
        guard lines.count > rows || widest > columns else { continue }
        Issue.record("\(lines.count) lines of \(widest) columns in \(columns)x\(rows)")
        return
      }
    }
  }

  @Test(arguments: styles.indices)
  func `every frame fits in every style`(index: Int) throws {
    let style = DisplayFrameTests.styles[index]
    for view in try SampleView.allCases.map({ try $0.view() }) {
      for size in [(1, 1), (20, 3), (40, 10), (80, 24), (200, 60)].map(TerminalSize.init) {
        let message = size.rows > 20 ? SampleView.hostileMessage : nil
        let lines = DisplayFrame.lines(view, message: message, size: size, style: style)
        #expect(lines.count <= size.rows)
        for line in lines {
          let text = bare(line)
          #expect(TextWidth.columns(text) <= size.columns)
          #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
          if style.colors == .none { #expect(text == line) }
        }
      }
    }
  }

  @Test func `a size below zero shows nothing`() throws {
    let view = try SampleView.work.view()
    #expect(DisplayFrame.lines(view, size: TerminalSize(columns: -1, rows: 5), style: .plain) == [])
    #expect(DisplayFrame.lines(view, size: TerminalSize(columns: 5, rows: -1), style: .plain) == [])
  }

  @Test func `the ASCII style uses only ASCII except in titles`() throws {
    let ascii = DisplayStyle(colors: .none, glyphs: .ascii)
    for view in try SampleView.allCases.map({ try $0.view() }) where view.title.utf8.allSatisfy({ $0 < 128 })
    {
      for size in [(20, 3), (40, 10), (80, 24), (200, 60)].map(TerminalSize.init) {
        let lines = DisplayFrame.lines(view, size: size, style: ascii)
        #expect(lines.allSatisfy { line in line.utf8.allSatisfy { $0 < 128 } })
      }
    }
  }

  @Test(arguments: [
    (SampleView.work, 78, "█"), (.rest, 111, "━"), (.lastSeconds, 210, "█"), (.paused, 248, "█"),
    (.overtime, 214, "█"), (.goalReached, 214, "█"), (.countUp, 78, "█"),
  ])
  func `each state has its color, and a rest its bar`(sample: SampleView, color: Int, bar: String) throws {
    let view = try sample.view()
    let style = DisplayStyle(colors: .palette, glyphs: .unicode, background: .black)
    let lines = DisplayFrame.lines(view, size: .fallback, style: style)
    let ink = "\u{1B}[1;38;5;\(color)m"
    #expect(lines.contains { $0.contains(ink) && $0.contains("███") })
    #expect(lines.contains { $0.contains(ink + bar + bar) })
  }

  @Test(arguments: [
    (SampleView.paused, "PAUSED"), (.overtime, "TIME IS UP"), (.goalReached, "GOAL REACHED"), (.rest, "REST"),
  ])
  func `the state is shown in words from three lines on`(sample: SampleView, word: String) throws {
    let view = try sample.view()
    for rows in 1...40 {
      let size = TerminalSize(columns: 30, rows: rows)
      let lines = DisplayFrame.lines(view, size: size, style: .plain)
      #expect(lines.contains { $0.contains(word) }, "\(rows) rows")
    }
  }

  @Test(arguments: [
    (SampleView.work, 20, ["0:14 Work"]), (.paused, 20, ["0:14 PAUSED Work"]),
    (.overtime, 10, ["+1:15 TIM…"]), (.work, 3, ["0:…"]), (.work, 1, ["…"]),
  ])
  func `one line shows the essentials`(sample: SampleView, columns: Int, lines: [String]) throws {
    let view = try sample.view()
    let size = TerminalSize(columns: columns, rows: 1)
    #expect(DisplayFrame.lines(view, size: size, style: .plain) == lines)
  }

  @Test(arguments: [("Rest", false), ("Short rest", false), ("Restore", true), ("Break", true)])
  func `a title with the word rest needs no other`(title: String, hasWord: Bool) throws {
    let view = try RunView.sample(
      "title: T\ncards: [{ title: \(title), countdown: 1m, rest: true }]", after: 0)
    let line = DisplayFrame.lines(view, size: TerminalSize(columns: 40, rows: 1), style: .plain)
    #expect(line == [hasWord ? "1:00 REST \(title)" : "1:00 \(title)"])
  }

  @Test(arguments: [
    (SampleView.work, "0:14 Work"), (.rest, "0:06 Breathe · rest"), (.paused, "0:14 Work · paused"),
    (.overtime, "+1:15 Coffee · time is up"), (.countUp, "1:29 Stretch"),
  ])
  func `the title of the terminal has the time first`(sample: SampleView, title: String) throws {
    #expect(DisplayFrame.title(try sample.view(), .plain) == title)
  }

  @Test func `a title in another direction leaves the time in front`() throws {
    let view = try RunView.sample("title: T\ncards: [{ title: شاي, countdown: 3m }]", after: 0)
    #expect(DisplayFrame.title(view, .plain) == "3:00 \u{200E}\u{2068}شاي\u{2069}")
  }

  @Test(arguments: SampleView.allCases)
  func `a title injects nothing and is not long`(sample: SampleView) throws {
    let title = DisplayFrame.title(try sample.view(), .plain)
    #expect(!title.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(TextWidth.columns(title) < 100)
  }

  /// The lines of a card with a note of two lines, and with a note of one.
  private func lines(ofNotesBelow title: String) throws -> (long: [String], short: [String]) {
    func lines(note: String) throws -> [String] {
      let yaml = "title: T\ncards: [{ title: \(title), note: \"\(note)\", countdown: 20s }]"
      return DisplayFrame.lines(try .sample(yaml, after: 0), size: .fallback, style: .plain)
    }
    let long =
      "Breathe out while you press, keep the elbows close to the body, and look at a point a meter ahead of you"
    return (try lines(note: long), try lines(note: "Out"))
  }

  @Test func `a note has two lines and moves nothing`() throws {
    let (long, short) = try lines(ofNotesBelow: "Push-ups")
    #expect(long[5].contains("Breathe out while") && long[6].contains("ahead of you"))
    #expect(short[5].contains("Out") && short[6].isEmpty)
    #expect(Array(long[7...]) == Array(short[7...]))
  }

  @Test func `two lines of a note don't touch the time below a small title`() throws {
    let (long, short) = try lines(ofNotesBelow: "Push-ups on the floor")
    #expect(long[4].contains("Breathe out while") && long[5].contains("ahead of you") && long[6].isEmpty)
    #expect(short[4].isEmpty && short[5].contains("Out"))
    #expect(Array(long[7...]) == Array(short[7...]))
  }

  @Test(arguments: [
    ("countdown: 90s", "1:30"), ("countUp: {}", "until you complete it"),
    ("countUp: { goal: 10m }", "goal 10:00"),
  ])
  func `the next step is shown with its length or goal`(timing: String, length: String) throws {
    let sample = try SampleRun(
      yaml: "title: T\ncards: [{ title: A, countdown: 1m }, { title: B, \(timing) }]\n")
    let view = try #require(RunView(sample.status(after: 0)))
    let lines = DisplayFrame.lines(view, size: .fallback, style: .plain)
    #expect(lines.contains { $0.hasSuffix("Next: B  \(length)") }, "\(lines)")
  }

  @Test(arguments: [
    (80, 24, " tab Work 1:30 · tabata 0:14 paused · tabata +1:15 time is up"),
    (56, 6, " tab Work 1:30 · tabata 0:14 paused · 1 more"),
    (30, 24, "tab Work 1:30 · 2 more"), (20, 24, "tab 3 more"), (80, 5, nil),
  ])
  func `the other runs have one line, which counts those that do not fit`(
    columns: Int, rows: Int, line: String?
  ) throws {
    let others = [
      try RunView.sample("title: Work\ncards: [{ title: A, countdown: 90s }]", after: 0),
      try SampleView.paused.view(), try SampleView.overtime.view(),
    ]
    let view = try RunView.sample("title: Tea\ncards: [{ title: Tea, countdown: 3m }]", after: 0)
    let size = TerminalSize(columns: columns, rows: rows)
    let lines = DisplayFrame.lines(view, others: others, size: size, style: .plain)
    #expect(lines.count <= rows)
    #expect(lines.contains { $0.contains("tab") } == (line != nil))
    if let line { #expect(lines.first == line) }
    let alone = TerminalSize(columns: columns, rows: rows - (line == nil ? 0 : 1))
    #expect(
      Array(lines.dropFirst(line == nil ? 0 : 1)) == DisplayFrame.lines(view, size: alone, style: .plain))
  }

  @Test func `text from right to left leaves the times and numbers beside it in their order`() throws {
    let cards = "{ title: تمرين, countdown: 1s, advance: manual }, { title: راحة, countdown: 30s }"
    let other = try RunView.sample("title: تمرين\ncards: [\(cards)]", after: 3)
    let view = try RunView.sample("title: Tea\ncards: [\(cards)]", after: 3)
    let lines = DisplayFrame.lines(view, others: [other], size: .fallback, style: .plain)
    #expect(lines.first == " tab \u{200E}\u{2068}تمرين\u{2069} +0:02 time is up")
    #expect(lines.contains { $0.hasSuffix("Next: \u{200E}\u{2068}راحة\u{2069}  0:30") })
    let brief = DisplayFrame.lines(view, size: TerminalSize(columns: 80, rows: 1), style: .plain)
    #expect(brief == ["+0:02 TIME IS UP \u{200E}\u{2068}تمرين\u{2069}"])
  }

  @Test(arguments: SampleView.allCases)
  func `the line of other runs fits`(sample: SampleView) throws {
    let view = try sample.view()
    for columns in 1...60 {
      let size = TerminalSize(columns: columns, rows: 24)
      let lines = DisplayFrame.lines(view, others: [view, view, view], size: size, style: .plain)
      #expect(TextWidth.columns(lines.first ?? "") <= columns && lines.count <= 24)
    }
  }

  @Test func `a large time is never wider than its columns and uses all its lines`() {
    for text in ["0:00", "12:34", "1:23:45", "+6:78", "9:00:00"] {
      for rows in 3...40 {
        let time = BigTime(rows: rows, glyphs: .unicode)
        let lines = time.lines(text)
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { TextWidth.columns($0) == time.columns(text) })
      }
    }
  }

  @Test func `digits differ in every size`() {
    for glyphs in [DisplayStyle.Glyphs.unicode, .ascii] {
      for rows in BigTime.fewestRows(glyphs)...40 {
        #expect(Set("0123456789".map { BigTime(rows: rows, glyphs: glyphs).lines(String($0)) }).count == 10)
      }
    }
  }
}
