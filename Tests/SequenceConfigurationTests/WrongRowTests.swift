import Foundation
import NotifierLedger
import SequencePlatform
import SequenceConfiguration
import SequenceFiles
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// Rows with values that no program writes.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct WrongRowTests {
  /// The values for columns of each type.
  private static let values = [
    "INTEGER": ["-1", "57", "\(Int64.min)", "\(Int64.max)", "NULL"], "TEXT": ["'x'", "NULL"],
  ]
  private let clock = ManualClock()
  private let directory: TemporaryDirectory

  /// Makes a store with a row in each table; no process has it open.
  init() throws {
    directory = try TemporaryDirectory()
    let store = try OpenRunStore.complete(in: StateDirectory(path: directory.path + "/whole"), clock: clock)
    for (cards, rounds): ([String], Rounds) in [(["A 10s", "B", "C 1h"], 2), (["A 10s", "B 1h"], .forever)] {
      _ = try store.start(try CardSpec.sequence(cards: cards, rounds: rounds), replacing: true)
      clock.advance(by: .seconds(10))
      _ = try store.perform(.pause)
      clock.advance(by: .seconds(1))
      _ = try store.perform(.resume())
      _ = try store.perform(.skip)
    }
    let now = clock.now()
    try store.changeLedger { ledger in
      let entry = try #require(try ledger.entries(in: .everything).first { $0.state == .pending })
      let shown = ShownNotification(id: 7, epoch: ServerEpoch(busID: "bus", owner: ":1.1"))
      try ledger.present(entry, as: shown, onBusAt: "unix:path=/bus", at: now.wall)
      try ledger.deliver(entry, as: shown, at: now.wall)
      try ledger.add(
        [NotificationRequest(NotificationIdentifier("a"), "A", trigger: .every(.seconds(60)))], at: now)
      _ = try ledger.record(.dismissed, to: entry.request, activationToken: nil, at: now.wall)
      try ledger.store(
        AgentReport(process: 7, startedAt: now.wall, desktop: .available(server: "s"), updatedAt: now.wall))
      try ledger.database.store(dispatchPosition: EventPosition(entry: 1, time: .seconds(1)))
    }
    try store.hookFailures.count(
      .dropped, of: "hook", event: "step-end", detail: "queue", at: now.wall)
  }

  /// Uses the store like commands and the agent do; it may be damaged, but nothing may trap.
  private func use(_ directory: StateDirectory) {
    func attempt(_ body: () throws -> Void) {
      // Every error is an answer.
      do { try body() } catch {}
    }
    attempt { _ = try StoreReader.checked(directory, participants: OpenRunStore.completeParticipants()) }
    attempt {
      let store = try OpenRunStore.complete(in: directory, clock: clock)
      attempt { _ = try store.status().position }
      attempt { _ = try store.historySummaries() }
      attempt { _ = try store.events(after: .beginning, until: clock.now()) { _ in [.seconds(1)] } }
      attempt {
        let position = try store.database.dispatchPosition() ?? .beginning
        _ = try store.events(after: position, until: clock.now())
        _ = try store.eventPosition(at: clock.now(), minus: .seconds(3))
      }
      attempt {
        let ids = try store.history().map(\.snapshot.runID) + [store.status().run?.runID].compactMap(\.self)
        for id in ids { _ = (try store.activity(of: id), try store.pauses(of: id)) }
      }
      attempt { if let run = try store.status().run { _ = try store.eventPosition(beforeStepOf: run) } }
      attempt {
        let entries = try store.readLedger { try $0.entries(in: .everything) }
        for entry in entries { _ = (entry.reason?.description, entry.isToCome(at: clock.now())) }
      }
      attempt { _ = try store.readLedger { try $0.responses(after: .beginning) } }
      attempt { _ = try store.laterNotifications(in: [.everything], atMost: 10) }
      attempt { _ = try store.isAtRest() }
      attempt { _ = try store.readLedger { try $0.desktop() } }
      attempt { _ = try store.hookFailures.failures(since: Moment(microseconds: .min)) }
      clock.advance(by: .seconds(11))
      attempt { _ = try store.perform(.toggle) }
    }
  }

  @Test(arguments: [
    "active_run", "activity", "agent_report", "dispatched", "history", "hook_failure", "journal",
    "notification", "planning_mark", "response",
  ])
  func `no value in a row stops a program`(table: String) throws {
    let whole = StateDirectory(path: directory.path + "/whole").databasePath
    let database = try Database(path: whole)
    let columns = try database.rows("PRAGMA table_info(\(table))") { ($0.text(1), $0.text(2)) }
    try #require(try database.rows("SELECT count(*) FROM \(table)") { $0.integer(0) } != [0])
    let changes = try columns.flatMap { column, type in
      try #require(WrongRowTests.values[type]).map { "\(column) = \($0)" }
    }
    for change in changes {
      let state = StateDirectory(path: directory.path + "/changed")
      try state.make()
      try FileManager.default.copyItem(atPath: whole, toPath: state.databasePath)
      do {
        try Database(path: state.databasePath).execute("UPDATE \(table) SET \(change)")
        use(state)
      } catch {
        // A constraint of the table refuses the value.
      }
      try FileManager.default.removeItem(atPath: state.path)
    }
  }
}
