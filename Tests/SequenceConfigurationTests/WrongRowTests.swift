import Foundation
import NotificationLedger
import Platform
import SequenceConfiguration
import SequenceFiles
import SequencePlanning
import SequenceRunner
import Store
import TestSupport
import Testing

/// Rows with values that no program writes.
@Suite(.timeLimit(.minutes(5)))
struct WrongRowTests {
  private static let values = [
    "-1", "0", "57", "\(Int64.min)", "\(Int64.max)", "\(1 << 62)", "''", "'x'", "'a\u{1F}'", "NULL",
  ]
  private let clock = ManualClock()
  private let directory: TemporaryDirectory

  /// Makes a store with a row in each table; no process has it open.
  init() throws {
    directory = try TemporaryDirectory()
    let store = try OpenRunStore.complete(in: StateDirectory(path: directory.path + "/whole"), clock: clock)
    let cards = ["A 10s", "B", "C 1h"]
    for rounds: Rounds in [2, .forever] {
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
      try ledger.database.store(
        dispatchPosition: EventPosition(entry: 1, time: .seconds(1)))
    }
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
      for command: RunCommand in [.toggle, .next, .extend(.seconds(5)), .back] {
        attempt { _ = try store.perform(command) }
        clock.advance(by: .seconds(11))
        attempt { _ = try store.settle() }
      }
    }
  }

  @Test(arguments: [
    "active_run", "activity", "agent_report", "cleared_scope", "dispatched", "history", "hook_failure",
    "journal",
    "notification", "planning_mark", "response",
  ])
  func `no value in a row stops a program`(table: String) throws {
    let whole = StateDirectory(path: directory.path + "/whole").databasePath
    let columns = try Database(path: whole).rows("PRAGMA table_info(\(table))") { $0.text(1) }
    try #require(!columns.isEmpty)
    for (column, value) in columns.flatMap({ column in WrongRowTests.values.map { (column, $0) } }) {
      let state = StateDirectory(path: directory.path + "/\(column)\(UInt32.random(in: 0 ... .max))")
      try state.make()
      try FileManager.default.copyItem(atPath: whole, toPath: state.databasePath)
      let changed: Void? = try? Database(path: state.databasePath).execute(
        "UPDATE \(table) SET \(column) = \(value)")
      // A constraint of the table has refused it otherwise.
      if changed != nil { use(state) }
      try FileManager.default.removeItem(atPath: state.path)
    }
  }
}
