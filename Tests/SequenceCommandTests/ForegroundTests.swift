import Foundation
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

/// The live display on a terminal, and whether it or a notification informs the user.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct ForegroundTests {
  private let bus: PrivateBus
  private let server: RecordingServer
  private let tool: Tool
  private let terminal: PseudoTerminal

  init() throws {
    (bus, server, tool) = try Tool.served()
    terminal = try PseudoTerminal()
    try terminal.resize(80, 24)
  }

  private func show(_ words: String...) throws -> pid_t { try terminal.show(tool, words) }

  /// Waits, with a limit, until the display claims or releases the foreground.
  private func wait(untilClaimed isClaimed: Bool) throws {
    let lock = try FileLock(path: tool.state + "/foreground.lock")
    let limit = SystemClock.boot() + .seconds(10)
    while try lock.isHeldByAnother() != isClaimed {
      guard SystemClock.boot() < limit else { throw TestSupportError("the claim is not \(isClaimed)") }
      _ = poll(nil, 0, 5)
    }
  }

  /// Presses Ctrl-C in a display on the terminal, which must end with its exit status.
  private func interrupt(_ display: pid_t) throws {
    try terminal.type("\u{3}")
    var status: Int32 = 0
    #expect(waitpid(display, &status, 0) == display)
    #expect(status >> 8 == 130)
  }

  @Test func `a focused display suppresses notifications, an unfocused or dead one does not`() throws {
    let display = try show("run", "--card", "A 0.3s", "--card", "B 1h", "--card", "C 1h")
    _ = try terminal.output(until: "\u{1B}[?1004h")
    try tool.wait { $0.first == "suppressed" }
    #expect(
      try tool.notifications().first?["reason"] as? String == "a display of the run had the keyboard focus")

    try terminal.type("\u{1B}[O")
    try wait(untilClaimed: false)
    try tool.succeed("back")
    #expect(try server.next("notify").summary == "B, 1h")

    try terminal.type("\u{1B}[I")
    try wait(untilClaimed: true)
    try tool.succeed("back")
    #expect(try server.next("closed").reason == 3)
    try tool.wait { $0.count { $0 == "suppressed" } == 2 }

    kill(display, SIGKILL)
    try wait(untilClaimed: false)
    try tool.succeed("back")
    #expect(try server.next("notify").summary == "B, 1h")
    #expect(waitpid(display, nil, 0) == display)
  }

  @Test func `an end that rings is shown although its display has the focus`() throws {
    let display = try show("run", "--card", "A 0.3s", "--ring")
    _ = try terminal.output(until: "\u{1B}[?1004h")
    #expect(try server.next("notify").summary == "A is finished")
    #expect(waitpid(display, nil, 0) == display)
    #expect(try tool.succeed("stop") == "a no longer rings")
    #expect(try server.next("closed").reason == 3)
  }

  @Test func `in tmux only a window that is shown suppresses notifications`() throws {
    let socket = tool.directory.path + "/tmux"
    func tmux(_ words: String...) throws {
      let output = try ChildProcess.run(
        "/usr/bin/tmux", ["-S", socket] + words, environment: tool.environment)
      guard output.status == 0 else { throw TestSupportError("\(words): \(output.errors)") }
    }
    // The sleep ends with the server.
    let shell = try terminal.script(
      tool,
      "tmux -S '\(socket)' -f /dev/null new-session \"'$0' run --card 'A 1h' --card 'B 1h' --card 'C 1h'\" "
        + "\\; new-window -d 'sleep 1000'")
    defer {
      try? tmux("kill-server")
      waitpid(shell, nil, 0)
    }
    let begin = SystemClock.boot()
    while access(tool.state + "/foreground.lock", F_OK) != 0, SystemClock.boot() < begin + .seconds(20) {
      _ = poll(nil, 0, 5)
    }
    try wait(untilClaimed: true)
    // The display asks shortly before the end of a step.
    try tmux("select-window", "-t", ":1")
    try tool.succeed("extend", "-3599s")
    #expect(try server.next("notify").summary == "B, 1h")
    try wait(untilClaimed: false)
    try tmux("select-window", "-t", ":0")
    try tool.succeed("extend", "-3598.5s")
    #expect(try server.next("closed").reason == 3)
    try tool.wait { $0.contains("suppressed") }
    try tool.succeed("stop")
  }

  @Test func `a display over SSH suppresses nothing`() throws {
    let shell = try terminal.script(
      tool, "SSH_CONNECTION='10.0.0.1 1 10.0.0.2 22' \"$0\" run --card 'A 0.3s' --card 'B 1h'")
    _ = try terminal.output(until: "\u{1B}[?1004h")
    #expect(try server.next("notify").summary == "B, 1h")
    try terminal.type("\u{1B}[I")
    try tool.succeed("stop")
    waitpid(shell, nil, 0)
  }

  @Test func `a sequence from a pipe has a display with keys`() throws {
    let shell = try terminal.script(
      tool, #"printf 'title: T\ncards: [{ title: A, countdown: 1h }]' | "$0" run -"#)
    _ = try terminal.output(until: "\u{1B}[?1004h")
    try terminal.type(" ")
    _ = try terminal.output(until: "paused")
    try terminal.type("q")
    var status: Int32 = -1
    #expect(waitpid(shell, &status, 0) == shell)
    #expect(status == 0)
    #expect(try tool.json("status")["state"] as? String == "paused")
  }

  @Test func `a display started in the background shows nothing and suppresses nothing`() throws {
    let shell = try terminal.script(tool, #""$0" timer 0.3s Tea & wait"#)
    #expect(try server.next("notify").summary == "Tea is finished")
    let output = try terminal.output(until: "Tea is finished")
    #expect(!output.contains("\u{1B}"))
    #expect(waitpid(shell, nil, 0) == shell)
  }

  @Test func `a display that is continued in the background suppresses nothing until it is back`() throws {
    let cards = #"--card "A 0.3s" --card "B 1h" --card "C 1h""#
    let shell = try terminal.script(tool, #""$0" run \#(cards); bg; read; fg"#)
    _ = try terminal.output(until: "\u{1B}[?1004h")
    // Typed keys are not read by the display that waits for the answer of the terminal.
    try terminal.type("\u{1B}[?62c")
    try tool.wait { $0.first == "suppressed" }
    try terminal.type("\u{1A}")
    _ = try terminal.output(until: "\u{1B}[?1049l")
    try wait(untilClaimed: false)
    try tool.succeed("back")
    #expect(try server.next("notify").summary == "B, 1h")

    try terminal.type("\n")
    _ = try terminal.output(until: "\u{1B}[?1004h")
    try wait(untilClaimed: true)
    try terminal.type("q")
    var status: Int32 = -1
    #expect(waitpid(shell, &status, 0) == shell)
    #expect(status == 0)
  }

  @Test func `a display that the shell leaves behind stopped leaves the run going`() throws {
    // As bash does at its end.
    let shell = try terminal.script(
      tool, #""$0" run --card "A 1h"; kill -s TERM %%; kill -s CONT %%; wait"#)
    _ = try terminal.output(until: "\u{1B}[?1004h")
    try terminal.type("\u{1A}")
    #expect(waitpid(shell, nil, 0) == shell)
    #expect(try tool.json("status")["state"] as? String == "running")
  }

  @Test func `a stopped display suppresses nothing`() throws {
    let display = try show("run", "--card", "A 0.3s", "--card", "B 1h", "--card", "C 1h")
    try tool.wait { $0.first == "suppressed" }
    kill(display, SIGSTOP)
    #expect(waitpid(display, nil, WUNTRACED) == display)
    try tool.succeed("back")
    #expect(try server.next("notify").summary == "B, 1h")
    kill(display, SIGCONT)
    try terminal.type("q")
    #expect(waitpid(display, nil, 0) == display)
  }

  @Test func `Tab shows the next run, which keys and the claim then concern, but not Ctrl-C`() throws {
    try tool.succeed("start", "--card", "Work 1h", "--title", "Focus")
    try tool.succeed(
      "start", "--card", "A 31s", "--card", "B 1h", "--title", "Tea", "--beside", "--name", "tea")
    let display = try show("attach", "focus")
    _ = try terminal.output(until: "tab")
    try wait(untilClaimed: true)
    try terminal.type("\t")
    _ = try terminal.output(until: "step 1 of 2")
    try terminal.type("-")
    _ = try terminal.output(until: "step 2 of 2")
    try tool.wait { $0.contains("suppressed") }
    try terminal.type("\u{3}")
    #expect(waitpid(display, nil, 0) == display)
    #expect(try tool.json("status", "focus")["state"] as? String == "running")
    #expect(try tool.json("status", "tea")["state"] as? String == "running")
  }

  @Test func `Ctrl-C pauses the run that the display began with`() throws {
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h", "--title", "Tea")
    let display = try show("run", "--card", "Work 1h", "--title", "Focus", "--beside")
    _ = try terminal.output(until: "tab")
    try terminal.type("\t")
    _ = try terminal.output(until: "step 1 of 2")
    try interrupt(display)
    #expect(try tool.json("status", "focus")["state"] as? String == "paused")
    #expect(try tool.json("status", "tea")["state"] as? String == "running")
  }

  @Test func `Ctrl-C in one of two terminals pauses its own run`() throws {
    let first = try show("run", "--card", "A 1h", "--title", "First")
    _ = try terminal.output(until: "step 1 of 1")
    let other = try PseudoTerminal()
    try other.resize(80, 24)
    let second = try other.show(tool, ["run", "--card", "B 1h", "--title", "Second", "--beside"])
    _ = try other.output(until: "tab")
    _ = try terminal.output(until: "tab")
    try interrupt(first)
    #expect(try tool.json("status", "first")["state"] as? String == "paused")
    _ = try other.output(until: "paused")
    #expect(try tool.json("status", "second")["state"] as? String == "running")
    try other.type("\u{3}")
    #expect(waitpid(second, nil, 0) == second)
    #expect(try tool.json("status", "second")["state"] as? String == "paused")
  }

  @Test func `if another run ends while it is shown, the display says so and goes back`() throws {
    try tool.succeed("start", "--card", "Work 1h", "--title", "Focus")
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h", "--title", "Tea", "--beside")
    let display = try show("attach", "focus")
    _ = try terminal.output(until: "tab")
    try terminal.type("\t")
    _ = try terminal.output(until: "step 1 of 2")
    try tool.succeed("stop", "tea")
    _ = try terminal.output(until: "Tea is stopped")
    // The key may have been meant for the tea.
    try terminal.type(" ")
    _ = try terminal.output(until: "nothing was changed")
    try terminal.type("q")
    #expect(waitpid(display, nil, 0) == display)
    #expect(try tool.json("status")["state"] as? String == "running")
  }

  @Test func `a display in the smallest terminals works, however often these are resized`() throws {
    let display = try show("run", "--card", "A 1h", "--card", "B 1h")
    _ = try terminal.output(until: "A")
    for round in 0..<60 {
      let (columns, rows) = [(1, 1), (80, 24), (1, 24), (200, 1), (20, 5), (2, 2)][round % 6]
      try terminal.resize(columns, rows)
      // Each size is drawn.
      _ = try terminal.output(until: "\u{1B}[")
    }
    try terminal.resize(1, 1)
    try terminal.type("т")
    try tool.wait { try tool.status("step") == "B" }
    try terminal.type("й")
    var status: Int32 = -1
    #expect(waitpid(display, &status, 0) == display)
    #expect(status == 0)
    try tool.succeed("stop")
  }

  @Test func `a run started paused is shown paused, and Space starts its clock`() throws {
    let display = try show("run", "--paused", "--card", "A 10m")
    _ = try terminal.output(until: "paused")
    #expect(try tool.status("state") == "paused" && tool.status("time") == "10:00")
    #expect(try tool.notifications().isEmpty)
    try terminal.type(" ")
    try tool.wait { $0.first == "pending" }
    #expect(try tool.status("state") == "running")
    try interrupt(display)
  }

  @Test func `a run end seen on the display is not repeated by a notification`() throws {
    let display = try show("run", "--card", "A 0.2s", "--card", "B 0.2s")
    var status: Int32 = 0
    #expect(waitpid(display, &status, 0) == display)
    #expect(status == 0)
    try tool.waitForEndOfAgent()
    #expect(try tool.notificationStates() == ["suppressed", "suppressed"])
    #expect(try !server.screen().before.contains { $0.event == "notify" })
  }

  @Test func `a key pressed while the store is busy reports that, and the display continues`() throws {
    // The message names the store.
    try terminal.resize(160, 24)
    let display = try show("run", "--card", "A")
    _ = try terminal.output(until: "step 1 of 1")
    let other = try Database(path: tool.state + "/sequence.db")
    try other.execute("BEGIN IMMEDIATE")
    try terminal.type(" ")
    // SQLite gives up after 5 s.
    _ = try terminal.output(until: "is kept busy by another process")
    try other.execute("ROLLBACK")
    try terminal.type(" ")
    _ = try terminal.output(until: "PAUSED")
    try terminal.type("q")
    var status: Int32 = -1
    #expect(waitpid(display, &status, 0) == display)
    #expect(status == 0)
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil,
      "it is about time, which a sanitizer bends"))
  func `a server stopped for a minute delays nothing else`() throws {
    let seconds = 2
    let display = try show("run", "--card", "Round \(seconds)s", "--rounds", "100")
    try terminal.type("\u{1B}[O")
    _ = try terminal.output(until: "step 1 of 100")
    let start = try #require(
      try RunStore(in: StateDirectory(path: tool.state), clock: SystemClock(), parts: [], observers: [])
        .settle().run?
        .startedAt)
    // Waiting for the server takes at least its time limit of a second; a busy machine takes less.
    let limit = Duration.milliseconds(500)
    server.signal(SIGSTOP)
    for step in 2...30 {
      _ = try terminal.output(until: "step \(step) of 100")
      let late = try SystemClock().now().wall.duration(since: start) - .seconds(seconds * (step - 1))
      #expect(late < limit, "step \(step)")
      guard step % 5 == 0 else { continue }
      let before = SystemClock.boot()
      try tool.succeed("status")
      #expect(SystemClock.boot() - before < limit)
    }
    let former = try tool.waitForAgent()
    let before = SystemClock.boot()
    try tool.succeed("pause")
    #expect(SystemClock.boot() - before < limit)
    // In a pause nothing is pending or visible, so the agent exits, and later another one starts.
    try tool.waitForEndOfAgent()
    try tool.succeed("resume")
    let agent = try tool.waitForAgent(otherThan: former)
    let end = try FileDescriptor(ofProcess: agent)
    let asked = SystemClock.boot()
    kill(agent, SIGTERM)
    _ = try waitUntilReadable([end.number])
    #expect(SystemClock.boot() - asked < .seconds(1))
    // The display starts another agent.
    server.signal(SIGCONT)
    // The next due notification becomes the visible one.
    try tool.wait { $0.count { $0 == "delivered" } == 1 && !$0.contains("presenting") }
    #expect(try server.screen().ids.count == 1)
    try tool.succeed("stop")
    #expect(waitpid(display, nil, 0) == display)
    try tool.waitForEndOfAgent()
    #expect(try server.screen().ids.isEmpty)
  }
}
