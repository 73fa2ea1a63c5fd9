package import FoundationEssentials
package import SequencePlatform
import SequenceStore

package struct ActiveInterval: Equatable, Sendable {
  package let start: Moment
  /// The active time; the sum over a run is the active time of the run.
  package let active: Duration

  package init(start: Moment, active: Duration) {
    self.start = start
    self.active = active
  }
}

package struct RunPause: Equatable, Sendable {
  package let start: Moment
  package let duration: Duration
  /// The cause of a suspend; `nil` if the user paused the run.
  package let cause: Suspend.Cause?
}

extension OpenRunStore {
  package func activity(of runID: UUID) throws(StoreError) -> [ActiveInterval] {
    try repairing { () throws(StoreError) in
      try database.rows(
        "SELECT \(ActiveInterval.table.columns) FROM activity WHERE run_id = ? ORDER BY id",
        .text(runID.uuidString)
      ) { row throws(StoreError) in try database.activity(row).interval }
    }
  }

  /// A suspend that counts is no pause, and neither is a pause whose entry is lost.
  ///
  /// - Complexity: O(journal entries of the run).
  package func pauses(of runID: UUID) throws(StoreError) -> [RunPause] {
    let entries = try repairing { () throws(StoreError) in try database.journalEntries(of: runID) }
    var pauses: [RunPause] = []
    var (begin, last) = (JournalEntry?.none, Int64?.none)
    for entry in entries {
      // Nothing is known of the time before a lost entry.
      if entry.previous != last { begin = nil }
      last = entry.number
      switch entry.current?.clock {
      case .paused?, .suspended?: begin = begin ?? entry
      case .running(let since, _)?:
        if let begin, since.bootID != begin.at.bootID || since.boot > begin.at.boot {
          pauses.append(RunPause(from: begin, until: since))
        }
        begin = nil
      case nil:
        if let begin { pauses.append(RunPause(from: begin, until: entry.at)) }
        begin = nil
      }
    }
    return pauses
  }
}

extension RunPause {
  fileprivate init(from begin: JournalEntry, until end: ClockReading) {
    self.init(start: begin.at.wall, duration: end.elapsed(since: begin.at), cause: begin.kind.cause)
  }
}
