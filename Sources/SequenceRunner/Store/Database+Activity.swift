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

  /// Counts the active time before the end of a run that has ended by itself.
  func countActivity(until ended: EndedRun, after last: JournalEntry) throws(StoreError) {
    guard let chain = last.chain(in: ended.snapshot.timeline) else { return }
    let end = chain.start(ofStepAt: ended.snapshot.log.count)
    try addActivity(end.boot - chain.since.boot, to: last.runID)
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

  /// Replaces the intervals of a run by those that its log has, for a run without a journal.
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
