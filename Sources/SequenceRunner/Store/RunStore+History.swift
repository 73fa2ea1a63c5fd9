public import FoundationEssentials
public import SequencePlatform
public import SequenceStore

extension RunStore {
  // A store that is only inspected may have no tables of runs, or those of another version.

  /// Returns the ended runs, newest first.
  ///
  /// - Parameter since: the earliest end of a run.
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the history).
  public func history(since: Moment = Moment(microseconds: .min)) throws(StoreError) -> [EndedRun] {
    guard base.isCurrent else { return [] }
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
    guard base.isCurrent else { return nil }
    _ = try settle()
    return try repairing { () throws(StoreError) in try database.endedRun(id: id) }
  }

  /// Returns the figures of ended runs, newest first; reads no snapshot.
  ///
  /// - Complexity: O(runs); for a query with `most` and the earliest `since`, O(most).
  package func historySummaries(
    _ query: HistoryQuery = HistoryQuery()
  ) throws(StoreError) -> [EndedRunSummary] {
    guard base.isCurrent else { return [] }
    _ = try settle()
    return try repairing { () throws(StoreError) in try database.historySummaries(query) }
  }

  /// Calls a body with the runs that a query means, newest first, a page at a time.
  package func forEachPage(
    of query: HistoryQuery, _ body: ([EndedRunSummary]) throws -> Void
  ) throws {
    var query = query
    let most = 500
    query.most = most
    var page: [EndedRunSummary]
    repeat {
      page = try historySummaries(query)
      if !page.isEmpty { try body(page) }
      query.last = page.last
    } while page.count == most
  }

  /// Returns the first of the finished runs that started in each of some times; `nil` if there is none.
  ///
  /// - Complexity: O(log(runs) + runs in that time that did not finish) for each.
  package func firstFinished(startedIn times: [Range<Moment>]) throws(StoreError) -> [EndedRunSummary?] {
    guard base.isCurrent else { return times.map { _ in nil } }
    return try repairing { () throws(StoreError) in
      try times.map { time throws(StoreError) in try database.firstFinished(startedIn: time) }
    }
  }

  /// Returns the titles and notes of the cards of ended runs, by the ids of the runs.
  ///
  /// - Parameter known: the texts by the checksums of the sequences; a sequence that several runs share is decoded once.
  package func cardTexts(
    of runs: [EndedRunSummary], _ known: inout [String: String]
  ) throws(StoreError) -> [String: String] {
    guard base.isCurrent, !runs.isEmpty else { return [:] }
    return try repairing { () throws(StoreError) in
      let checksums = try database.sequenceChecksums(of: runs.map(\.runID))
      for (id, checksum) in checksums where known[checksum] == nil {
        // A run that another process has deleted meanwhile says nothing of others with its sequence.
        guard let run = try UUID(text: id).flatMap({ id throws(StoreError) in try database.endedRun(id: id) })
        else { continue }
        let cards = run.snapshot.sequence.elements.flatMap(\.cards)
        known[checksum] = cards.flatMap { [$0.title, $0.note ?? ""] }.joined(separator: "\n")
      }
      return checksums.compactMapValues { known[$0] }
    }
  }

  /// Returns the last starts of sequences that have ended runs, by the ids of the sequences.
  ///
  /// - Complexity: O(sequences · log(runs)).
  package func lastStarts(of sequences: [String]) throws(StoreError) -> [String: Moment] {
    guard base.isCurrent else { return [:] }
    _ = try settle()
    return try repairing { () throws(StoreError) in
      var starts: [String: Moment] = [:]
      for sequence in sequences where starts[sequence] == nil {
        starts[sequence] = try database.rows(
          """
          SELECT started_at FROM history INDEXED BY history_by_sequence WHERE sequence_id = ?
          ORDER BY started_at DESC LIMIT 1
          """, .text(sequence)
        ) { Moment(microseconds: $0.integer(0)) }.first
      }
      return starts
    }
  }

  /// Returns the labels of the active runs and of the history, in order.
  ///
  /// - Complexity: O(runs).
  package func labels() throws(StoreError) -> [String] {
    guard base.isCurrent else { return [] }
    let active = try peek().runs.flatMap(\.labels)
    return try repairing { () throws(StoreError) in try database.historyLabels() }.union(active).sorted()
  }

  /// - Parameter text: hexadecimal digits and hyphens.
  package func endedRunIDs(beginningWith text: String) throws(StoreError) -> [UUID] {
    guard base.isCurrent else { return [] }
    _ = try settle()
    return try repairing { () throws(StoreError) in try database.endedRunIDs(beginningWith: text.uppercased())
    }
  }

  /// - Complexity: O(size of the history).
  package func lastRuns(_ most: Int) throws(StoreError) -> [EndedRunTitle] {
    guard base.isCurrent else { return [] }
    return try repairing { () throws(StoreError) in
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
  }

  package struct EndedRunTitle: Equatable {
    package let id: String
    package let title: String
    package let endedAt: Moment
    package let outcome: String
  }

  /// Returns the intervals in which the clock of an ended run was running.
  ///
  /// If entries of the journal are lost, the log of the run is left, which has no pauses: the active time of a step then
  /// counts from its start.
  ///
  /// - Complexity: O(journal entries of the run).
  package func activity(of run: EndedRun) throws(StoreError) -> [ActiveInterval] {
    let intervals = ActiveInterval.intervals(of: try journalEntries(of: run.runID))
    let sum = intervals.reduce(.zero) { $0 + $1.active }
    return sum == run.active ? intervals : ActiveInterval.intervals(ofLog: run.snapshot)
  }

  /// A suspend that counts is no pause, and neither is a pause whose entry is lost.
  ///
  /// - Complexity: O(journal entries of the run).
  package func pauses(of runID: UUID) throws(StoreError) -> [RunPause] {
    RunPause.pauses(of: try journalEntries(of: runID))
  }

  private func journalEntries(of runID: UUID) throws(StoreError) -> [JournalEntry] {
    guard base.isCurrent else { return [] }
    return try repairing { () throws(StoreError) in try database.journalEntries(of: runID) }
  }
}

/// The runs that a list of the history has.
package struct HistoryQuery: Equatable, Sendable {
  /// The earliest end of a run.
  package var since: Moment
  /// The moment before which a run started; `nil` for any.
  package var until: Moment?
  /// A label of the runs; `nil` for all runs.
  package var label: String?
  /// The run after which the list continues; `nil` to begin with the newest.
  package var last: EndedRunSummary?
  /// The most runs; `nil` for all.
  package var most: Int?

  package init(
    since: Moment = Moment(microseconds: .min), until: Moment? = nil, label: String? = nil,
    after last: EndedRunSummary? = nil, most: Int? = nil
  ) {
    self.since = since
    self.until = until
    self.label = label
    self.last = last
    self.most = most
  }
}

/// An interval in which the clock of a run was running.
///
/// Steps that follow each other without a pause share an interval. Its active time is exact; its end by the wall clock is
/// exact unless the wall clock was set during it.
package struct ActiveInterval: Equatable, Sendable {
  package let start: Moment
  /// The active time; the sum over a run is the active time of the run.
  package private(set) var active: Duration

  package init(start: Moment, active: Duration) {
    self.start = start
    self.active = active
  }

  /// Returns the intervals that the journal of a run has; the time before a lost entry is unknown.
  static func intervals(of entries: [JournalEntry]) -> [ActiveInterval] {
    var intervals: [ActiveInterval] = []
    var last: JournalEntry?
    for entry in entries {
      if entry.previous != last?.number { last = nil }
      if last?.isRunning == true {
        intervals[intervals.count - 1].active += entry.time
      } else if case .running(let since, _)? = entry.current?.clock {
        intervals.append(ActiveInterval(start: since.wall, active: .zero))
      }
      last = entry
    }
    return intervals
  }

  fileprivate static func intervals(ofLog run: ActiveRunSnapshot) -> [ActiveInterval] {
    var intervals = [ActiveInterval(start: run.startedAt, active: run.unrecorded)]
    for (start, active) in run.log.intervals(in: run.timeline) {
      let last = intervals[intervals.count - 1]
      if last.start.advanced(by: last.active) == start {
        intervals[intervals.count - 1].active += active
      } else {
        intervals.append(ActiveInterval(start: start, active: active))
      }
    }
    return intervals.filter { $0.active > .zero }
  }
}

package struct RunPause: Equatable, Sendable {
  package let start: Moment
  package let duration: Duration
  /// The cause of a suspend; `nil` if the user paused the run.
  package let cause: SuspendCause?

  fileprivate static func pauses(of entries: [JournalEntry]) -> [RunPause] {
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
