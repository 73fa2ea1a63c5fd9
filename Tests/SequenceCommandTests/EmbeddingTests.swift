import Foundation
import NotifierLedger
import SequencePlatform
import SequenceStore
import TestSupport
import Testing

/// The example of embedding the libraries, with a notification server.
@Suite(.timeLimit(.minutes(1)))
struct EmbeddingTests {
  @Test func `a separate program runs a sequence and delivers its notifications`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let directory = try TemporaryDirectory()
    let program = try ChildProcess(
      BuiltProducts.path(of: "embedding-example"), [directory.path],
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    let first = try server.next("notify")
    #expect(first.summary == "Now: Steep" && first.app == "Tea")
    #expect(try server.next("notify").summary == "Your tea is ready")
    let lines = try program.lines()
    #expect(lines.first?.hasPrefix("Pour: ") == true)
    #expect(
      lines.dropFirst() == [
        "run-start: Pour", "step-start: Pour", "extend: Pour", "half: Pour", "step-end: Pour",
        "step-start: Steep", "half: Steep", "step-end: Steep",
        "Pour: completed, 1.2 seconds of 1.2 seconds", "Steep: completed, 0.5 seconds of 0.5 seconds",
      ])
    #expect(try program.exitStatus() == 0)
  }

  @Test func `a program without sequences schedules, responds and cleans up`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    try server.tell("capabilities body,body-markup,actions")
    let directory = try TemporaryDirectory()
    let program = try ChildProcess(
      BuiltProducts.path(of: "reminders-example"), [directory.path],
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    let first = try server.next("notify")
    #expect(first.app == "Kettle")
    #expect(first.summary == "Tea is ready")
    #expect(first.body == "&lt;green&gt; &amp; hot")
    #expect(first.actions == ["again", "Tell me again", "done", "Drunk"])
    #expect(first.hints?["category"] == "'x-kettle.ready'")
    try server.tell("invoke \(first.id ?? 0) again")
    let second = try server.next("notify")
    try server.tell("invoke \(second.id ?? 0) done")
    #expect(
      try program.lines() == [
        "tea.black is past due", "pending: tea.green, tea.black", "tea.green: action(key: \"again\")",
        "tea.green: action(key: \"done\")", "tea.black cancelled: it was removed",
      ])
    #expect(try program.exitStatus() == 0)
    #expect(try server.screen().ids.isEmpty)
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(files.contains("kettle.db") && !files.contains("sequence.db"), "\(files)")
  }

  @Test func `a program with notifications of its own has no tables and texts of runs`() throws {
    let words = [
      "planning_mark", "active_run", "step-end", "x-sequence.", "the run was", "idleServices",
      "A countdown runs",
    ]
    for (program, isOfRuns) in [
      ("reminders-example", false), ("remind-example", false), ("sequence-agent", true),
    ] {
      let content = try Data(contentsOf: URL(filePath: BuiltProducts.path(of: program)))
      for word in words {
        #expect((content.range(of: Data(word.utf8)) != nil) == isOfRuns, "\(word) in \(program)")
      }
    }
  }

  private struct RemindProgram {
    let directory: TemporaryDirectory
    let bus: PrivateBus

    func callAsFunction(_ arguments: String...) throws -> ChildProcess {
      try ChildProcess(
        BuiltProducts.path(of: "remind-example"), [directory.path] + arguments,
        environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    }
  }

  private func remindStore(_ directory: TemporaryDirectory) throws -> OpenStore {
    try OpenStore(
      in: StateDirectory(path: directory.path, database: "remind.db"), clock: SystemClock(),
      parts: [NotificationTables()])
  }

  @Test func `a command adds, lists and removes reminders while the daemon runs`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let directory = try TemporaryDirectory()
    let remind = RemindProgram(directory: directory, bus: bus)
    let daemon = try remind("run")
    defer { daemon.signal(SIGKILL) }
    #expect(try remind("add", "Anna", "2.5 mg", "every", "1").exitStatus() == 0)
    let shown = try server.next("notify")
    #expect(shown.summary == "Anna: 2.5 mg")
    try server.tell("invoke \(shown.id ?? 0) snooze")
    #expect(try daemon.line(within: .seconds(20)) == "Anna: 2.5 mg: action(key: \"snooze\")")
    #expect(try remind("add", "Ben", "Iron", "8:30").exitStatus() == 0)
    let listed = try Set(remind("list").lines())
    #expect(
      listed == [
        "Anna: 2.5 mg, after 600 s", "Anna: 2.5 mg, every 1 s", "Ben: Iron, matching hour=8 minute=30",
      ])
    #expect(try remind("remove", "Anna").lines() == ["removed"])
    #expect(try server.screen().ids.isEmpty)
    // The snoozed copy is below the reminder.
    #expect(try remind("list").lines() == ["Ben: Iron, matching hour=8 minute=30"])
    let refused = try remind("add", "Ben", "Iron", "25:00")
    #expect(
      try refused.errorText()
        == "remind: med.Ben.Iron has no time: the hour is 25; use a value from 0 to 23\n")
    #expect(try refused.exitStatus() == 1)
  }

  @Test func `a daemon that is killed before it handles a response handles it at its next start`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let directory = try TemporaryDirectory()
    let remind = RemindProgram(directory: directory, bus: bus)
    #expect(try remind("add", "Anna", "Iron", "every", "3600").exitStatus() == 0)
    // The daemon recorded the response, and got no further.
    let store = try remindStore(directory)
    let now = try SystemClock().now()
    let added = try #require(try store.ledger.entries(in: .everything).first)
    _ = try store.changeLedger { ledger throws(StoreError) in
      try ledger.record(.action(key: "snooze"), to: added, activationToken: nil, at: now)
    }
    let daemon = try remind("run")
    #expect(try daemon.line(within: .seconds(20)) == "Anna: Iron: action(key: \"snooze\")")
    #expect(try remind("list").lines() == ["Anna: Iron, after 600 s", "Anna: Iron, every 3600 s"])
    // The next daemon handles only later responses.
    let last = try #require(try store.ledger.entries(in: .everything).last)
    _ = try store.changeLedger { ledger throws(StoreError) in
      try ledger.record(.dismissed, to: last, activationToken: nil, at: now)
    }
    daemon.signal(SIGKILL)
    _ = try daemon.exitStatus()
    let next = try remind("run")
    #expect(try next.line(within: .seconds(20)) == "Anna: Iron: dismissed")
    next.signal(SIGKILL)
    #expect(try next.exitStatus() == 128 + SIGKILL)
    #expect(try server.screen().ids.isEmpty)
  }

  /// The daemon is killed when the server has shown a notification, or before the server answers.
  @Test func `a daemon that is killed around deliveries continues its reminders`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let directory = try TemporaryDirectory()
    let remind = RemindProgram(directory: directory, bus: bus)
    #expect(try remind("add", "Anna", "Iron", "every", "1").exitStatus() == 0)
    let store = try remindStore(directory)
    func entries(_ state: LedgerEntry.State) throws -> [LedgerEntry] {
      try store.readLedger { ledger throws(StoreError) in try ledger.entries(in: .everything) }.filter {
        $0.state == state
      }
    }
    let first = try #require(try entries(.pending).first).due.boot
    for round in 0..<6 {
      let daemon = try remind("run")
      if round.isMultiple(of: 2) {
        _ = try server.next("notify")
      } else {
        try server.tell("hang Notify")
        _ = try server.next("held")
      }
      daemon.signal(SIGKILL)
      _ = try daemon.exitStatus()
      try server.tell("hang off")
      // Whenever it is killed, the next time is planned already.
      #expect(try remind("list").lines() == ["Anna: Iron, every 1 s"])
      let next = try #require(try entries(.pending).last).due.boot - first
      #expect(next > .zero && next.components.attoseconds == 0)
    }
    let daemon = try remind("run")
    let shown = [try server.next("notify"), try server.next("notify")]
    #expect(shown.map(\.summary) == ["Anna: Iron", "Anna: Iron"])
    #expect(try remind("remove", "Anna").lines() == ["removed"])
    #expect(try server.screen().ids.isEmpty)
    daemon.signal(SIGKILL)
    #expect(try daemon.exitStatus() == 128 + SIGKILL)
  }

  @Test func `two processes add and remove reminders at once while a daemon delivers`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let directory = try TemporaryDirectory()
    let program = try BuiltProducts.path(of: "remind-example")
    let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": "/usr/bin:/bin"]
    let daemon = try ChildProcess(program, [directory.path, "run"], environment: environment)
    let script = """
      set -e
      "$0" "$1" add "$2" often every 1
      for number in 1 2 3 4 5 6 7 8; do
        "$0" "$1" add "$2" kept$number 8:30
        "$0" "$1" add "$2" removed$number 8:30
        "$0" "$1" remove "$2" removed$number
      done
      """
    let people = ["Anna", "Ben"]
    let writers = try people.map {
      try ChildProcess("/bin/sh", ["-c", script, program, directory.path, $0], environment: environment)
    }
    for writer in writers {
      #expect(try writer.lines() == [])
      #expect(try writer.exitStatus() == 0)
    }
    for person in people { _ = try server.next("notify") { $0.summary == "\(person): often" } }
    let listed = try ChildProcess(program, [directory.path, "list"], environment: environment).lines()
    let expected = people.flatMap { person in
      (1...8).map { "\(person): kept\($0), matching hour=8 minute=30" } + ["\(person): often, every 1 s"]
    }
    #expect(listed.sorted() == expected.sorted())
    daemon.signal(SIGKILL)
    #expect(try daemon.exitStatus() == 128 + SIGKILL)
  }

  @Test(arguments: ["libyaml", "14SequenceRunner", "16SequencePlanning", "21SequenceConfiguration"])
  func `a program without sequences links neither YAML nor runs`(name: String) throws {
    let program = try Data(contentsOf: URL(filePath: BuiltProducts.path(of: "reminders-example")))
    #expect(program.range(of: Data("8Notifier".utf8)) != nil)
    #expect(program.range(of: Data(name.utf8)) == nil)
  }

  @Test(arguments: ["sequence", "sequence-agent"])
  func `the programs of Sequence do not link the calendar with its 40 MB of data`(name: String) throws {
    let program = try Data(contentsOf: URL(filePath: BuiltProducts.path(of: name)))
    #expect(program.range(of: Data("FoundationEssentials".utf8)) != nil)
    #expect(program.range(of: Data("FoundationInternationalization".utf8)) == nil)
  }

  @Test func `the code of the articles behaves as described`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let directory = try TemporaryDirectory()
    let program = try ChildProcess(
      BuiltProducts.path(of: "articles-example"), [directory.path],
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "TZ": "UTC", "HOME": "/home/me"])
    #expect(
      try program.lines() == [
        "missing.yaml: cannot be read: No such file or directory", "file: 0 steps",
        "tabata.yaml:8:51: reminders are at least 10m apart, so 10m is used instead of 2m",
        "Work round 2 of 8", "5m50s until Stretch, which waits for you",
        "the ladder takes 1m15s", "Bread begins with Proof",
        "# Every Sunday", "title: Bread", "cards:", "  - title: Knead", "    countdown: 15m",
        "  - title: Proof",
        "    countdown: 1h30m", "    advance: manual", "  - title: Bake", "    countUp: { goal: 40m }",
        "tea in library/tea.yaml", "Tea",
        "Tabata is running; stop it first, or start with replacing: true",
        "Warm up, step 1 of 17", "then Work", "running",
        "tabata: Warm up", "tea: Tea", "tea is active", "too late: the run is at step 2",
        "on to Rest; " + String(repeating: "on to Work; on to Rest; ", count: 6)
          + "on to Work; on to Stretch; done",
        "finished: 17 steps, 0 skipped", "Warm up, planned: 2m", "Work, planned: 50s",
        "Rest, 5s of it", "Rest, 5s of it", "Work, 10s of it", "finished at 2027-01-15T08:04:00.000Z",
        "one second left: true", "over: true, true",
        "/home/me/.local/state/sequence", "0 active runs", "Intervals: finished, 4m",
        "2027-01-16 06:30:00 +0000: matching hour=7 minute=30 zone=Europe/Berlin",
        "2027-01-17 08:00:00 +0000: matching hour=8 minute=0 days=2 first=@1800000000 count=10",
        "2027-01-18 18:00:00 +0000: matching hour=18 minute=0 weekdays=2,5",
        "2027-02-01 09:00:00 +0000: matching day=1 hour=9", "2027-01-15 08:45:00 +0000: every 2700 s",
        "[" + (15...21).map { "2027-01-\($0) 23:00:00 +0000" }.joined(separator: ", ") + "]",
        "Emma was due already", "loan.4711.due",
        "false", "loan.4711.due: cancelled, it was removed",
        "now Warm up", "now Work", "now Rest",
        "step-end: Warm up, 2m", "step-start: Work, 20s", "step-end: Work, 20s", "step-start: Rest, 10s",
        "step-end: Rest, 10s", "stop: Rest, 10s",
        "run-start: Warm up, 2m", "step-start: Warm up, 2m", "step-end: Warm up, 2m", "stop: Warm up, 2m",
        "Warm up, paused: false", "Warm up, paused: true",
      ])
    #expect(try program.exitStatus() == 0)
    #expect(try server.screen().ids.isEmpty)
  }
}
