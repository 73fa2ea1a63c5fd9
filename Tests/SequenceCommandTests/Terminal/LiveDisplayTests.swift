import Glibc
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceCommand

/// The live display on a terminal: its colors, its title, its help, and the text that it leaves.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct LiveDisplayTests {
  private let tool: Tool
  private let terminal: PseudoTerminal

  init() throws {
    tool = try Tool()
    terminal = try PseudoTerminal()
    try terminal.resize(80, 24)
  }

  /// Returns the exit status of the display, and the output after it has left the screen.
  private func end(_ display: pid_t) throws -> (status: Int32, output: String) {
    let output = try terminal.output(until: "\u{1B}[?1049l") + remainder(display)
    var status: Int32 = 0
    #expect(waitpid(display, &status, 0) == display)
    return (
      status >> 8,
      String(output.split(separator: "\u{1B}[?1049l", omittingEmptySubsequences: false).last ?? "")
    )
  }

  /// Returns the output until a process has ended, without reaping it.
  private func remainder(_ process: pid_t) throws -> String {
    var information = siginfo_t()
    #expect(waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == 0)
    try writeAll(Array("\u{4}".utf8), to: terminal.program)
    return try terminal.output(until: "\u{4}").replacing("\u{4}", with: "")
  }

  @Test func `the end of the run leaves a table and the outcome`() throws {
    let display = try terminal.show(tool, ["run", "--card", "A 0.2s", "--card", "B 0.3s"])
    let (status, output) = try end(display)
    #expect(status == 0)
    #expect(
      output == """
           step   plan  actual
        1  A      0:00    0:00
        2  B      0:00    0:00
           total  0:00    0:00
        A, B is finished: 2 of 2 steps completed in 0:00

        """)
  }

  @Test func `a duration that looks like a time of day is told from one`() throws {
    let display = try terminal.show(tool, ["timer", "19:30", "Tea"])
    _ = try terminal.output(until: "19:30 is 19m30s; for the time of day, run sequence timer until 19:30")
    try tool.succeed("stop")
    #expect(try end(display).status == 3)
  }

  @Test func `a run that another program stops leaves a table, too`() throws {
    let display = try terminal.show(tool, ["run", "--card", "A 1h", "--card", "B 1h"])
    _ = try terminal.output(until: "step 1 of 2")
    try tool.succeed("next")
    try tool.succeed("stop")
    let (status, output) = try end(display)
    #expect(status == 3)
    #expect(
      output.contains("\n1  A      1:00:00    0:00  -1:00:00\n")
        && output.contains("is stopped: 1 of 2 steps"))
  }

  @Test(arguments: [
    ("q", "a-b continues; to show it again, run sequence attach\n", 0),
    ("\u{3}", "sequence: paused a-b; to continue it, run sequence resume\n", 130),
  ])
  func `a display that the user leaves prints only how to continue`(
    key: String, text: String, expected: Int32
  ) throws {
    let display = try terminal.show(tool, ["run", "--card", "A 1h", "--card", "B 1h"])
    _ = try terminal.output(until: "step 1 of 2")
    try terminal.type(key)
    let (status, output) = try end(display)
    #expect(status == expected && output == text)
  }

  @Test func `a lost terminal leaves the run going and prints nothing`() throws {
    let display = try terminal.show(tool, ["run", "--card", "A 1h", "--card", "B 1h"])
    _ = try terminal.output(until: "step 1 of 2")
    kill(display, SIGHUP)
    let (status, output) = try end(display)
    #expect(status == 129 && output == "")
    #expect(try tool.status("state") == "running")
  }

  @Test func `the colors follow the background, and an answer is no key`() throws {
    let shell = try terminal.script(
      tool, #"TERM=xterm-256color "$0" run --card "Work 1h" --card "Rest 1h""#)
    // The question comes before the first frame.
    let start = try terminal.output(until: "step 1 of 2")
    #expect(start.contains("\u{1B}]11;?\u{7}\u{1B}[c"))
    _ = try terminal.output(until: "38;5;29m")
    try terminal.type("\u{1B}]11;rgb:ffff/ffff/bbbb\u{1B}\\\u{1B}[?62;22c")
    _ = try terminal.output(until: "38;5;22m")
    try terminal.type("n")
    _ = try terminal.output(until: "38;5;25m")
    #expect(try tool.status("number") == "2" && tool.status("state") == "running")
    try terminal.type("q")
    waitpid(shell, nil, 0)
  }

  @Test func `the title has the time, is saved and restored, and injects nothing`() throws {
    let path = try tool.directory.write(
      #"{ title: T, cards: [{ title: "Tea\e]0;evil\a", countdown: 1h }] }"#, to: "tea.yaml")
    let display = try terminal.show(tool, ["run", path, "--paused"])
    let start = try terminal.output(until: "\u{1B}[?2026h")
    #expect(start.contains("\u{1B}[22;2t"))
    #expect(start.contains("\u{1B}]2;1:00:00 Tea]0;evil - paused\u{7}"))
    #expect(!start.contains("\u{1B}]0"))
    try terminal.type("q")
    #expect(try terminal.output(until: "\u{1B}[?1049l").contains("\u{1B}]2;\u{7}\u{1B}[23;2t"))
    waitpid(display, nil, 0)
  }

  @Test func `the question mark shows the keys until Escape or another key`() throws {
    let display = try terminal.show(tool, ["run", "--card", "A 1h", "--card", "B 1h"])
    _ = try terminal.output(until: " keys")
    for close in ["\u{1B}", "?", "n"] {
      try terminal.type("?")
      _ = try terminal.output(until: "leave, and pause the run")
      try terminal.type(close)
      _ = try terminal.output(until: "step \(close == "n" ? 2 : 1) of 2")
    }
    try terminal.type("q")
    waitpid(display, nil, 0)
  }
}
