package import FoundationEssentials
package import Platform
package import SequenceRunner
package import Store

/// What has been told of the runs in the store.
///
/// Nothing here opens a transaction: it belongs to whoever has more to change along with it.
package struct ToldLedger {
  let database: Database

  package init(database: Database) {
    self.database = database
  }

  /// How far the telling has come; `nil` if nothing was ever told.
  package func cursor() throws -> RunCursor? {
    try database.rows(
      """
      SELECT run_id, place, step, started_at, elapsed, target, is_paused, run_started_at FROM told WHERE id = 1
      """
    ) { row throws(StoreError) in
      guard let runID = UUID(uuidString: row.text(0)), let place = ToldLedger.place(row) else {
        throw .damaged(path: database.path, reason: "what has been told of a run makes no sense")
      }
      return RunCursor(
        runID: runID, startedAt: Moment(microseconds: row.integer(7)), place: place)
    }.first
  }

  private static func place(_ row: SQLRow) -> RunCursor.Place? {
    switch row.text(1) {
    case "before": .before(step: Int(row.integer(2)))
    case "within":
      .within(
        RunCursor.ToldStep(
          index: Int(row.integer(2)), startedAt: Moment(microseconds: row.integer(3)),
          elapsed: .nanoseconds(row.integer(4)), target: row.optionalInteger(5).map { .nanoseconds($0) },
          isPaused: row.integer(6) != 0))
    case "ended": .ended
    default: nil
    }
  }

  /// Records how far the telling has come.
  package func store(_ cursor: RunCursor) throws(StoreError) {
    var (place, step, told) = ("ended", Int64?.none, RunCursor.ToldStep?.none)
    switch cursor.place {
    case .before(let index): (place, step) = ("before", Int64(index))
    case .within(let within): (place, step, told) = ("within", Int64(within.index), within)
    case .ended: break
    }
    try database.run(
      """
      INSERT OR REPLACE INTO told (
        id, run_id, run_started_at, place, step, started_at, elapsed, target, is_paused)
      VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .text(cursor.runID.uuidString), .integer(cursor.startedAt.microseconds), .text(place), .integer(step),
      .integer(told?.startedAt.microseconds), .integer(told?.elapsed.nanoseconds),
      .integer(told?.target?.nanoseconds), .integer(told.map { $0.isPaused ? 1 : 0 }))
  }

  /// The runs that are over and began after a moment, oldest first.
  package func runs(startedAfter moment: Moment) throws -> [EndedRun] {
    try database.endedRuns(startedAfter: moment)
  }

  /// A run that is over; `nil` if the history does not have it.
  package func endedRun(_ id: UUID) throws -> EndedRun? { try database.endedRun(id: id) }
}
