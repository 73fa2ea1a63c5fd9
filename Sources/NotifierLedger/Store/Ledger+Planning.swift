import SequencePlatform
package import SequenceStore

/// How far the notifications of a plan have entries; the later ones get theirs when few of these are left.
package struct PlanningMark: Equatable, Sendable {
  /// The notifications of the plan.
  package let scope: NotificationScope
  /// The number of the journal entry that the plan follows from.
  package let entry: Int64
  /// When the last notification that was planned is due, as a time after the start of the clock in that entry.
  package let time: Duration
  /// When more are to be planned, as a time after the same start.
  package let refill: Duration

  package init(scope: NotificationScope, entry: Int64, time: Duration, refill: Duration) {
    self.scope = scope
    self.entry = entry
    self.time = time
    self.refill = refill
  }
}

/// How far plans have entries, and which of their notifications get none.
extension Ledger {
  /// How far the plan has entries; `nil` if all of its notifications have one.
  package func planningMark() throws(StoreError) -> PlanningMark? {
    try database.rows("SELECT scope, entry, time, refill FROM planning_mark") {
      PlanningMark(
        scope: NotificationScope(prefix: $0.text(0)), entry: $0.integer(1),
        time: .nanoseconds($0.integer(2)), refill: .nanoseconds($0.integer(3)))
    }.first
  }

  /// Stores how far the plan has entries; `nil` if all of its notifications have one.
  package func store(_ mark: PlanningMark?) throws(StoreError) {
    guard let mark else {
      try database.run("DELETE FROM planning_mark")
      return
    }
    try database.run(
      "INSERT OR REPLACE INTO planning_mark (id, scope, entry, time, refill) VALUES (1, ?, ?, ?, ?)",
      .text(mark.scope.prefix), .integer(mark.entry), .integer(mark.time.nanoseconds),
      .integer(mark.refill.nanoseconds))
  }

  /// The scopes that were cleared since the plan was made; meaningful as long as it has a mark.
  package func clearedScopes() throws(StoreError) -> [NotificationScope] {
    try database.rows("SELECT prefix FROM cleared_scope") { NotificationScope(prefix: $0.text(0)) }
  }

  /// Ends the effect of clearing, because a new plan has them again.
  package func forgetClearedScopes() throws(StoreError) { try database.run("DELETE FROM cleared_scope") }

  /// Has the plan add no more notifications of a scope.
  func keepCleared(_ scope: NotificationScope) throws(StoreError) {
    guard let mark = try planningMark() else { return }
    if scope.contains(mark.scope) {
      try store(nil)
    } else if mark.scope.contains(scope) {
      try database.run("INSERT OR IGNORE INTO cleared_scope (prefix) VALUES (?)", .text(scope.prefix))
    }
  }
}
