import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand
@testable import SequencePresentation

@Suite struct InkTests {
  private static let inks: [Ink] = [
    .dim, .tone(.running), .tone(.rest), .tone(.lastSeconds), .tone(.paused), .tone(.overtime),
  ]
  private static let white = TerminalColor(palette: 231)

  private static func style(
    _ background: TerminalColor?, _ colors: DisplayStyle.Colors = .palette
  ) -> DisplayStyle {
    DisplayStyle(colors: colors, glyphs: .unicode, background: background)
  }

  // The ratios of the examples in WCAG 2.2, "Understanding SC 1.4.3" and of its formula.
  @Test(arguments: [
    ("rgb:00/00/00", 21.0), ("rgb:ff/ff/ff", 1.0), ("rgb:76/76/76", 4.54), ("rgb:7676/7676/7676", 4.54),
    ("rgb:ff/00/00", 4.0), ("rgb:0/0/f", 8.59), ("rgba:0000/8080/0000/ffff", 5.14),
  ])
  func `the contrast with white is that of the standard`(color: String, ratio: Double) throws {
    let color = try #require(TerminalColor(report: color))
    #expect(abs(color.contrast(with: Self.white) - ratio) < 0.01)
  }

  @Test(arguments: [
    "", "rgb:", "rgb:ff/ff", "rgb:ff/ff/ff/ff", "rgb:fffff/0/0", "rgb:gg/00/00", "rgb:/0/0", "#ffffff", "?",
    "rgb:+f/0/0", "hsl:1/2/3",
  ])
  func `what is no color is none`(report: String) {
    #expect(TerminalColor(report: report) == nil)
  }

  @Test(arguments: [
    (16, "rgb:00/00/00"), (231, "rgb:ff/ff/ff"), (78, "rgb:5f/d7/87"), (243, "rgb:76/76/76"),
    (9, "rgb:ff/00/00"), (14, "rgb:00/ff/ff"),
  ])
  func `numbers of the palette have the colors of xterm`(number: Int, report: String) throws {
    let (color, same) = (TerminalColor(palette: number), try #require(TerminalColor(report: report)))
    #expect(color.red == same.red && color.green == same.green && color.blue == same.blue)
  }

  @Test(arguments: inks)
  func `if the background is unknown, each color is legible on white and on black`(ink: Ink) throws {
    let color = try #require(ink.color(Self.style(nil)))
    #expect(color.contrast(with: Self.white) >= 4.5)
    #expect(color.contrast(with: .black) >= 4.5)
  }

  @Test(arguments: inks)
  func `on white and on black, each color is legible with a margin`(ink: Ink) throws {
    for background in [Self.white, .black] {
      let color = try #require(ink.color(Self.style(background)))
      #expect(color.contrast(with: background) >= 5.5, "\(color)")
    }
  }

  @Test(arguments: [DisplayStyle.Colors.palette, .sixteen])
  func `no color is illegible on any background that a terminal reports`(colors: DisplayStyle.Colors) throws {
    for (red, green, blue) in (0..<4096).map({ ($0 >> 8, $0 >> 4 & 15, $0 & 15) }) {
      let report = [red, green, blue].map { String($0, radix: 16) }.joined(separator: "/")
      let background = try #require(TerminalColor(report: "rgb:\(report)"))
      for ink in Self.inks {
        guard let color = ink.color(Self.style(background, colors)) else { continue }
        #expect(color.contrast(with: background) >= 4.5, "\(ink) on \(report)")
      }
    }
  }

  // Solarized, Nord, One Dark, Gruvbox, GNOME, and their light sets.
  @Test(arguments: [
    "00/2b/36", "2e/34/40", "28/2c/34", "28/28/28", "1e/1e/1e", "fd/f6/e3", "ec/ef/f4", "fa/fa/fa",
    "fb/f1/c7",
    "ff/ff/ff",
  ])
  func `all colors are used on the backgrounds of common themes`(background: String) {
    let style = Self.style(TerminalColor(report: "rgb:\(background)"))
    for ink in Self.inks { #expect(ink.color(style) != nil, "\(ink)") }
  }

  @Test func `sixteen colors are used on a dark background only, because terminals choose their shades`() {
    #expect(Self.inks.allSatisfy { $0.color(Self.style(nil, .sixteen)) == nil })
    #expect(Self.inks.allSatisfy { $0.color(Self.style(Self.white, .sixteen)) == nil })
    #expect(Ink.tone(.rest).start(Self.style(.black, .sixteen)) == "\u{1B}[1;96m")
    #expect(Ink.tone(.paused).start(Self.style(.black, .sixteen)) == "\u{1B}[1m")
    #expect(Ink.dim.start(Self.style(.black, .sixteen)) == "")
  }

  @Test func `a rest and work differ in color and without`() throws {
    let (work, rest) = (try SampleView.work.view(), try SampleView.rest.view())
    #expect(Ink.Tone(work) == .running && Ink.Tone(rest) == .rest)
    for background in [nil, .black, Self.white] {
      let style = Self.style(background)
      #expect(Ink.tone(.running).start(style) != Ink.tone(.rest).start(style))
    }
  }
}
