import Glibc
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceCommand

@Suite(.serialized, .timeLimit(.minutes(1))) struct TerminalTests {
  let small = TerminalSize(columns: 20, rows: 3)

  @Test func `the terminal is changed and restored`() throws {
    let pseudo = try PseudoTerminal()
    let before = try pseudo.modes
    let terminal = try Terminal(input: pseudo.program, output: pseudo.program)
    #expect(try pseudo.output(until: "2004h") == ScreenSequences.enter)
    let during = try TerminalModes.current(of: pseudo.program).settings
    #expect(during.c_lflag & tcflag_t(ECHO | ICANON) == 0)
    #expect(during.c_lflag & tcflag_t(ISIG) != 0)

    try terminal.restore()
    try terminal.restore()
    #expect(try pseudo.output(until: "1049l") == ScreenSequences.leave)
    #expect(pseudo.isQuiet)
    #expect(try pseudo.modes == before)
    try terminal.draw(["late"], for: small)
    #expect(pseudo.isQuiet)
  }

  @Test func `a terminal that nobody restored is restored at deinitialization`() throws {
    let pseudo = try PseudoTerminal()
    let before = try pseudo.modes
    do { _ = try Terminal(input: pseudo.program, output: pseudo.program) }
    #expect(try pseudo.output(until: "1049l") == ScreenSequences.enter + ScreenSequences.leave)
    #expect(try pseudo.modes == before)
    #expect(!TerminalRescue.isArmed)
  }

  @Test func `a file that is not a terminal is refused`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    #expect(throws: Problem("the terminal cannot be used: standard input or output is not a terminal")) {
      try Terminal(input: ends[0], output: ends[1])
    }
  }

  @Test func `a second terminal is refused and the first stays active`() throws {
    let pseudo = try PseudoTerminal()
    let first = try Terminal(input: pseudo.program, output: pseudo.program)
    #expect(throws: Problem("the terminal cannot be used: another display of this process uses it")) {
      try Terminal(input: pseudo.program, output: pseudo.program)
    }
    #expect(TerminalRescue.isArmed)
    try first.restore()
    #expect(try pseudo.output(until: "1049l") == ScreenSequences.enter + ScreenSequences.leave)
  }

  @Test func `only changes are written`() throws {
    let pseudo = try PseudoTerminal()
    let terminal = try Terminal(input: pseudo.program, output: pseudo.program)
    defer { #expect(throws: Never.self) { try terminal.restore() } }
    _ = try pseudo.output(until: "2004h")
    try terminal.draw(["one", "two"], for: small)
    #expect(
      try pseudo.output(until: "2026l")
        == "\u{1B}[?2026h\u{1B}[0m\u{1B}[2J\u{1B}[1;1H\u{1B}[2Kone\u{1B}[2;1H\u{1B}[2Ktwo\u{1B}[?2026l")
    try terminal.draw(["one", "2"], for: small)
    #expect(try pseudo.output(until: "2026l") == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[2K2\u{1B}[?2026l")
    try terminal.draw(["one", "2"], for: small)
    #expect(pseudo.isQuiet)
    try terminal.draw(["one"], for: small)
    #expect(try pseudo.output(until: "2026l") == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[2K\u{1B}[?2026l")
    try terminal.draw(["one"], for: TerminalSize(columns: 30, rows: 3))
    #expect(try pseudo.output(until: "2026l").contains("\u{1B}[2J"))
    terminal.invalidate()
    try terminal.draw(["one"], for: TerminalSize(columns: 30, rows: 3))
    #expect(try pseudo.output(until: "2026l").contains("\u{1B}[2J"))
  }

  @Test func `the size follows the window`() throws {
    let pseudo = try PseudoTerminal()
    let terminal = try Terminal(input: pseudo.program, output: pseudo.program)
    defer { #expect(throws: Never.self) { try terminal.restore() } }
    #expect(terminal.size == .fallback)
    try pseudo.resize(100, 30)
    #expect(terminal.size == TerminalSize(columns: 100, rows: 30))
  }

  @Test func `keys arrive immediately`() throws {
    let pseudo = try PseudoTerminal()
    let terminal = try Terminal(input: pseudo.program, output: pseudo.program)
    defer { #expect(throws: Never.self) { try terminal.restore() } }
    try pseudo.type("n")
    #expect(try terminal.read() == .bytes(Array("n".utf8)))
    #expect(try pseudo.output(until: "2004h") == ScreenSequences.enter, "keys are not echoed")
  }

  @Test func `while suspended the shell controls the terminal`() throws {
    let pseudo = try PseudoTerminal()
    let before = try pseudo.modes
    let terminal = try Terminal(input: pseudo.program, output: pseudo.program)
    let during = try pseudo.modes
    try terminal.draw(["one"], for: small)
    try terminal.suspend()
    _ = try pseudo.output(until: "1049l")
    #expect(try pseudo.modes == before)
    try terminal.draw(["two"], for: small)
    #expect(pseudo.isQuiet)
    try terminal.resumeAfterSuspend()
    #expect(try pseudo.output(until: "2004h") == ScreenSequences.enter)
    #expect(try pseudo.modes == during)
    try terminal.draw(["two"], for: small)
    #expect(try pseudo.output(until: "2026l").contains("\u{1B}[2J"))
    try terminal.suspend()
    try terminal.restore()
    #expect(try pseudo.output(until: "1049l") == ScreenSequences.leave)
    #expect(try pseudo.modes == before)
  }

  @Test func `a fatal signal restores the terminal and still kills`() async throws {
    let pseudo = try PseudoTerminal()
    let before = try pseudo.modes
    let path = pseudo.path
    await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
      let descriptor = PseudoTerminal.open(path)
      let terminal = try Terminal(input: descriptor, output: descriptor)
      raise(SIGSEGV)
      try terminal.restore()
    }
    #expect(try pseudo.output(until: "1049l") == ScreenSequences.enter + ScreenSequences.leave)
    #expect(try pseudo.modes == before)
  }

  @Test func `a trap of the program restores the terminal`() async throws {
    let pseudo = try PseudoTerminal()
    let before = try pseudo.modes
    let path = pseudo.path
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let descriptor = PseudoTerminal.open(path)
      let terminal = try Terminal(input: descriptor, output: descriptor)
      try terminal.draw(["one"], for: .fallback)
      fatalError("as a mistake in the program would")
    }
    #expect(try pseudo.output(until: "1049l").hasSuffix(ScreenSequences.leave))
    #expect(try pseudo.modes == before)
  }
}
