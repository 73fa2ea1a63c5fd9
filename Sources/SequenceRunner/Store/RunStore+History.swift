public import FoundationEssentials
public import SequencePlatform
public import SequenceStore

extension RunStore {
  /// Returns the ended runs, newest first.
  ///
  /// - Parameter since: the earliest end of a run.
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the history).
  public func history(since: Moment = Moment(microseconds: .min)) throws(StoreError) -> [EndedRun] {
    _ = try settle()
    return try repairing { () throws(StoreError) in
      try database.checkHistoryIndex()
      return try database.history(since: since)
    }
  }

  /// Returns the ended run with an id; `nil` if there is none.
  ///
  /// - Throws: `StoreError`.
  public func endedRun(id: UUID) throws(StoreError) -> EndedRun? {
    _ = try settle()
    return try repairing { () throws(StoreError) in try database.endedRun(id: id) }
  }

  /// Reads no snapshot.
  ///
  /// - Complexity: O(runs).
  package func historySummaries(since: Moment = Moment(microseconds: .min)) throws(StoreError)
    -> [EndedRunSummary]
  {
    _ = try settle()
    return try repairing { () throws(StoreError) in try database.historySummaries(since: since) }
  }

  /// - Parameter text: hexadecimal digits and hyphens.
  package func endedRunIDs(beginningWith text: String) throws(StoreError) -> [UUID] {
    _ = try settle()
    return try repairing { () throws(StoreError) in try database.endedRunIDs(beginningWith: text.uppercased())
    }
  }

  /// - Complexity: O(size of the history).
  package func lastRuns(_ most: Int) throws(StoreError) -> [EndedRunTitle] {
    try database.rows(
      "SELECT \(EndedRunSummary.listColumns) FROM history ORDER BY ended_at DESC LIMIT ?",
      .integer(Int64(most))
    ) { row in
      typealias Column = EndedRunSummary.Column
      return EndedRunTitle(
        id: row.text(Column.runID), title: row.text(Column.title),
        endedAt: Moment(microseconds: row.integer(Column.endedAt)), outcome: row.text(Column.outcome))
    }
  }

  package struct EndedRunTitle: Equatable {
    package let id: String
    package let title: String
    package let endedAt: Moment
    package let outcome: String
  }

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

extension RunPause {
  fileprivate init(from begin: JournalEntry, until end: ClockReading) {
    self.init(start: begin.at.wall, duration: end.elapsed(since: begin.at), cause: begin.kind.cause)
  }
}
