package import FoundationEssentials
package import NotifierLedger
package import SequencePlatform
package import SequenceRunner
package import SequenceStore

/// How far the notifications of a run's plan have entries; the later ones get theirs when few of these are left.
package struct PlanningMark: Equatable, Sendable {
  package let runID: UUID
  package let scope: NotificationScope
  /// The number of the journal entry that the plan follows from.
  package let entry: Int64
  /// When the last notification that was planned is due, as a time after the start of the clock in that entry.
  package let time: Duration
  /// When more are to be planned, as a time after the same start.
  package let refill: Duration

  package init(runID: UUID, scope: NotificationScope, entry: Int64, time: Duration, refill: Duration) {
    self.runID = runID
    self.scope = scope
    self.entry = entry
    self.time = time
    self.refill = refill
  }
}

extension PlanningMark {
  private enum Column: Int, CodingKey, CaseIterable { case runID, scope, entry, time, refill }

  fileprivate static let table = Table("planning_mark", Column.allCases.map(\.stringValue))

  fileprivate var values: [SQLValue] {
    Column.allCases.map { column in
      switch column {
      case .runID: .text(runID.text)
      case .scope: .text(scope.prefix)
      case .entry: .integer(entry)
      case .time: .integer(time.nanoseconds)
      case .refill: .integer(refill.nanoseconds)
      }
    }
  }

  fileprivate init?(_ row: SQLRow) {
    guard let runID = UUID(text: row.text(Column.runID)) else { return nil }
    self.init(
      runID: runID, scope: NotificationScope(prefix: row.text(Column.scope)),
      entry: row.integer(Column.entry), time: .nanoseconds(row.integer(Column.time)),
      refill: .nanoseconds(row.integer(Column.refill)))
  }
}

/// A scope of a run that was cleared since its plan was made.
private struct ClearedScope {
  let runID: String
  let prefix: String

  private enum Column: Int, CodingKey, CaseIterable { case runID, prefix }

  static let table = Table("cleared_scope", Column.allCases.map(\.stringValue))

  var values: [SQLValue] {
    Column.allCases.map { column in
      switch column {
      case .runID: .text(runID)
      case .prefix: .text(prefix)
      }
    }
  }

  init(runID: String, prefix: String) {
    self.runID = runID
    self.prefix = prefix
  }

  init(_ row: SQLRow) {
    self.init(runID: row.text(Column.runID), prefix: row.text(Column.prefix))
  }
}

extension Ledger {
  /// Returns the marks of the plans that have more notifications than entries, in the order of their journal entries.
  package func planningMarks() throws(StoreError) -> [PlanningMark] {
    try database.rows("SELECT \(PlanningMark.table.columns) FROM planning_mark ORDER BY entry") {
      row throws(StoreError) in
      guard let mark = PlanningMark(row) else {
        throw .damaged(path: database.path, reason: "a plan of notifications has no run")
      }
      return mark
    }
  }

  /// Returns how far the plan of a run has entries; `nil` if all of its notifications have one.
  package func planningMark(of runID: UUID) throws(StoreError) -> PlanningMark? {
    try planningMarks().first { $0.runID == runID }
  }

  package func store(_ mark: PlanningMark) throws(StoreError) {
    try database.run(PlanningMark.table.replace, mark.values)
  }

  /// Ends the plan of a run: the entries that it has are all.
  package func removePlanningMark(of runID: UUID) throws(StoreError) {
    try database.run("DELETE FROM planning_mark WHERE run_id = ?", .text(runID.text))
  }

  /// Returns the scopes of a run that were cleared since its plan was made, while that had a mark.
  package func clearedScopes(of runID: UUID) throws(StoreError) -> [NotificationScope] {
    try database.rows("SELECT prefix FROM cleared_scope WHERE run_id = ?", .text(runID.text)) {
      NotificationScope(prefix: $0.text(0))
    }
  }

  /// Ends the effect of clearing on a run, because a new plan has its notifications again.
  package func forgetClearedScopes(of runID: UUID) throws(StoreError) {
    try database.run("DELETE FROM cleared_scope WHERE run_id = ?", .text(runID.text))
  }

  package func hasMorePlanned() throws(StoreError) -> Bool {
    try database.rows("SELECT EXISTS (SELECT 1 FROM planning_mark)") { $0.integer(0) } == [1]
  }

  /// Clears a scope, whose notifications that have no entry yet get none later either.
  ///
  /// - Returns: the number of pending notifications and of those on the screen, and of their identifiers.
  package func clearPlanned(
    _ scope: NotificationScope, at reading: ClockReading, reason: NotificationReason = .cleared
  ) throws(StoreError) -> (pending: Int, onScreen: Int, identifiers: Int) {
    let cleared = try clear(scope, at: reading, reason: reason)
    for mark in try planningMarks() {
      let isWhole = scope.contains(mark.scope)
      guard isWhole || mark.scope.contains(scope) else { continue }
      let cleared = ClearedScope(
        runID: mark.runID.text, prefix: isWhole ? mark.scope.prefix : scope.prefix)
      try database.run(ClearedScope.table.insertIfNew, cleared.values)
      if isWhole { try removePlanningMark(of: mark.runID) }
    }
    return cleared
  }

  /// Ends the reminders of the current step, if its card insists and its time is up: the user has seen that.
  package func endInsistence(
    of status: RunStatus, reason: NotificationReason
  ) throws(StoreError) {
    guard status.insists, let run = status.run else { return }
    let step = run.timeline.step(at: run.log.count)
    _ = try clearPlanned(
      .insistence(sequence: run.sequence.id, card: step.card.id, rounds: step.rounds.map(\.round)),
      at: status.reading, reason: reason)
  }
}

package struct PlanningTables: StorePart {
  /// `planning_mark` has a row for each run while requests of its plan have no entry yet; `cleared_scope` has the scopes
  /// that get none.
  package let component: SchemaComponent

  private static let tables = SchemaComponent(
    name: "planning",
    tables: """
      CREATE TABLE planning_mark (
        run_id TEXT PRIMARY KEY,
        scope TEXT NOT NULL,
        entry INTEGER NOT NULL,
        time INTEGER NOT NULL,
        refill INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE cleared_scope (
        run_id TEXT NOT NULL,
        prefix TEXT NOT NULL,
        PRIMARY KEY (run_id, prefix)
      ) STRICT, WITHOUT ROWID;
      """)

  /// The tables of a store that is only read.
  package init() { component = PlanningTables.tables }

  /// The tables of a store whose runs may have been started before anything planned their notifications.
  init(horizon: PlanningHorizon, now: @escaping @Sendable () -> ClockReading) {
    component = PlanningTables.tables.completed { database throws(StoreError) in
      let (planner, reading) = (Planner(database: database, horizon: horizon), now())
      for (run, entry) in try database.activeJournalEntries() {
        try planner.restore(
          RunPlan(run: run, entry: entry), at: reading, reason: NotificationPlanning.reason(of: .started))
      }
    }
  }

  package func check(_ database: Database) throws(StoreError) {
    _ = try Ledger(database: database).planningMarks()
    _ = try database.rows("SELECT \(ClearedScope.table.columns) FROM cleared_scope") { ClearedScope($0) }
  }

  /// Copies the scopes that were cleared; the marks follow from the new plans of the runs that are kept.
  package func salvage(
    from damaged: Database, into database: Database, at reading: ClockReading
  ) throws(StoreError) {
    let cleared = try damaged.readableRows(
      of: "cleared_scope", key: "run_id", ClearedScope.table.columns, make: ClearedScope.init)
    for scope in cleared { try database.run(ClearedScope.table.insertIfNew, scope.values) }
  }
}
