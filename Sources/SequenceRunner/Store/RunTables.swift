package import FoundationEssentials
package import SequencePlatform
package import SequenceStore
import Synchronization

/// The tables of the active runs, the journal and the history.
final class RunTables: StorePart {
  let component: SchemaComponent

  let observers: [any RunObserver]
  /// The losses of the last repair by this process.
  private let loss = Mutex<(titles: [String], incomplete: Set<String>)?>(nil)
  /// The incidents of the store, oldest first.
  var notices: [StoreNotice] { recorded.withLock { $0 } }
  private let recorded = Mutex<[StoreNotice]>([])

  /// - Parameter isAlone: whether a store with notifications is refused, which would not follow the runs.
  init(observers: [any RunObserver], isAlone: Bool) {
    self.observers = observers
    component =
      isAlone
      ? RunTables.schema.refusing(
        SchemaComponent.Refusal(
          "notifications", table: "notification", content: "notifications, which follow its runs",
          remedy: "open it with RunStore.withNotifications(in:) or RunNotifier(in:)",
          foreignContent: "notifications that belong to no run",
          foreignRemedy: "use another directory for runs")) : RunTables.schema
  }

  func check(_ database: Database) throws(StoreError) {
    _ = try database.revision()
    _ = try database.storedRuns()
    try database.checkHistory()
    try database.checkJournal()
    try database.checkPositions()
  }

  /// Copies row by row, so that a damaged row does not affect the others.
  func salvage(
    from damaged: Database, into database: Database, at reading: ClockReading
  ) throws(StoreError) {
    let ended = try damaged.readableHistory()
    for run in ended { try database.archive(run) }
    try database.salvageJournal(from: damaged, at: reading)
    // The row of a run that has ended is an old one.
    let past = Set(ended.map(\.runID))
    let runs = try damaged.readableRuns().filter { !past.contains($0.runID) }
    let known = past.union(runs.map(\.runID))
    let lost = try database.lostRuns(of: damaged, besides: known, asking: observers, at: reading)
    for run in lost { try database.archive(run) }
    // The other tables have been read before.
    loss.withLock { $0 = (lost.map(\.lostTitle), damaged.incompleteTables) }
    // Notifications of the runs that follow are planned again.
    for observer in observers { try observer.runsWereLost(besides: known, in: database, at: reading) }
    for active in runs {
      try write(
        RunChange(
          before: nil, changed: .active(active), after: .active(active), reading: reading, cause: .salvaged),
        to: database)
    }
  }

  /// Makes a notice of a damaged store that was replaced.
  func recordReplacement(of damagedPath: String, by database: Database) throws(StoreError) {
    let found = loss.withLock { loss in
      defer { loss = nil }
      return loss
    }
    // A process that was killed may have recovered the runs; which of the lost ones it found isn't known then.
    let lost = if let found { found.titles } else { try database.lostTitles() }
    let notice = StoreNotice.damagedStoreMoved(
      to: damagedPath, keptRuns: try database.storedRuns().count, keptHistory: try database.historyCount(),
      lost: lost, incomplete: (found?.incomplete ?? []).subtracting(["active_run", "history", "journal"]))
    recorded.withLock { $0.append(notice) }
  }

  func write(_ change: RunChange, to database: Database) throws(StoreError) {
    switch change.after {
    case .active(let run): try database.store(run)
    case .ended(let ended): try database.archive(ended)
    }
    guard let entry = try database.record(change) else { return }
    for observer in observers { try observer.runDidChange(change, entry: entry, in: database) }
  }
}

extension RunTables {
  /// The schema of the active runs, the journal and the history.
  ///
  /// - `store` always has its one row, whose revision counts the changes of active runs.
  /// - `active_run` has a row for each active run, numbered in the order of their starts: the sequence, which is written
  ///   once, and the snapshot without it, which changes with each command.
  /// - `journal` has a row for each change by a user or the system that events follow from: the number of the row
  ///   before it of its run, the current step after it as JSON, and `time` as the time after the start of the clock of
  ///   the row before.
  /// - `history` has the sequence and the last snapshot of a run, which determine every step, and the sums for a list of
  ///   runs, which an index covers; the number of steps is 0 for an endless sequence, and labels are separated by spaces.
  ///   Another index finds the last runs of a sequence.
  ///
  /// Moments are whole microseconds of the wall clock; durations are whole nanoseconds.
  static let schema = SchemaComponent(
    name: "runs", version: 2,
    tables: """
      CREATE TABLE store (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        revision INTEGER NOT NULL
      ) STRICT;
      INSERT INTO store (id, revision) VALUES (1, 0);
      CREATE TABLE active_run (
        number INTEGER PRIMARY KEY,
        run_id TEXT NOT NULL UNIQUE,
        sequence TEXT NOT NULL,
        sequence_checksum TEXT NOT NULL,
        snapshot TEXT NOT NULL,
        checksum TEXT NOT NULL
      ) STRICT;
      CREATE TABLE journal (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        previous INTEGER,
        run_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        reason TEXT,
        wall INTEGER NOT NULL,
        boot INTEGER NOT NULL,
        boot_id TEXT NOT NULL,
        time INTEGER NOT NULL,
        step INTEGER NOT NULL,
        current TEXT,
        checksum TEXT NOT NULL
      ) STRICT;
      CREATE INDEX journal_by_run ON journal (run_id);
      CREATE TABLE history (
        run_id TEXT PRIMARY KEY,
        sequence_id TEXT NOT NULL,
        title TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        steps INTEGER NOT NULL,
        completed INTEGER NOT NULL,
        skipped INTEGER NOT NULL,
        active INTEGER NOT NULL,
        rest INTEGER NOT NULL,
        sequence TEXT NOT NULL,
        sequence_checksum TEXT NOT NULL,
        snapshot TEXT NOT NULL,
        checksum TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      """,
    migrations: [
      """
      ALTER TABLE history ADD COLUMN remark TEXT;
      ALTER TABLE history ADD COLUMN labels TEXT;
      DROP INDEX IF EXISTS history_list;
      CREATE INDEX history_list ON history (
        started_at, run_id, sequence_id, title, ended_at, outcome, steps, completed, skipped, active, rest,
        remark, labels);
      CREATE INDEX IF NOT EXISTS history_by_sequence ON history (sequence_id, started_at, ended_at);
      """
    ])
}

/// An observer of runs, whose tables change in the transaction that changes a run, so that both always agree.
package protocol RunObserver: Sendable {
  /// Updates its tables after a change of a run.
  ///
  /// - Parameter entry: the last journal entry of the run after the change.
  func runDidChange(_ change: RunChange, entry: JournalEntry, in database: Database) throws(StoreError)

  /// Updates its tables after a damaged store was replaced.
  ///
  /// - Parameter known: the ids of the active and ended runs that could be recovered, or are about to be.
  func runsWereLost(besides known: Set<UUID>, in database: Database, at reading: ClockReading)
    throws(StoreError)

  func sequence(ofLostRun id: UUID, in database: Database) throws(StoreError) -> (id: UUID?, title: String?)

  /// Returns the latest time on the clock of a boot whose presence in its tables proves that the machine was on; `nil`
  /// without one.
  func lastSignOfLife(inBoot bootID: String, of database: Database) throws(StoreError) -> Duration?
}

package struct RunChange {
  package let before: ActiveRunSnapshot?
  /// The run right after the change; its clock may have started in the past.
  package let changed: SettledRun
  /// The run after the change, settled at its time.
  package let after: SettledRun
  package let reading: ClockReading
  package let cause: Cause

  package var run: ActiveRunSnapshot {
    switch after {
    case .active(let run): run
    case .ended(let ended): ended.snapshot
    }
  }

  package enum Cause: Equatable {
    case started
    case command(RunCommand)
    /// The run was read for the first time in this boot.
    case anchored
    case suspended(SuspendCause)
    /// The end of the suspend that the run is paused for was detected.
    case returned
    /// The last step ended by itself.
    case ranOut
    case salvaged
  }
}
