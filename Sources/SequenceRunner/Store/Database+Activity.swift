import FoundationEssentials
import SequencePlatform
import SequenceStore

/// The activity: a row for each interval during which the clock of a run was running.
///
/// Steps that follow each other without a pause share a row. Its active time is exact; its end by the wall clock is
/// exact unless the wall clock was set during it.
extension Database {
  func countActivity(of entry: JournalEntry, after last: JournalEntry?) throws(StoreError) {
    if let last, last.isRunning { try addActivity(entry.time, to: entry.runID) }
    guard last?.isRunning != true, case .running(let since, _)? = entry.current?.clock else { return }
    try beginActivity(of: entry.runID, at: since.wall, active: .zero)
  }

  private func beginActivity(
    of runID: UUID, at moment: Moment, active: Duration
  ) throws(StoreError) {
    let interval = ActiveInterval(start: moment, active: active)
    try run(ActiveInterval.table.insert, interval.values(id: nil, runID))
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

  func salvageActivity(from damaged: Database) throws(StoreError) {
    let rows = try damaged.readableRows(of: "activity", ActiveInterval.table.columns) {
      row throws(StoreError) in
      (id: row.integer(ActiveInterval.Column.id), row: try damaged.activity(row))
    }
    for (id, row) in rows {
      try run(ActiveInterval.table.insertIfNew, row.interval.values(id: id, row.runID))
    }
  }

  func checkActivity() throws(StoreError) {
    _ = try rows("SELECT \(ActiveInterval.table.columns) FROM activity", make: activity)
  }

  func activity(_ row: SQLRow) throws(StoreError) -> (runID: UUID, interval: ActiveInterval) {
    let active = row.integer(ActiveInterval.Column.active)
    guard let runID = UUID(uuidString: row.text(ActiveInterval.Column.runID)), active >= 0 else {
      throw .damaged(path: path, reason: "an interval of the activity makes no sense")
    }
    let start = Moment(microseconds: row.integer(ActiveInterval.Column.startedAt))
    return (runID, ActiveInterval(start: start, active: .nanoseconds(active)))
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

extension ActiveInterval {
  enum Column: Int, CodingKey, CaseIterable { case id, runID, startedAt, active }

  static let table = Table("activity", Column.allCases.map(\.stringValue))

  /// - Parameter id: `nil` for a new row.
  func values(id: Int64?, _ run: UUID) -> [SQLValue] {
    Column.allCases.map { column in
      switch column {
      case .id: .integer(id)
      case .runID: .text(run.uuidString)
      case .startedAt: .integer(start.microseconds)
      case .active: .integer(active.nanoseconds)
      }
    }
  }
}
