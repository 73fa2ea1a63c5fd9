import FoundationEssentials
import Platform
package import Store

/// The position up to which events were dispatched to hooks and cues.
extension Database {
  /// Returns the position up to which events were dispatched; `nil` if no event was.
  package func dispatchPosition() throws(StoreError) -> RunCursor? {
    try rows(
      """
      SELECT run_id, place, step, started_at, elapsed, target, is_paused, run_started_at FROM dispatch_position
      WHERE id = 1
      """
    ) { row throws(StoreError) in
      guard let runID = UUID(uuidString: row.text(0)), let place = Database.place(row) else {
        throw .damaged(path: path, reason: "the position of the dispatched events makes no sense")
      }
      return RunCursor(runID: runID, startedAt: Moment(microseconds: row.integer(7)), place: place)
    }.first
  }

  private static func place(_ row: SQLRow) -> RunCursor.Place? {
    switch row.text(1) {
    case "before": .before(step: Int(row.integer(2)))
    case "within":
      .within(
        RunCursor.KnownStep(
          index: Int(row.integer(2)), startedAt: Moment(microseconds: row.integer(3)),
          elapsed: .nanoseconds(row.integer(4)), target: row.optionalInteger(5).map { .nanoseconds($0) },
          isPaused: row.integer(6) != 0))
    case "ended": .ended
    default: nil
    }
  }

  /// Stores the position up to which events were dispatched.
  package func store(dispatchPosition position: RunCursor) throws(StoreError) {
    var (place, step, known) = ("ended", Int64?.none, RunCursor.KnownStep?.none)
    switch position.place {
    case .before(let index): (place, step) = ("before", Int64(index))
    case .within(let within): (place, step, known) = ("within", Int64(within.index), within)
    case .ended: break
    }
    try run(
      """
      INSERT OR REPLACE INTO dispatch_position (
        id, run_id, run_started_at, place, step, started_at, elapsed, target, is_paused)
      VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .text(position.runID.uuidString), .integer(position.startedAt.microseconds), .text(place),
      .integer(step), .integer(known?.startedAt.microseconds), .integer(known?.elapsed.nanoseconds),
      .integer(known?.target?.nanoseconds), .integer(known.map { $0.isPaused ? 1 : 0 }))
  }
}
