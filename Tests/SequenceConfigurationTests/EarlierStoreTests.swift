import Foundation
import NotifierLedger
import SequencePlatform
import SequenceConfiguration
import SequenceFiles
import SequencePlanning
import SequenceRunner
import TestSupport
import Testing

/// Stores of earlier versions, whose data this version keeps completely.
struct EarlierStoreTests {
  static let names = [
    "running", "presenting", "paused", "asleep", "returned", "power-cut", "ended", "stranger",
  ]

  // MARK: - Notifications

  @Test(arguments: names) func `each notification is migrated completely`(
    name: String
  ) throws {
    let earlier = try EarlierStore(name)
    let stored = try earlier.notifications()
    #expect(!stored.isEmpty)
    #expect(try earlier.store.ledger.entries(in: .everything).map(EarlierNotification.init) == stored)
    // Reading the run does not change it.
    _ = try earlier.store.settle()
    #expect(try earlier.store.ledger.entries(in: .everything).map(EarlierNotification.init) == stored)
  }

  @Test func `the earlier stores contain notifications in every state`() throws {
    var states: Set<LedgerEntry.State> = []
    for name in EarlierStoreTests.names {
      let earlier = try EarlierStore(name)
      states.formUnion(try earlier.store.ledger.entries(in: .everything).map(\.state))
    }
    #expect(states == Set(LedgerEntry.State.allCases))
  }

  @Test func `other programs' notifications keep their kinds, buttons and clocks`() throws {
    let earlier = try EarlierStore("stranger")
    let entries = try earlier.store.ledger.entries(in: .everything)
    let told = Dictionary(uniqueKeysWithValues: entries.map { ($0.request.identifier.rawValue, $0) })
    let green = try #require(told["tea.green"])
    #expect(green.state == .delivered && green.request.kind == nil)
    #expect(green.request.actions.map(\.key) == ["again", "done"] && green.request.userInfo == "green")
    #expect(told["tea.white"]?.state == .suppressed)
    #expect(told["tea.cold"]?.state == .cancelled)
    #expect(told["hours.closing"]?.request.trigger.followsWallClock == true)
    #expect(told["loan.4711.due"]?.request.kind == NotificationKind(rawValue: "overdue"))
    #expect(entries.count { $0.state == .pending } == 3)
  }

  // MARK: - The active run

  /// The expected active run of a store.
  struct Expected: CustomTestStringConvertible, Sendable {
    let store, sequence, step: String
    let index, count: Int
    let state: RunPosition.State
    /// The duration or the goal, with extensions.
    let target: Duration
    var policy: SuspendPolicy?
    var cause: Suspend.Cause?
    var isBack = false
    /// The number of pending notifications.
    let pending: Int
    var testDescription: String { store }
  }

  static let runs = [
    Expected(
      store: "running", sequence: "Morning", step: "Work", index: 3, count: 6, state: .running,
      target: .seconds(1800), pending: 5),
    Expected(
      store: "presenting", sequence: "Errands", step: "Read", index: 1, count: 3, state: .running,
      target: .seconds(3600), pending: 3),
    Expected(
      store: "paused", sequence: "Baking", step: "Bake", index: 1, count: 3, state: .paused,
      target: .milliseconds(300), pending: 0),
    Expected(
      store: "asleep", sequence: "Pomodoro", step: "Focus", index: 0, count: 2, state: .paused,
      target: .seconds(1500), policy: .ask, cause: .sleep, pending: 0),
    Expected(
      store: "returned", sequence: "Pomodoro", step: "Focus", index: 0, count: 2, state: .paused,
      target: .seconds(1500), policy: .ask, cause: .shutdown, isBack: true, pending: 0),
    Expected(
      store: "power-cut", sequence: "Workout", step: "Plank", index: 1, count: 3, state: .paused,
      target: .seconds(300), policy: .pause, cause: .powerLoss, isBack: true, pending: 0),
  ]

  @Test(arguments: runs) func `the active run keeps its position`(expected: Expected) throws {
    let earlier = try EarlierStore(expected.store)
    let stored = try #require(try earlier.run())
    let status = try earlier.store.settle()
    let run = try #require(status.run)
    #expect(run.runID == stored.runID)
    #expect(run.startedAt.microseconds == stored.startedAt)
    #expect(run.sequence.id == UUID(uuidString: "5E9C0DE0-0000-4000-8000-000000000001"))
    #expect(run.sequence.title == expected.sequence)
    #expect(run.sequence.onSuspend == expected.policy)
    let position = try #require(status.position)
    #expect(position.step.card.title == expected.step)
    #expect(position.step.index == expected.index && position.stepCount == expected.count)
    #expect(position.state == expected.state)
    #expect(position.target == expected.target)
    #expect(run.suspend?.cause == expected.cause)
    #expect((run.suspend?.until != nil) == expected.isBack)
    #expect(
      try earlier.store.ledger.entries(in: .everything).count { $0.state == .pending } == expected.pending)
  }

  @Test(arguments: ["running", "paused", "asleep", "returned", "power-cut"])
  func `the clock of the current step keeps its elapsed time`(name: String) throws {
    let earlier = try EarlierStore(name)
    let clock = try #require(try earlier.run()).current.clock
    let run = try #require(try earlier.store.settle().run)
    let now = earlier.clock.now()
    let since = clock.since.map { now.boot - .nanoseconds($0.boot) } ?? .zero
    #expect(run.elapsed(at: now) == .nanoseconds(clock.elapsed) + since)
    #expect(run.suspend?.since.boot.nanoseconds == clock.absence?.since.boot)
    #expect(run.suspend?.until?.boot.nanoseconds == clock.absence?.until?.boot)
    #expect(run.suspend?.until?.bootID == clock.absence?.until?.bootID)
  }

  @Test func `the run keeps its cards, rounds and step records`() throws {
    let earlier = try EarlierStore("running")
    let run = try #require(try earlier.store.settle().run)
    #expect(
      (0..<run.timeline.listedCount).map { run.timeline.card(at: $0).title }
        == ["Warm up", "Work", "Rest", "Work", "Stretch", "Coffee"])
    #expect(run.timeline.card(at: 1).note == "All out")
    #expect(run.timeline.card(at: 2).skipsLastRound)
    #expect(run.timeline.step(at: 3).rounds == [Step.Round(round: 2, of: 2)])
    #expect(
      run.timeline.card(at: 4).timing
        == .countUp(goal: Goal(duration: .seconds(1800), reminders: 4, cadence: .seconds(900))))
    #expect(run.timeline.card(at: 5).timing == .countdown(.seconds(240), advance: .manual))
    let records = run.log.records(in: run.timeline)
    #expect(records.map(\.outcome) == [.completed, .skipped, .completed])
    #expect(records.map(\.planned) == [.seconds(150), .seconds(1200), .seconds(300)])
  }

  // MARK: - The history

  @Test(arguments: names) func `the history is migrated`(name: String) throws {
    let earlier = try EarlierStore(name)
    #expect(try earlier.store.history().map(EarlierEndedRun.init) == earlier.endedRuns())
  }

  @Test func `each run of the history has its steps`() throws {
    let earlier = try EarlierStore("running")
    let history = try earlier.store.history()
    #expect(
      history.map(\.snapshot.sequence.title) == [
        "Quick, Later", "Morning", "Brief, Short", "Gone, Away", "Seen, Later", "Refused, Later",
        "Soon, Sooner, Later",
      ])
    let morning = try #require(history.dropFirst().first)
    #expect(morning.outcome == .stopped)
    #expect(morning.snapshot.sequence.onSuspend == .ask)
    #expect(morning.snapshot.timeline.count == 8)
    // The first step was extended twelve times; the last was restarted, and was current when the run was
    // stopped.
    #expect(morning.records.map(\.outcome) == [.completed, .completed, .skipped])
    #expect(morning.records.map(\.planned) == [.seconds(240), .seconds(1200), .seconds(300)])
    let soon = try #require(history.last)
    #expect(soon.records.map(\.outcome) == [.completed, .completed, .skipped])
    #expect(soon.records.map(\.actual).prefix(2) == [.seconds(1), .seconds(1)])
    let ended = try EarlierStore("ended")
    #expect(try ended.store.history().map(\.outcome) == [.finished])
  }

  // MARK: - Hooks and cues

  @Test func `hook failures are migrated`() throws {
    let earlier = try EarlierStore("running")
    let failures = try earlier.store.hookFailures.failures(since: Moment(microseconds: .min))
    #expect(Set(failures.map(\.kind)) == Set(HookFailure.Kind.allCases))
    let told = failures.map(EarlierFailure.init).sorted { ($0.hook, $0.kind) < ($1.hook, $1.kind) }
    #expect(try told == earlier.failures())
  }

  @Test func `the dispatch position is migrated`() throws {
    let running = try EarlierStore("running")
    let run = try #require(try running.store.settle().run)
    let position = try #require(try running.store.database.dispatchPosition())
    let entry = try #require(try running.store.database.lastJournalEntry(of: run.runID))
    #expect(position.entry == entry.number && entry.kind == .migrated)
    // The events since then are those of the step that was current, and not those of earlier steps.
    let reading = running.clock.now()
    let events = try running.store.events(after: position, until: reading).runs.flatMap(\.events)
    #expect(events.allSatisfy { $0.step >= 3 })
    #expect(position.time > .zero)

    // A run that was over began no journal, so nothing of it can be dispatched again.
    let ended = try EarlierStore("ended")
    #expect(try ended.store.database.dispatchPosition() == nil)
    #expect(try ended.store.events(after: .beginning, until: reading).runs == [])
    let asleep = try EarlierStore("asleep")
    #expect(try asleep.store.database.dispatchPosition() == nil)
  }

  @Test func `the tables replaced by the snapshot and the position are dropped`() throws {
    let earlier = try EarlierStore("running")
    let names = ["told", "run_cues"]
    for name in names {
      #expect(
        try earlier.store.database.rows(
          "SELECT count(*) FROM sqlite_schema WHERE name = ?", .text(name), make: { $0.integer(0) }) == [0])
      #expect(
        try earlier.store.database.rows(
          "SELECT count(*) FROM component WHERE name = ?", .text(name), make: { $0.integer(0) }) == [0])
    }
  }

  @Test(arguments: [("running", false, true), ("presenting", false, false), ("paused", false, false)])
  func `the cues of the active run become part of its snapshot`(name: String, sound: Bool, speech: Bool)
    throws
  {
    let earlier = try EarlierStore(name)
    let run = try #require(try earlier.store.settle().run)
    #expect(run.options == RunOptions(suspendPolicy: nil, sound: sound, speech: speech))
    let asleep = try EarlierStore("asleep")
    #expect(try asleep.store.settle().run?.options == .unspecified)
  }

  @Test(arguments: names) func `the agent's report about the desktop is migrated`(name: String) throws {
    let earlier = try EarlierStore(name)
    let stored = try earlier.rows.rows("SELECT pid, started_at FROM agent_report") {
      (Int32($0.integer(0)), $0.integer(1))
    }
    let report = try #require(try earlier.store.ledger.agentReport())
    #expect(report.process == stored.first?.0 && report.startedAt.microseconds == stored.first?.1)
    #expect(report.desktop == .available(server: "recording-server 1"))
  }

  // MARK: - Agents of the earlier version

  @Test func `an agent with the store open loses it when another version migrates it`()
    throws
  {
    let earlier = try EarlierStore("running")
    // The query of that version's agent in each of its turns.
    let question = "SELECT slot FROM notification WHERE state = 'pending' ORDER BY due_boot LIMIT 1"
    #expect(try earlier.rows.rows(question) { $0.text(0) }.count == 1)
    let error = #expect(throws: StoreError.self) { try earlier.store.database.rows(question) { $0.text(0) } }
    // It takes the error for damage, and then reads these before it finds another version.
    #expect(try #require(error).suggestsDamage)
    _ = try earlier.store.database.rows("SELECT revision, snapshot, checksum FROM active_run WHERE id = 1") {
      _ in
    }
    _ = try earlier.store.database.rows(
      "SELECT snapshot, checksum, ended_at, outcome FROM history WHERE ended_at >= 0 ORDER BY started_at"
    ) { _ in }
  }

  // MARK: - Going on

  @Test func `a run of an earlier version continues to its end with its notifications`() throws {
    let earlier = try EarlierStore("running")
    let sequence = try #require(try earlier.store.settle().run).sequence.id
    _ = try earlier.store.perform(.pause)
    #expect(try earlier.pending(in: sequence) == [])
    earlier.clock.advance(by: .seconds(100))
    _ = try earlier.store.perform(.resume())
    #expect(try earlier.pending(in: sequence).count == 5)
    earlier.clock.advance(by: .seconds(1800))
    #expect(try earlier.store.settle().position?.step.card.title == "Stretch")
    _ = try earlier.store.perform(.next)
    #expect(try earlier.pending(in: sequence) == ["Coffee: time is up"])
    _ = try earlier.store.perform(.next)
    #expect(try earlier.store.settle().run == nil)
    let ended = try #require(try earlier.store.history().first)
    #expect(ended.outcome == .finished && ended.records.count == 6)
    #expect(ended.records[3].planned == .seconds(1800) && ended.records[3].outcome == .completed)
  }

  @Test(arguments: ["returned", "power-cut"])
  func `a suspend for which an earlier version paused can be counted`(name: String) throws {
    let earlier = try EarlierStore(name)
    let before = try #require(try earlier.store.settle().run)
    let suspend = try #require(before.suspend)
    _ = try earlier.store.perform(.resume(countingSuspend: true))
    let run = try #require(try earlier.store.settle().run)
    #expect(run.suspend == nil && !run.isPaused)
    let now = earlier.clock.now()
    let length = try #require(suspend.length)
    let sinceThen = now.elapsed(since: try #require(suspend.until))
    #expect(run.elapsed(at: now) == before.elapsed(at: now) + length + sinceThen)
  }

  @Test func `the return from a sleep for which an earlier version paused is found and asked about`() throws {
    let earlier = try EarlierStore("asleep")
    earlier.clock.advance(by: .seconds(600))
    #expect(try earlier.store.comeBack())
    let run = try #require(try earlier.store.settle().run)
    let length = try #require(run.suspend?.length)
    #expect(length > .seconds(600) && length < .seconds(610))
    #expect(try earlier.pending(in: run.sequence.id) == ["Focus is paused. Count that time?"])
  }
}

extension EarlierStore {
  /// Returns the texts of the pending notifications of a sequence, sorted by time.
  fileprivate func pending(in sequence: UUID) throws -> [String] {
    try store.ledger.entries(in: .sequence(sequence)).filter { $0.state == .pending }.map(\.request.summary)
  }
}
