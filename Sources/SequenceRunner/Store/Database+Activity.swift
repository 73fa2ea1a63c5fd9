import FoundationEssentials
import SequencePlatform
import SequenceStore

/// The activity: a row for each interval during which the clock of a run was running.
///
/// Steps that follow each other without a pause share a row. Its active time is exact; its end by the wall clock is
/// exact unless the wall clock was set during it.
extension Database {
  /// Counts the active time before a new entry, and begins an interval if the clock starts with it.
  func countActivity(of entry: JournalEntry, after last: JournalEntry?) throws(StoreError) {
    if let last, last.isRunning { try addActivity(entry.time, to: entry.runID) }
    guard last?.isRunning != true, case .running(let since, _)? = entry.current?.clock else { return }
    try beginActivity(of: entry.runID, at: since.wall, active: .zero)
  }

  private func beginActivity(
    of runID: UUID, at moment: Moment, active: Duration
  ) throws(StoreError) {
    try run(
      "INSERT INTO activity (run_id, started_at, active) VALUES (?, ?, ?)", .text(runID.uuidString),
      .integer(moment.microseconds), .integer(active.nanoseconds))
  }

  private func addActivity(_ time: Duration, to runID: UUID) throws(StoreError) {
    try run(
      "UPDATE activity SET active = active + ? WHERE id = (SELECT max(id) FROM activity WHERE run_id = ?)",
      .integer(time.nanoseconds), .text(runID.uuidString))
  }

  func hasActivity(_ runID: UUID) throws(StoreError) -> Bool {
    try rows("SELECT EXISTS (SELECT 1 FROM activity WHERE run_id = ?)", .text(runID.uuidString)) {
      $0.integer(0)
    } == [1]
  }

  /// Takes over the readable intervals of a damaged store.
  func salvageActivity(from damaged: Database) throws(StoreError) {
    let rows = damaged.readableRows(of: "activity", "run_id, started_at, active, id") {
      row throws(StoreError) in (id: row.integer(3), row: try damaged.activity(row))
    }
    for (id, row) in rows {
      try run(
        "INSERT OR IGNORE INTO activity (id, run_id, started_at, active) VALUES (?, ?, ?, ?)", .integer(id),
        .text(row.runID.uuidString), .integer(row.interval.start.microseconds),
        .integer(row.interval.active.nanoseconds))
    }
  }

  /// Reads every interval.
  ///
  /// - Throws: `StoreError.damaged` if one makes no sense.
  func checkActivity() throws(StoreError) {
    _ = try rows("SELECT run_id, started_at, active FROM activity", make: activity)
  }

  /// Returns the interval of a row with the columns run, start and active time.
  func activity(_ row: SQLRow) throws(StoreError) -> (runID: UUID, interval: ActiveInterval) {
    guard let runID = UUID(uuidString: row.text(0)), row.integer(2) >= 0 else {
      throw .damaged(path: path, reason: "an interval of the activity makes no sense")
    }
    return (
      runID,
      ActiveInterval(start: Moment(microseconds: row.integer(1)), active: .nanoseconds(row.integer(2)))
    )
  }

  /// Adds the intervals of a run that its log has, for a run whose intervals are lost.
  ///
  /// The log has no pauses: a step's active time counts from its start.
  func estimateActivity(of run: ActiveRunSnapshot, isEnded: Bool) throws(StoreError) {
    var intervals: [(start: Moment, active: Duration)] = [(run.startedAt, run.unrecorded)]
    for interval in run.log.intervals(in: run.timeline) {
      if let last = intervals.last, last.active > .zero,
        last.start.advanced(by: last.active) == interval.start
      {
        intervals[intervals.count - 1].active += interval.active
      } else {
        intervals.append(interval)
      }
    }
    if !isEnded {
      switch run.current.clock {
      case .running(_, let before): intervals.append((run.current.startedAt, before))
      case .paused(let elapsed), .suspended(let elapsed, _):
        intervals.append((run.current.startedAt, elapsed))
      }
    }
    for interval in intervals where interval.active > .zero {
      try beginActivity(of: run.runID, at: interval.start, active: interval.active)
    }
    if !isEnded, case .running(let since, _) = run.current.clock {
      try beginActivity(of: run.runID, at: since.wall, active: .zero)
    }
  }
}
