import Foundation
import NotifierLedger
import NotifierDelivery
import SequencePlatform
import SequenceAgent
import SequenceConfiguration
import SequencePresentation
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// Hooks as processes, without runs and without an agent.
@Suite(.timeLimit(.minutes(1)))
struct HookRunnerTests {
  private let directory: TemporaryDirectory
  private let runner: HookRunner
  private let clock: SystemClock

  init() throws {
    directory = try TemporaryDirectory()
    clock = try SystemClock()
    let environment = EnvironmentVariables([
      "PATH": "relative:/nowhere:/usr/bin:/bin", "HOME": directory.path, "SEQUENCE_EVENT": "of another",
    ])
    runner = HookRunner(
      HookEnvironment(environment, state: StateDirectory(path: "/state")), clock: clock)
  }

  private let run = UUID()

  private func words(_ title: String = "Work") throws -> HookWords {
    let card = Card(id: UUID(), title: title, timing: .countdown(.seconds(20), advance: .automatic))
    let definition = SequenceDefinition(
      id: UUID(), title: "Test", elements: [.group(Group(rounds: 2, elements: [.card(card)]))],
      onSuspend: nil,
      onLock: nil)
    let run = ActiveRunSnapshot(timeline: try Timeline(definition), at: clock.now())
    let start = RunEvent(kind: .stepStart, step: 0, at: clock.now(), elapsed: .zero, target: run.target)
    return HookWords(start, in: run)
  }

  private func hook(_ words: String..., timeout: Duration = .seconds(30)) throws -> Hook {
    let arguments = try words.dropFirst().map { try Template($0) }
    return Hook(events: [.stepStart], program: words[0], arguments: arguments, timeout: timeout)
  }

  private func finish() throws -> [HookProblem] {
    runner.collect([])
    while !runner.hasNothingToWaitFor { runner.collect(try waitUntilReadable(runner.descriptors)) }
    return runner.takeProblems().map(\.problem)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: directory.path + "/" + name, encoding: .utf8)
  }

  @Test func `a value is one argument whatever it contains, and never an option`() throws {
    let title = "-rf \"$(touch pwned)\" 'x'; y\u{7}\nz"
    let hook = try hook(
      "sh", "-c", #"for word; do printf '<%s>' "$word"; done > said"#, "sh", "{step}", "a{step}",
      "{{}}",
      "{next}{number}/{count}", "{remaining}")
    runner.add(HookJob(hook: hook, run: run, words: try words(title)))
    #expect(try finish() == [])
    let safe = "-rf \"$(touch pwned)\" 'x'; y z"
    #expect(try text("said") == "< \(safe)><a\(safe)><{}>< \(safe)1/2><0:20>")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["said"])
  }

  @Test(arguments: [
    ("{paused?Paused: }{step}", " --help"), ("{paused?-}{round}{step}", "1--help"),
    ("{paused}{step}", " --help"),
    ("{paused?x}--{step}", "----help"), ("{step?--title=}{step}", "--title=--help"), ("{step:.3}", " --…"),
  ])
  func `a title never becomes an option`(template: String, argument: String) throws {
    #expect(try words("--help").filled(Template(template)) == argument)
    #expect(try words("-\u{301}x").filled(Template("{step}")) == " -\u{301}x")
  }

  @Test func `the environment has the same values in addition to those of the agent`() throws {
    runner.add(HookJob(hook: try hook("sh", "-c", "env > said; pwd >> said"), run: run, words: try words()))
    #expect(try finish() == [])
    let lines = Set(try text("said").split(separator: "\n").map(String.init))
    for line in [
      "SEQUENCE_EVENT=step-start", "SEQUENCE_CARD_TITLE=Work", "SEQUENCE_TITLE=Test", "SEQUENCE_ROUND=1",
      "SEQUENCE_ROUNDS=2", "SEQUENCE_NEXT_TITLE=Work", "SEQUENCE_DURATION=20", "SEQUENCE_STATE_DIR=/state",
      "HOME=\(directory.path)", "PATH=relative:/nowhere:/usr/bin:/bin", directory.path,
    ] {
      #expect(lines.contains(line), "\(line) is missing in \(lines)")
    }
  }

  @Test func `a program that is missing, fails or is killed is reported with its last output`() throws {
    let document = try directory.write("no program", to: "document")
    let failing = try hook("sh", "-c", "echo first >&2; echo 'the \u{1B}[1mreason' >&2; exit 3")
    for hook in [
      try hook("no-such-program"), try hook(document), failing, try hook("sh", "-c", "kill -9 $$"),
    ] {
      runner.add(HookJob(hook: hook, run: run, words: try words()))
    }
    let problems = try finish()
    #expect(
      Set(problems.map { "\($0.kind): \($0.detail)" }) == [
        "notStarted: the program no-such-program was not found, or is not executable",
        "notStarted: the program \(document) was not found, or is not executable",
        "failed: exit status 3: the [1mreason", "failed: signal 9 ended it",
      ])
  }

  @Test func `a hook whose exit status is lost counts as failed, not as never started`() throws {
    runner.add(HookJob(hook: try hook("true"), run: run, words: try words()))
    runner.collect([])
    let descriptor = try #require(runner.descriptors.first)
    _ = try waitUntilReadable([descriptor])
    // Another part of this process takes the exit status first.
    let information = try String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
    let line = try #require(information.split(separator: "\n").first { $0.hasPrefix("Pid:") })
    let process = try #require(pid_t(line.dropFirst(4).trimmingCharacters(in: .whitespaces)))
    #expect(waitpid(process, nil, 0) == process)
    #expect(try finish() == [HookProblem(.failed, "waitid: No child processes")])
  }

  @Test func `a hanging hook is asked to end and then killed, with its children`() throws {
    let hook = try hook(
      "sh", "-c", "trap '' TERM; (trap '' TERM; sleep 600) & echo $! > child; echo hm >&2; wait; sleep 600",
      timeout: .milliseconds(300))
    let start = clock.now().boot
    runner.add(HookJob(hook: hook, run: run, words: try words()))
    #expect(try finish() == [HookProblem(.timeout, "it took longer than 0.3s: hm")])
    let taken = clock.now().boot - start
    #expect(taken >= .milliseconds(1300) && taken < .seconds(5))
    let child = try #require(pid_t(try text("child").trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(try isGone(child))
  }

  @Test func `a hook that stops the program that limits it is killed, with its children`() throws {
    let hook = try hook(
      "sh", "-c", "kill -STOP $PPID; sleep 600 & echo $! > child; wait", timeout: .milliseconds(100))
    let start = clock.now().boot
    runner.add(HookJob(hook: hook, run: run, words: try words()))
    runner.collect([])
    let timer = try DeadlineTimer()
    while !runner.descriptors.isEmpty {
      try timer.arm(runner.nextWake)
      runner.collect(try waitUntilReadable(runner.descriptors + [timer.descriptor]))
      // A hook that is killed keeps no agent.
      if runner.nextWake == nil { #expect(runner.hasNothingToWaitFor) }
    }
    #expect(clock.now().boot - start < .seconds(10))
    #expect(runner.takeProblems().map(\.problem) == [HookProblem(.timeout, "it took longer than 0.1s")])
    let child = try #require(pid_t(try text("child").trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(try isGone(child))
  }

  @Test func `a hook that ends when asked is not waited for, and its children end too`() throws {
    let hook = try hook(
      "sh", "-c", "(trap '' TERM; echo $$ >&2; sleep 600) & echo $! > child; exec sleep 600",
      timeout: .milliseconds(300))
    let start = clock.now().boot
    runner.add(HookJob(hook: hook, run: run, words: try words()))
    #expect(try finish().map(\.kind) == [.timeout])
    #expect(clock.now().boot - start < .milliseconds(1200))
    #expect(
      try isGone(try #require(pid_t(try text("child").trimmingCharacters(in: .whitespacesAndNewlines)))))
  }

  @Test func `a process that a hook leaves running on purpose continues and can still write`() throws {
    let hook = try hook(
      "sh", "-c", "(read line < gate; echo late >&2 && echo done > said) & exit 0")
    mkfifo(directory.path + "/gate", 0o600)
    runner.add(HookJob(hook: hook, run: run, words: try words()))
    #expect(try finish() == [])
    let watch = try DirectoryWatch(path: directory.path)
    try "go\n".write(toFile: directory.path + "/gate", atomically: false, encoding: .utf8)
    while (try? text("said")) != "done\n" {
      _ = try waitUntilReadable([watch.descriptor])
      try watch.drain()
    }
  }

  @Test func `a hook that floods its output causes no wake-ups and fails at the size limit`() throws {
    runner.add(
      HookJob(hook: try hook("sh", "-c", "head -c 50000000 /dev/zero"), run: run, words: try words()))
    #expect(try finish() == [])
    runner.add(HookJob(hook: try hook("sh", "-c", "exec yes nonsense >&2"), run: run, words: try words()))
    let problems = try finish()
    #expect(problems.map(\.kind) == [.failed])
    #expect(problems.allSatisfy { $0.detail.count < 300 }, "\(problems)")
  }

  @Test func `each hook runs one process at a time, and the oldest of those waiting too long is dropped`()
    throws
  {
    mkfifo(directory.path + "/gate", 0o600)
    let hook = try hook("sh", "-c", "read line < gate; echo $SEQUENCE_CARD_TITLE >> said")
    runner.add(HookJob(hook: hook, run: run, words: try words("0")))
    runner.collect([])
    for number in 1...10 { runner.add(HookJob(hook: hook, run: run, words: try words(String(number)))) }
    #expect(runner.takeProblems().map(\.problem.kind) == [.dropped, .dropped])
    #expect(runner.descriptors.count == 1)
    // Another hook does not wait for it.
    runner.add(HookJob(hook: try self.hook("sh", "-c", "echo other >> said"), run: run, words: try words()))
    runner.collect([])
    #expect(runner.descriptors.count == 2)
    let gate = open(directory.path + "/gate", O_RDWR)
    defer { close(gate) }
    try writeAll(Array(String(repeating: "go\n", count: 9).utf8), to: gate)
    #expect(try finish() == [])
    let said = try text("said").split(separator: "\n").map(String.init)
    #expect(said.filter { $0 != "other" } == ["0", "3", "4", "5", "6", "7", "8", "9", "10"])
    #expect(said.contains("other"))
  }

  @Test func `running hooks are killed with their runner`() throws {
    let script = "echo $PPID > parent; sleep 600 & echo $! > child.new; mv child.new child; wait"
    runner.add(HookJob(hook: try hook("sh", "-c", script), run: run, words: try words()))
    let watch = try DirectoryWatch(path: directory.path)
    runner.collect([])
    while !FileManager.default.fileExists(atPath: directory.path + "/child") {
      _ = try waitUntilReadable([watch.descriptor])
      try watch.drain()
    }
    runner.endAll()
    #expect(runner.hasNothingToWaitFor)
    func process(_ file: String) throws -> pid_t {
      try #require(pid_t(try text(file).trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    #expect(try isGone(process("child")))
    // A process whose end nobody has collected still takes signals.
    #expect(try kill(process("parent"), 0) == -1)
  }

  /// Returns whether a process has ended or ends within a moment.
  private func isGone(_ process: pid_t) throws -> Bool {
    guard let end = try? FileDescriptor(ofProcess: process) else { return true }
    let timer = try DeadlineTimer()
    try timer.arm(clock.now().boot + .seconds(5))
    return try waitUntilReadable([end.number, timer.descriptor]).contains(end.number)
  }
}
