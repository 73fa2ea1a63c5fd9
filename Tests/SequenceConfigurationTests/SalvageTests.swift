import Foundation
import NotifierLedger
import SequenceConfiguration
import SequenceFiles
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The notifications of a damaged store.
struct SalvageTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: RunStore
  private let shown = ShownNotification(id: 7, epoch: ServerEpoch(busID: "bus", owner: ":1.1"))

  init() throws {
    directory = try TemporaryDirectory()
    store = try CompleteStore.open(in: StateDirectory(path: directory.path), clock: clock)
    _ = try store.start(try CardSpec.sequence(cards: ["A 10s", "B 1h"]))
    clock.advance(by: .seconds(10))
    let entry = try #require(try store.ledger.due(at: clock.now()).first)
    try store.changeLedger { ledger throws(StoreError) in
      try ledger.present(entry, as: shown, at: clock.now().wall)
      try ledger.deliver(entry, as: shown, at: clock.now().wall)
    }
  }

  private func visible() throws -> [LedgerEntry] { try store.ledger.live() }

  @Test func `after the store is replaced, visible notifications are known and removed by the next command`()
    throws
  {
    let before = try visible()
    try #require(before.count == 1)
    try store.database.execute("ALTER TABLE history RENAME COLUMN outcome TO outcame")
    _ = try store.perform(.skip)
    #expect(store.notices.count == 1)
    let after = try visible()
    #expect(after.map(\.shown) == [shown])
    #expect(after.map(\.request) == before.map(\.request))
    #expect(after.map(\.isWithdrawn) == [true])
  }

  @Test func `a notice of a repair says whether schedules are lost`() throws {
    let now = clock.now()
    for path in ["/a.yaml", "/b.yaml"] {
      let schedule = Schedule(
        path: path, sequence: UUID(), title: "A", time: try #require(TimeOfDay(hour: 7, minute: 0)),
        days: .daily, lead: nil, choices: ScheduleChoices(), due: now, day: 20_000)
      _ = try ScheduleTable(store.database).add(schedule)
    }
    try store.database.execute("UPDATE schedule SET sequence = 'x' WHERE path = '/b.yaml'")
    let kept = try store.base.repairing { () throws(StoreError) in
      try ScheduleTable(store.database).schedules()
    }
    #expect(kept.map(\.path) == ["/a.yaml"])
    guard case .damagedStoreMoved(_, 1, 0, [], ["schedule"])? = store.notices.first else {
      Issue.record("\(store.notices)")
      return
    }
  }

  @Test func `after the store is replaced, the notifications have their pictures`() throws {
    let tea = SequenceDefinition("Tea") {
      Card("Pour", .countdown(.seconds(10)))
      Card("Steep", .countdown(.seconds(20)), image: "/tea.png")
    }
    _ = try store.start(Timeline(tea), RunStart(replacing: true))
    func pictures() throws -> [String?] {
      try store.ledger.entries(in: .everything).filter { $0.state == .pending }.map(\.request.style.image)
    }
    try #require(try pictures() == ["/tea.png", nil])
    try store.database.execute("ALTER TABLE notification RENAME COLUMN summary TO sumary")
    _ = try store.perform(.extend(.seconds(5)))
    #expect(store.notices.count == 1)
    #expect(try pictures() == ["/tea.png", nil])
  }

  /// The identifiers of the planned notifications, with and without an entry.
  private func planned() throws -> Set<String> {
    let later = try store.laterNotifications(in: [.everything], atMost: 64).requests
    return try store.ledger.pendingIdentifiers(in: .everything).union(later.map(\.identifier.rawValue))
  }

  private func clear(_ scope: NotificationScope, _ reason: NotificationReason = .cleared) throws {
    try store.changeLedger { ledger throws(StoreError) in
      _ = try ledger.clearPlanned(scope, at: clock.now(), reason: reason)
    }
  }

  @Test func `a run without notifications has none after the store is replaced`() throws {
    let endless = try CardSpec.sequence(cards: ["A 10s", "B 20s"], rounds: .forever)
    _ = try store.start(endless, RunStart(replacing: true))
    try clear(.allSequences)
    try store.database.execute("ALTER TABLE history RENAME COLUMN outcome TO outcame")
    _ = try store.history()
    #expect(store.notices.count == 1)
    #expect(try planned().isEmpty)
    #expect(try !store.ledger.hasMorePlanned())
  }

  @Test func `clearing an earlier run takes nothing from a run after the store is replaced`() throws {
    let endless = try CardSpec.sequence(cards: ["A 10s", "B 20s"], rounds: .forever)
    _ = try store.start(endless, RunStart(replacing: true))
    let count = try store.ledger.pendingIdentifiers(in: .everything).count
    clock.advance(by: .seconds(1500))
    _ = try store.perform(.extend(.seconds(1)))
    try clear(.allSequences)
    _ = try store.start(endless, RunStart(replacing: true))
    clock.advance(by: .seconds(900))
    try store.database.execute("ALTER TABLE history RENAME COLUMN outcome TO outcame")
    _ = try store.history()
    #expect(store.notices.count == 1)
    let due = try store.ledger.due(at: clock.now()).count
    #expect(try store.ledger.pendingIdentifiers(in: .everything).count == count + due)
  }

  @Test func `what the user has cleared or seen stays away after the store is replaced`() throws {
    let endless = try CardSpec.sequence(cards: ["A 10s", "B 20s", "C 30s"], rounds: .forever)
    let run = try #require(try store.start(endless, RunStart(replacing: true)).run)
    let all = try planned()
    try clear(.card(run.card.id, ofSequence: run.sequence.id))
    let next = run.timeline.step(at: 1)
    try clear(
      NotificationScope(
        prefix: NotificationIdentifier.countdownEnd(
          sequence: run.sequence.id, card: next.card.id, rounds: next.rounds.map(\.round)
        ).rawValue), .foreground)
    let ended = all.subtracting(try planned())
    try #require(ended.count > 10)
    try store.database.execute("ALTER TABLE history RENAME COLUMN outcome TO outcame")
    _ = try store.history()
    #expect(store.notices.count == 1)
    let again = try planned()
    #expect(again.count > 10 && again.isDisjoint(with: ended), "\(again.intersection(ended))")
  }

  @Test func `a run of a newer program keeps a damaged store from being replaced`() throws {
    let other = try #require(
      try store.start(try CardSpec.sequence(cards: ["A 1h"], title: "B"), RunStart(beside: true)).run)
    let rows = try store.database.rows("SELECT run_id, snapshot FROM active_run ORDER BY number") {
      (id: $0.text(0), snapshot: $0.text(1))
    }
    try #require(rows.map(\.id).last == other.runID.uuidString)
    for (row, isNewer) in zip(rows, [false, true]) {
      let changed = row.snapshot.replacing(#""schema":1"#, with: #""schema":2"#)
      try store.database.run(
        "UPDATE active_run SET snapshot = ?, checksum = ? WHERE run_id = ?", .text(changed),
        .text(isNewer ? StoredText.checksum(changed) : "0"), .text(row.id))
    }
    store.database.decoded = nil
    let error = #expect(throws: StoreError.self) { try store.settle() }
    guard case .newer = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(!names.contains { $0.contains("damaged") }, "\(names)")
  }

  @Test func `after the store is replaced, the options of the run are known`() throws {
    let options = RunOptions(suspendPolicy: .ask, sound: true, speech: false)
    _ = try store.start(try CardSpec.sequence(cards: ["A 1h"]), options: options, RunStart(replacing: true))
    try store.database.execute("ALTER TABLE notification RENAME COLUMN summary TO sumary")
    _ = try store.perform(.extend(.seconds(5)))
    #expect(store.notices.count == 1)
    #expect(try store.settle().run?.options == options)
  }

  @Test(arguments: [
    "identifier = 'a..b'", "identifier = ''", "state = 'pendinh'", "actions = '[{\"key\":'",
    "actions = '\(String(repeating: "[", count: 600))\(String(repeating: "]", count: 600))'",
  ])
  func `an invalid row is damage, and the valid rows stay visible`(change: String) throws {
    try store.database.run("UPDATE notification SET \(change) WHERE state = 'pending'")
    let entries = try store.changeLedger { ledger throws(StoreError) in try ledger.entries(in: .everything) }
    #expect(store.notices.count == 1)
    #expect(entries.map(\.state) == [.delivered, .pending])
    #expect(entries.first?.shown == shown)
    #expect(try store.settle().run?.card.title == "B")
  }

  /// A store of an earlier version: in version 1, a snapshot has the sequence, too, and a table the active time.
  private func store(ofVersion version: Int, _ change: String = "") throws -> (
    state: StateDirectory, clock: ManualClock
  ) {
    let state = StateDirectory(path: directory.path + "/old")
    try state.make()
    let script = try String(
      contentsOfFile: BuiltProducts.repository + "/Tests/Corpus/stores/version-\(version).sql",
      encoding: .utf8)
    try Data().write(to: URL(filePath: state.databasePath))
    try Database(path: state.databasePath).execute(script + change)
    let clock = ManualClock(
      wall: Moment(microseconds: 1_795_732_400_000_000), boot: .seconds(43_410),
      bootID: "08afcf3d-d578-4111-b76f-ec71fc1469e6")
    return (state, clock)
  }

  /// - Parameter version: the version that the store had; the rows of the first one are salvaged.
  private func expectStoredRuns(_ store: RunStore, ofVersion version: Int) throws {
    let notices = version == 1 ? 1 : 0
    #expect(store.notices.count == notices)
    let run = try #require(try store.peek().run)
    #expect(run.card.title == "Walk" && run.isPaused && run.name == "write-walk")
    #expect(run.records.map(\.actual) == [.nanoseconds(19_520_119)])
    let history = try store.history()
    #expect(history.map(\.snapshot.sequence.title) == ["Tea", "Focus, Break"])
    #expect(history.map(\.records.count) == [1, 4])
    #expect(history.map(\.active) == [.seconds(180), .nanoseconds(1_255_710_958)])
    #expect(try store.historySummaries() == history.map(EndedRunSummary.init))
    // As the table had it.
    #expect(
      try store.activity(of: history[1]) == [
        ActiveInterval(
          start: Moment(microseconds: 1_795_732_189_658_549), active: .nanoseconds(1_052_923_686)),
        ActiveInterval(
          start: Moment(microseconds: 1_795_732_191_770_474), active: .nanoseconds(202_787_272)),
      ])
    #expect(try store.pauses(of: history[1].runID).map(\.duration) == [.nanoseconds(1_059_001_778)])
    let events = try store.events(after: .beginning, until: store.clock.now()).runs.flatMap(\.events)
    #expect(events.count { $0.kind.name == .runStart } == 3)
    #expect(events.last?.kind.name == .pause)
    _ = try store.perform(.resume())
    #expect(store.notices.count == notices)
  }

  @Test(arguments: [1, 2])
  func `a store of an earlier version keeps its runs, their journal and their notifications`(version: Int)
    throws
  {
    let (state, clock) = try store(ofVersion: version)
    let store = try CompleteStore.open(in: state, clock: clock)
    let pending = try store.ledger.entries(in: .everything).filter { $0.state == .pending }
    #expect(pending.map(\.request.summary).contains("Tea is finished"))
    try expectStoredRuns(store, ofVersion: version)
  }

  @Test(arguments: [1, 2])
  func `a store of an earlier version that has only runs keeps them`(version: Int) throws {
    let others = [
      "notification", "planning_mark", "cleared_scope", "agent_report", "hook_failure", "response",
    ]
    let (state, clock) = try store(
      ofVersion: version,
      others.map { "DROP TABLE \($0);" }.joined() + "DELETE FROM component WHERE name <> 'runs'; VACUUM;")
    try expectStoredRuns(RunStore(in: state, clock: clock), ofVersion: version)
  }

  @Test(arguments: [1, 2])
  func `a damaged run of a store of an earlier version is lost alone, and known by its title`(version: Int)
    throws
  {
    let (state, clock) = try store(
      ofVersion: version,
      "UPDATE history SET snapshot = replace(snapshot, '180000000000', '180000000001') WHERE title = 'Tea';"
        + "UPDATE active_run SET snapshot = replace(snapshot, '1016606159', '1016606158');")
    let store = try CompleteStore.open(in: state, clock: clock)
    #expect(try store.peek().run == nil)
    let titles = try store.history().map { "\($0.outcome) \($0.snapshot.sequence.title)" }
    #expect(titles.sorted() == ["finished Focus, Break", "lost Tea", "lost Write, Walk"])
  }

  @Test(arguments: ["checksum = '0'", "snapshot = 'x'", "sequence_checksum = '0'", "sequence = 'x'"])
  func `a run with a damaged text is lost, and its notifications stay`(change: String) throws {
    let tea = try #require(
      try store.start(
        try CardSpec.sequence(cards: ["Pour 60s", "Steep 60s"], title: "Tea"), RunStart(beside: true)
      )
      .run)
    let scope = NotificationScope.sequence(tea.sequence.id)
    let pending = try store.ledger.pendingIdentifiers(in: scope)
    try #require(pending.count == 2)
    clock.advance(by: .seconds(5))
    try store.database.run("UPDATE active_run SET \(change) WHERE run_id = ?", .text(tea.runID.uuidString))
    store.database.decoded = nil
    #expect(try store.settle().runs.map(\.card.title) == ["B"])
    guard case .damagedStoreMoved(_, 1, 0, ["Tea"], [])? = store.notices.first else {
      Issue.record("\(store.notices)")
      return
    }
    let lost = try #require(try store.history().first)
    #expect(lost.runID == tea.runID && lost.outcome == .lost && lost.snapshot.sequence.title == "Tea")
    #expect(lost.snapshot.startedAt == tea.startedAt && lost.snapshot.historyID == tea.historyID)
    #expect(try store.ledger.pendingIdentifiers(in: scope) == pending)
    #expect(try !store.hasNothingToWaitFor())
    clock.advance(by: .seconds(116))
    #expect(try store.ledger.due(at: clock.now()).map(\.request.summary).contains("Tea is finished"))
    // A new run of the sequence replaces them.
    _ = try store.start(tea.timeline, RunStart(beside: true))
    clock.advance(by: .seconds(1))
    #expect(try store.ledger.due(at: clock.now()).isEmpty)
  }
}
