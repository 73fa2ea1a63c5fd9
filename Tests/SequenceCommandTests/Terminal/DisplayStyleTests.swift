import SequencePlatform
import SequenceRunner
import Testing

@testable import SequenceCommand

@Suite struct DisplayStyleTests {
  @Test(arguments: [
    ([:], DisplayStyle.Colors.none), (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
    (["TERM": "xterm"], .sixteen), (["TERM": "xterm-256color"], .palette),
    (["TERM": "tmux-256color"], .palette),
    (["TERM": "xterm", "COLORTERM": "truecolor"], .palette),
    (["TERM": "foot", "COLORTERM": "24bit"], .palette), (["TERM": "xterm-direct"], .palette),
    (["TERM": "screen"], .sixteen), (["TERM": "screen", "TMUX": "/tmp/tmux-0/default,1,0"], .palette),
    (["TERM": "xterm-256color", "NO_COLOR": "1"], .none),
    (["TERM": "xterm-256color", "NO_COLOR": ""], .palette),
  ])
  func `the environment determines the number of colors`(
    environment: [String: String], colors: DisplayStyle.Colors
  ) {
    #expect(DisplayStyle.detect(environment: EnvironmentVariables(environment)).colors == colors)
  }

  @Test(arguments: [
    ([:], DisplayStyle.Glyphs.ascii), (["LANG": "de_DE.UTF-8"], .unicode), (["LANG": "C.utf8"], .unicode),
    (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], .ascii), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], .unicode),
    (["LANG": "C.UTF-8", "LC_ALL": ""], .unicode), (["LANG": "en_US.ISO-8859-1"], .ascii),
    (["LANG": "C.UTF-8", "TERM": "linux"], .ascii),
  ])
  func `the locale determines the characters`(
    environment: [String: String], glyphs: DisplayStyle.Glyphs
  ) {
    #expect(DisplayStyle.detect(environment: EnvironmentVariables(environment)).glyphs == glyphs)
  }

  @Test(arguments: [
    ("xterm", true), ("xterm-256color", true), ("tmux", true), ("screen.linux", true), ("foot", true),
    ("linux", false), ("linux-16color", false), ("dumb", false), ("", false), ("vt100", false),
    ("eterm-color", false),
  ])
  func `only terminals that skip unknown strings get a title and questions`(terminal: String, takes: Bool) {
    #expect(DisplayStyle.detect(environment: EnvironmentVariables(["TERM": terminal])).takesStrings == takes)
  }

  @Test func `the Linux console is black`() {
    let style = DisplayStyle.detect(environment: EnvironmentVariables(["TERM": "linux"]))
    #expect(style.background == .black && !ScreenSequences.asks(style))
  }

  @Test func `without colors the terminal is not asked for its background`() {
    let environment = EnvironmentVariables(["TERM": "xterm-256color", "NO_COLOR": "1"])
    let style = DisplayStyle.detect(environment: environment)
    #expect(style.takesStrings && !ScreenSequences.asks(style))
  }
}
