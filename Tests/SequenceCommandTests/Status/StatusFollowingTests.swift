import Foundation
import SequencePlatform
import SequenceFiles
import SequenceRunner
import Synchronization
import TestSupport
import Testing

@testable import SequencePresentation
@testable import SequenceCommand

/// The times of a follower's lines: exactly the changes of its text.
@Suite(.timeLimit(.minutes(1)))
struct StatusFollowingTests {
  private static let yaml = """
    title: T
    cards:
      - { title: A, countdown: 2.3s }
      - { title: B, countdown: 1.5s }
      - { title: C, countUp: { goal: 2.25s } }
    """
  private static let manual = """
    title: T
    cards:
      - { title: A, countdown: 1.7s }
      - { title: D, countdown: 1.25s, advance: manual }
      - { title: E, countdown: 4s }
    """

  private static let forms: [String] =
    TemplateField.allCases.map { "--format={\($0.rawValue)}" }
    + [
      "--bar=plain", "--bar=polybar", "--bar=tmux", "--bar=i3status", "--bar=waybar",
      "--format={elapsed} {total.remaining}", "--format={step}{time}{overtime}", "--format={time?x}",
    ]

  private static func form(_ word: String) throws -> StatusForm {
    try StatusForm(ParsedArguments([word], of: StatusCommand.command), EnvironmentVariables([:]))
  }

  /// Returns the lines of a follower that wakes itself, with their times after the start.
  private func lines(_ form: StatusForm, _ sample: SampleRun, until end: Duration) throws -> [String] {
    var news = ChangeFilter(form)
    var lines: [String] = []
    var next: Duration? = SampleRun.start
    while let moment = next, moment <= SampleRun.start + end {
      let look = sample.status(at: moment)
      if let line = try news.line(look) { lines.append("\(moment - SampleRun.start) \(line)") }
      next = form.nextLook(after: look)
      if let next { try #require(next > moment, "it would wait for what is past") }
    }
    return lines
  }

  @Test(arguments: forms, [yaml, manual])
  func `each change prints a line immediately`(word: String, yaml: String) throws {
    let form = try Self.form(word)
    let sample = try SampleRun(yaml: yaml)
    var news = ChangeFilter(form)
    var expected: [String] = []
    for step in 0...800 {
      let offset = Duration.milliseconds(10 * step)
      if let line = try news.line(sample.status(at: SampleRun.start + offset)) {
        expected.append("\(offset) \(line)")
      }
    }
    #expect(try lines(form, sample, until: .seconds(8)) == expected)
  }

  @Test(arguments: [
    ("--format={step}", 3), ("--format={sequence}", 3), ("--format={state} {next}", 3),
    ("--format={time}", 10),
    ("--bar=plain", 10), ("--format={total.elapsed}", 11),
  ])
  func `a follower wakes for visible changes only, not every second`(word: String, looks count: Int) throws {
    let form = try Self.form(word)
    let sample = try SampleRun(yaml: Self.manual)
    var moments = [SampleRun.start]
    while let last = moments.last, let next = form.nextLook(after: sample.status(at: last)),
      next <= SampleRun.start + .seconds(8)
    { moments.append(next) }
    #expect(moments.count == count)
  }

  @Test func `a follower sleeps while the run is paused, and without a run`() throws {
    var sample = try SampleRun(yaml: Self.yaml)
    try sample.perform(.pause, after: 1)
    let form = try Self.form("--bar=waybar")
    #expect(form.nextLook(after: sample.status(after: 5)) == nil)
    #expect(form.nextLook(after: SampleRun.idle) == nil)
  }

  /// A follower on a terminal, which ends when it prints something after it was told to.
  private final class Follower: Sendable {
    let ended = DispatchSemaphore(value: 0)
    let status = Mutex<Int32?>(nil)
    let isLast = Mutex(false)

    init(in directory: String, _ clock: ManualClock, on terminal: Int32) {
      Thread { [self] in
        let result = StatusFollowingTests.perform(
          ["status", "--bar", "plain", "--follow"], in: directory, clock
        ) { line in
          if self.isLast.withLock({ $0 }) { throw SystemError(call: "write", code: EPIPE) }
          try TerminalOutput.write(line + "\n", to: terminal)
        }
        status.withLock { $0 = result }
        ended.signal()
      }.start()
    }
  }

  @discardableResult
  private static func perform(
    _ words: [String], in directory: String, _ clock: any ClockSource,
    print: @escaping (String) throws -> Void = { _ in }
  ) -> Int32 {
    let context = CommandContext(
      environment: ["SEQUENCE_STATE_DIR": directory], clock: clock, print: print, printError: { _ in },
      startAgent: { _ in getpid() }, agentProgram: { "" }, hasSystemd: false, hasTerminal: false)
    return SequenceProgram.run(words, in: context)
  }

  @Test func `two followers on terminals print the same lines, one per change`() throws {
    let directory = try TemporaryDirectory()
    // Its timers are far ahead; it wakes when the test moves the clock and touches the directory.
    let clock = ManualClock(boot: SystemClock.boot() + .seconds(1_000_000))
    func perform(_ words: String...) { Self.perform(words, in: directory.path, clock) }
    func wake(after duration: Duration) throws {
      clock.advance(by: duration)
      _ = try directory.write("", to: "touched")
    }
    perform("start", "--card", "Work 20s", "--card", "Rest 10s")
    let terminals = try [PseudoTerminal(), PseudoTerminal()]
    let followers = terminals.map { Follower(in: directory.path, clock, on: $0.program) }
    var seen = terminals.map { _ in "" }
    func expect(_ line: String) throws {
      for (index, terminal) in terminals.enumerated() {
        seen[index] += try terminal.output(until: line + "\r\n")
      }
    }
    try expect("Work 0:20")
    try wake(after: .milliseconds(999))
    try wake(after: .milliseconds(1))
    try expect("Work 0:19")
    perform("pause")
    try expect("Work 0:19 paused")
    try wake(after: .seconds(100))
    perform("resume")
    try expect("Work 0:19")
    perform("extend", "1m")
    try expect("Work 1:19")
    perform("next")
    try expect("Rest 0:10")
    perform("stop")
    try expect("")
    for text in seen {
      #expect(text == "Work 0:20\nWork 0:19\nWork 0:19 paused\nWork 0:19\nWork 1:19\nRest 0:10\n\n")
    }
    for follower in followers { follower.isLast.withLock { $0 = true } }
    perform("start", "--card", "Last 1h")
    for follower in followers {
      try #require(follower.ended.wait(timeout: .now() + 20) == .success)
      #expect(follower.status.withLock { $0 } == 0, "who reads along has gone, and nothing is wrong")
    }
  }

  @Test func `the built program updates each bar every second, and ends with its reader and on SIGTERM`()
    throws
  {
    let tool = try Tool()
    let bars = try (0..<3).map { _ in try tool.begin("status", "--bar", "polybar", "--follow") }
    for bar in bars { #expect(try bar.line() == "") }
    try tool.succeed("start", "--card", "A 2s", "--card", "B 1s")
    for bar in bars {
      #expect(try [bar.line(), bar.line(), bar.line(), bar.line()] == ["A 0:02", "A 0:01", "B 0:01", ""])
      bar.signal(SIGTERM)
      #expect(try bar.exitStatus() == 128 + SIGTERM)
      #expect(try bar.lines() == [])
      #expect(try bar.errorText() == "")
    }
    let program = try BuiltProducts.path(of: "sequence")
    let script = "'\(program)' status --bar plain --follow --format '{step:20}.' | head -n 0; echo over"
    #expect(
      try ChildProcess.run("/bin/sh", ["-c", script], environment: tool.environment).text == "over")
  }

  @Test func `the bar of a name waits for the run, and for the next run of that name`() throws {
    let tool = try Tool()
    let bar = try tool.begin("status", "tea", "--bar", "plain", "--follow")
    #expect(try bar.line() == "")
    try tool.succeed("start", "--card", "Other 1h")
    for title in ["Green", "Black"] {
      try tool.succeed("start", "--card", "\(title) 1h", "--name", "tea", "--beside", "--paused")
      #expect(try bar.line() == "\(title) 1:00:00 paused")
      try tool.succeed("stop", "tea")
      #expect(try bar.line() == "")
    }
    bar.signal(SIGTERM)
    #expect(try tool("status", "tea", "--bar", "plain").status == 0)
    let misspelled = try tool("status", "Tea", "--bar", "plain", "--follow")
    #expect(misspelled.status == 1 && misspelled.errors.contains(#"no active run is named "Tea""#))
    #expect(try tool("status", "tea", "--follow").status == 1)
  }
}
