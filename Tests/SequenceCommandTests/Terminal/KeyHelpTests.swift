import Foundation
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand
@testable import SequencePresentation

@Suite(.timeLimit(.minutes(1))) struct KeyHelpTests {
  /// Returns all pages of the help.
  private func pages(
    _ view: RunView, _ columns: Int, _ rows: Int, others: [RunView] = [], pauses: Bool = true,
    style: DisplayStyle = .plain
  ) -> [[String]] {
    let size = TerminalSize(columns: columns, rows: rows)
    var help = KeyHelp(pausesOnInterrupt: pauses)
    var pages: [[String]] = []
    while true {
      pages.append(DisplayFrame.lines(view, others: others, help: help, size: size, style: style))
      let frame = DisplayFrame(view, others: others, message: nil, size: size, style: style)
      guard let next = help.next(frame) else { return pages }
      help = next
    }
  }

  @Test func `the help in 40 by 12`() throws {
    let lines = pages(try SampleView.work.view(), 40, 12)
    #expect(
      lines.map { $0.joined(separator: "\n") } == [
        """
                       0:14 Work

           space   pause the run
           n       complete the step
           s       skip the step
           b       restart the previous step
           + -     add or subtract 30s
           q       leave; the run continues
           ctrl-c  leave, and pause the run
           ctrl-l  draw the screen again
           ?       close this help
        """
      ])
  }

  @Test func `the help in 20 by 5`() throws {
    let lines = pages(try SampleView.work.view(), 20, 5)
    #expect(
      lines.map { $0.joined(separator: "\n") } == [
        """
          0:14 Work · 1/2
        space pause  n next
        s skip  b back
        + - time  q leave
        ctrl-c pause
        """,
        """
          0:14 Work · 2/2

        ctrl-l redraw
        ? close
        """,
      ])
  }

  @Test(arguments: SampleView.allCases)
  func `every key is on a page in every size, and every page fits`(sample: SampleView) throws {
    let view = try sample.view()
    for columns in [8, 10, 16, 20, 33, 40, 60, 80, 200] {
      for rows in [1, 2, 3, 5, 6, 10, 24, 60] {
        let pages = pages(view, columns, rows, others: rows > 5 ? [view] : [])
        for key in ["space", "n ", "s ", "b ", "+ -", "q ", "ctrl-c", "ctrl-l", "? "] {
          #expect(pages.contains { $0.contains { $0.contains(key) } }, "\(key) in \(columns)x\(rows)")
        }
        for page in pages {
          #expect(page.count <= rows && page.allSatisfy { TextWidth.columns($0) <= columns })
        }
      }
    }
  }

  @Test func `the help has only keys with an effect`() throws {
    let (work, suspended) = (try SampleView.work.view(), try SampleView.suspended.view())
    let alone = pages(work, 80, 24, pauses: false)[0]
    #expect(
      !alone.contains { $0.contains("tab") || $0.contains("count the suspend") || $0.contains("and pause") })
    let all = pages(suspended, 80, 24, others: [work])[0]
    #expect(all.contains { $0.contains("tab     show the next run") })
    #expect(all.contains { $0.contains("c       resume, and count the suspend") })
    #expect(all.contains { $0.contains("the run stays paused") })
  }

  @Test(arguments: SampleView.allCases)
  func `the line with keys names the help`(sample: SampleView) throws {
    let view = try sample.view()
    for columns in 8...200 {
      let line = KeyHelp.line(view, columns: columns)
      #expect(line.columns <= columns && line.spans.contains { $0.text == "?" }, "\(columns)")
    }
  }

  @Test func `a page that a resize removed is the last one`() throws {
    let help = KeyHelp(page: 7, pausesOnInterrupt: true)
    let lines = DisplayFrame.lines(
      try SampleView.work.view(), help: help, size: TerminalSize(columns: 20, rows: 5), style: .plain)
    #expect(lines.contains("? close"))
  }
}
