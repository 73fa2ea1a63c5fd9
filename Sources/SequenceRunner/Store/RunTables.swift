import SequencePlatform
import SequenceStore
import Synchronization

/// The tables of the active runs, the journal and the history.
final class RunTables: StorePart {
  let component: SchemaComponent

  let observers: [any RunObserver]
  private let lostTitles = Mutex<[String]?>(nil)
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
    let runs = try damaged.readableRuns()
    let known = Set((runs + ended.map(\.snapshot)).map(\.runID))
    let lost = try database.lostRuns(of: damaged, besides: known, asking: observers, at: reading)
    for run in lost { try database.archive(run) }
    lostTitles.withLock { $0 = lost.map(\.lostTitle) }
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
    let found = lostTitles.withLock { titles in
      defer { titles = nil }
      return titles
    }
    // A process that was killed may have recovered the runs; which of the lost ones it found isn't known then.
    let lost = if let found { found } else { try database.lostTitles() }
    let notice = StoreNotice.damagedStoreMoved(
      to: damagedPath, keptRuns: try database.storedRuns().count, keptHistory: try database.historyCount(),
      lost: lost)
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
