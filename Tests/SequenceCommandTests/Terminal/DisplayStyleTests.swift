import SequencePlatform
import SequenceRunner
import Testing

@testable import SequenceCommand

@Suite struct DisplayStyleTests {
  @Test(arguments: [
    ([:], DisplayStyle.Colors.none), (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
    (["TERM": "xterm"], .sixteen), (["TERM": "xterm-256color"], .palette),
    (["TERM": "tmux-256color"], .palette),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
    (["TERM": "foot", "COLORTERM": "24bit"], .trueColor), (["TERM": "xterm-direct"], .trueColor),
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
}
