import Glibc
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceCommand

@Suite(.serialized, .timeLimit(.minutes(1))) struct TerminalTests {
  let small = TerminalSize(columns: 20, rows: 3)
  let clock: SystemClock
  /// A terminal that takes a title and is asked for its background.
  let asking = DisplayStyle(colors: .palette, glyphs: .unicode, takesStrings: true)

  init() throws {
    clock = try SystemClock()
  }

  @Test func `the terminal is changed and restored`() throws {
    let pseudo = try PseudoTerminal()
    let before = try pseudo.modes
    let terminal = try Terminal(input: pseudo.program, output: pseudo.program, clock: clock)
    #expect(try pseudo.output(until: "2004h") == ScreenSequences.enter(.plain))
    let during = try TerminalModes.current(of: pseudo.program).settings
    #expect(during.c_lflag & tcflag_t(ECHO | ICANON) == 0)
    #expect(during.c_lflag & tcflag_t(ISIG) != 0)

    try terminal.restore()
    try terminal.restore()
    #expect(try pseudo.output(until: "1049l") == ScreenSequences.leave(.plain))
    #expect(pseudo.isQuiet)
    #expect(try pseudo.modes == before)
    try terminal.draw(["late"], for: small)
    #expect(pseudo.isQuiet)
  }

  @Test func `a terminal that nobody restored is restored at deinitialization`() throws {
    let pseudo = try PseudoTerminal()
    let before = try pseudo.modes
    do { _ = try Terminal(input: pseudo.program, output: pseudo.program, clock: clock) }
    #expect(
      try pseudo.output(until: "1049l") == ScreenSequences.enter(.plain) + ScreenSequences.leave(.plain))
    #expect(try pseudo.modes == before)
    #expect(!TerminalRescue.isArmed)
  }

  @Test func `a file that is not a terminal is refused`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    #expect(throws: Problem("the terminal cannot be used: standard input or output is not a terminal")) {
      try Terminal(input: ends[0], output: ends[1], clock: clock)
    }
  }

  @Test func `a second terminal is refused and the first stays active`() throws {
    let pseudo = try PseudoTerminal()
    let first = try Terminal(input: pseudo.program, output: pseudo.program, clock: clock)
    #expect(throws: Problem("the terminal cannot be used: another display of this process uses it")) {
      try Terminal(input: pseudo.program, output: pseudo.program, clock: clock)
    }
    #expect(TerminalRescue.isArmed)
    try first.restore()
    #expect(
      try pseudo.output(until: "1049l") == ScreenSequences.enter(.plain) + ScreenSequences.leave(.plain))
  }

  @Test func `only changes are written`() throws {
    let pseudo = try PseudoTerminal()
    let terminal = try Terminal(input: pseudo.program, output: pseudo.program, clock: clock)
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
    let terminal = try Terminal(input: pseudo.program, output: pseudo.program, clock: clock)
    defer { #expect(throws: Never.self) { try terminal.restore() } }
    #expect(terminal.size == .fallback)
    try pseudo.resize(100, 30)
    #expect(terminal.size == TerminalSize(columns: 100, rows: 30))
  }

  @Test func `keys arrive immediately`() throws {
    let pseudo = try PseudoTerminal()
    let terminal = try Terminal(input: pseudo.program, output: pseudo.program, clock: clock)
    defer { #expect(throws: Never.self) { try terminal.restore() } }
    try pseudo.type("n")
    #expect(try terminal.read() == .keys([.next]))
    #expect(try pseudo.output(until: "2004h") == ScreenSequences.enter(.plain), "keys are not echoed")
  }

  @Test func `while suspended the shell controls the terminal`() throws {
    let pseudo = try PseudoTerminal()
    let before = try pseudo.modes
    let terminal = try Terminal(input: pseudo.program, output: pseudo.program, clock: clock)
    let during = try pseudo.modes
    try terminal.draw(["one"], for: small)
    try terminal.suspend()
    _ = try pseudo.output(until: "1049l")
    #expect(try pseudo.modes == before)
    try terminal.draw(["two"], for: small)
    #expect(pseudo.isQuiet)
    try terminal.resumeAfterSuspend()
    #expect(try pseudo.output(until: "2004h") == ScreenSequences.enter(.plain))
    #expect(try pseudo.modes == during)
    try terminal.draw(["two"], for: small)
    #expect(try pseudo.output(until: "2026l").contains("\u{1B}[2J"))
    try terminal.suspend()
    try terminal.restore()
    #expect(try pseudo.output(until: "1049l") == ScreenSequences.leave(.plain))
    #expect(try pseudo.modes == before)
  }

  @Test func `a fatal signal restores the terminal and still kills`() async throws {
    let pseudo = try PseudoTerminal()
    let before = try pseudo.modes
    let path = pseudo.path
    await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
      let descriptor = PseudoTerminal.open(path)
      let terminal = try Terminal(input: descriptor, output: descriptor, clock: SystemClock())
      raise(SIGSEGV)
      try terminal.restore()
    }
    #expect(
      try pseudo.output(until: "1049l") == ScreenSequences.enter(.plain) + ScreenSequences.leave(.plain))
    #expect(try pseudo.modes == before)
  }

  @Test func `a trap of the program restores the terminal`() async throws {
    let pseudo = try PseudoTerminal()
    let before = try pseudo.modes
    let path = pseudo.path
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let descriptor = PseudoTerminal.open(path)
      let terminal = try Terminal(input: descriptor, output: descriptor, clock: SystemClock())
      try terminal.draw(["one"], for: .fallback)
      fatalError("as a mistake in the program would")
    }
    #expect(try pseudo.output(until: "1049l").hasSuffix(ScreenSequences.leave(.plain)))
    #expect(try pseudo.modes == before)
  }

  @Test func `the title is saved, changed and restored`() throws {
    let pseudo = try PseudoTerminal()
    let style = DisplayStyle(colors: .none, glyphs: .unicode, takesStrings: true)
    let terminal = try Terminal(
      input: pseudo.program, output: pseudo.program, style: style, clock: clock)
    #expect(try pseudo.output(until: "t").hasSuffix("\u{1B}[22;2t"))
    try terminal.draw(["one"], title: "0:02 Tea", for: small)
    #expect(try pseudo.output(until: "2026l").hasPrefix("\u{1B}]2;0:02 Tea\u{7}\u{1B}[?2026h"))
    try terminal.draw(["one"], title: "0:01 Tea", for: small)
    #expect(try pseudo.output(until: "\u{7}") == "\u{1B}]2;0:01 Tea\u{7}")
    try terminal.draw(["one"], title: "0:01 Tea", for: small)
    #expect(pseudo.isQuiet)
    try terminal.restore()
    #expect(try pseudo.output(until: "1049l").contains("\u{1B}]2;\u{7}\u{1B}[23;2t"))
  }

  @Test func `a terminal that takes no strings gets no title`() throws {
    let pseudo = try PseudoTerminal()
    let terminal = try Terminal(input: pseudo.program, output: pseudo.program, clock: clock)
    try terminal.draw(["one"], title: "0:02 Tea", for: small)
    try terminal.restore()
    let output = try pseudo.output(until: "1049l")
    #expect(!output.contains("\u{1B}]") && !output.contains("\u{1B}[c") && !output.contains("2t"))
  }

  @Test(arguments: [Duration.zero, .seconds(5)])
  func `the answers of the terminal are no keys, however they arrive`(late: Duration) throws {
    let pseudo = try PseudoTerminal()
    let clock = ManualClock()
    let terminal = try Terminal(
      input: pseudo.program, output: pseudo.program, style: asking, clock: clock)
    _ = try pseudo.output(until: "\u{1B}]11;?\u{7}\u{1B}[c")
    #expect(terminal.keyEnd == nil)
    clock.advance(by: late)
    for part in ["\u{1B}", "]", "11;rgb:ff", "ff/bbbb/cccc\u{7}\u{1B}[", "?6", "2;c"] {
      try pseudo.type(part)
      #expect(try terminal.read() == .keys([]))
      guard part != "2;c" else { continue }
      // The first byte alone is the escape key; then an answer over a slow connection has time.
      clock.advance(by: .milliseconds(part == "\u{1B}" ? 50 : 900))
      let isOver = terminal.keyEnd.map { $0 <= clock.now().boot }
      #expect(isOver == (part == "\u{1B}"))
      if isOver == true { #expect(terminal.endKey()) }
    }
    #expect(terminal.style.background == TerminalColor(report: "rgb:ffff/bbbb/cccc"))
    try pseudo.type("\u{1B}[")
    #expect(try terminal.read() == .keys([]))
    #expect(terminal.keyEnd == clock.now().boot + .milliseconds(50))
    #expect(!terminal.endKey())
    try terminal.restore()
  }

  @Test func `the escape key takes no key with it while an answer is awaited`() throws {
    let pseudo = try PseudoTerminal()
    let clock = ManualClock()
    let terminal = try Terminal(
      input: pseudo.program, output: pseudo.program, style: asking, clock: clock)
    try pseudo.type("\u{1B}")
    #expect(try terminal.read() == .keys([]))
    #expect(terminal.keyEnd == clock.now().boot + .milliseconds(50))
    #expect(terminal.endKey())
    try pseudo.type("n")
    #expect(try terminal.read() == .keys([.next]))
    try pseudo.type("\u{1B}[?1;2c")
    #expect(try terminal.read() == .keys([]))
    try terminal.restore()
  }

  @Test func `an answer after the end of the display is not left to the shell`() async throws {
    let pseudo = try PseudoTerminal()
    let terminal = try Terminal(
      input: pseudo.program, output: pseudo.program, style: asking, isRemote: true, clock: clock)
    _ = try pseudo.output(until: "\u{1B}[c")
    let person = pseudo.person
    let answering = Task.detached {
      var request = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
      // The display is left before the answer.
      guard poll(&request, 1, 10_000) == 1 else { return }
      for part in ["\u{1B}]11;rgb:00", "00/0000/0000\u{7}", "\u{1B}[?1;2c"] {
        try writeAll(Array(part.utf8), to: person)
      }
    }
    let before = clock.now().boot
    try terminal.restore()
    try await answering.value
    #expect(clock.now().boot - before < .milliseconds(900))
    try pseudo.type("echo\n")
    var request = pollfd(fd: pseudo.program, events: Int16(POLLIN), revents: 0)
    #expect(poll(&request, 1, 10_000) == 1)
    var bytes = [UInt8](repeating: 0, count: 100)
    #expect(read(pseudo.program, &bytes, 100) == 5)
  }

  @Test(arguments: [(false, Duration.milliseconds(250)), (true, .seconds(1))])
  func `a terminal that never answers delays the end for a moment, and for a second if it is far away`(
    isRemote: Bool, limit: Duration
  ) throws {
    let pseudo = try PseudoTerminal()
    let before = clock.now().boot
    let terminal = try Terminal(
      input: pseudo.program, output: pseudo.program, style: asking, isRemote: isRemote, clock: clock)
    try terminal.restore()
    let took = clock.now().boot - before
    #expect(took >= limit - .milliseconds(10) && took < limit + .milliseconds(700))
    #expect(try pseudo.output(until: "1049l").contains("\u{1B}[c"))
  }
}
