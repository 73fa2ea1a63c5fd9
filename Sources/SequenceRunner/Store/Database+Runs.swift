package import FoundationEssentials
import SequencePlatform
package import SequenceStore

extension Database {
  /// Returns the stored active runs in the order of their starts; reads and decodes them only if the revision of the
  /// store has changed.
  func storedRuns() throws(StoreError) -> [ActiveRunSnapshot] {
    if let known = decoded, let runs = known.value as? [ActiveRunSnapshot] {
      if try known.revision == revision() { return runs }
    }
    decoded = nil
    // In one statement: another process may change the runs between two. The index shows rows that the table has lost.
    let columns = Int32(Database.activeRuns.names.count)
    let found = try rows(
      """
      SELECT \(Database.activeRuns.columns), revision,
        (SELECT count(run_id) FROM active_run INDEXED BY sqlite_autoindex_active_run_1)
      FROM store LEFT JOIN active_run WHERE id = 1 ORDER BY number
      """
    ) { row throws(StoreError) in
      (
        revision: row.integer(columns), indexed: row.integer(columns + 1),
        run: try row.optionalText(ActiveRunColumn.runID).map { id throws(StoreError) in
          let run = try activeRun(row)
          guard id == run.runID.text else {
            throw .damaged(path: path, reason: "an active run has another id")
          }
          return run
        }
      )
    }
    guard let first = found.first else { throw .damaged(path: path, reason: "its revision is gone") }
    let runs = found.compactMap(\.run)
    guard runs.count == first.indexed else {
      throw .damaged(path: path, reason: "the active runs and their index have different runs")
    }
    decoded = (first.revision, runs)
    return runs
  }

  func revision() throws(StoreError) -> Int64 {
    guard let revision = try rows("SELECT revision FROM store", make: { $0.integer(0) }).first else {
      throw .damaged(path: path, reason: "its revision is gone")
    }
    return revision
  }

  func readableRuns() throws(StoreError) -> [ActiveRunSnapshot] {
    let columns = readableColumns(of: "active_run", Database.activeRuns.names)
    return try readableRows(of: "active_run", columns) { row throws(StoreError) in
      (number: row.integer(ActiveRunColumn.number), run: try activeRun(row))
    }.sorted { $0.number < $1.number }.map(\.run)
  }

  func readableHistory() throws(StoreError) -> [EndedRun] {
    let columns = readableColumns(of: "history", EndedRunSummary.salvagedNames)
    return try readableRows(of: "history", key: "run_id", columns) { row throws(StoreError) in
      try salvagedRun(row)
    }
  }

  /// Returns the stored forms of the active and ended runs of a damaged store, by their ids.
  ///
  /// - Parameter known: the ids of the runs that aren't returned.
  func readableRuns(besides known: Set<UUID>) throws(StoreError) -> [UUID: StoredRun] {
    var runs: [UUID: StoredRun] = [:]
    for (table, key) in [("active_run", "rowid"), ("history", "run_id")] {
      let columns = readableColumns(of: table, Database.storedRunColumns.names)
      let rows = try readableRows(of: table, key: key, columns) { row in
        (id: row.text(StoredRunColumn.runID), run: StoredRun(row, from: StoredRunColumn.sequence))
      }
      for row in rows {
        if let id = UUID(text: row.id), !known.contains(id) { runs[id] = row.run }
      }
    }
    return runs
  }

  /// Returns columns as a damaged store has them: nothing for the sequence, which version 1 of the tables had in the
  /// snapshot.
  private func readableColumns(of table: String, _ names: [String]) -> String {
    let hasSequence = hasReadableColumn("sequence", in: table)
    return names.map { name in
      !hasSequence && ["sequence", "sequence_checksum"].contains(name) ? "NULL" : name
    }.concatenated(by: ", ")
  }

  private func activeRun(_ row: SQLRow) throws(StoreError) -> ActiveRunSnapshot {
    let run = try StoredRun(row, from: ActiveRunColumn.sequence).decoded(path: path)
    guard run.log.count < run.timeline.end else {
      throw .damaged(path: path, reason: "the active run has no current step")
    }
    return run
  }

  /// Returns the stored active runs with their states at a reading, in the order of their starts; writes nothing.
  ///
  /// - Parameter observers: the sources of the last sign of life before a power loss.
  func settledRuns(
    at reading: ClockReading, asking observers: [any RunObserver]
  ) throws(StoreError) -> [(stored: ActiveRunSnapshot, settled: SettledRun)] {
    // The last sign of life of a boot is one reading for all runs: the wall clock may have been set between their
    // starts.
    var signs: [String: ClockReading] = [:]
    return try storedRuns().map { stored throws(StoreError) in
      guard stored.needsAnchor(at: reading), case .running(let since, _) = stored.current.clock
      else { return (stored, stored.settled(at: reading)) }
      let sign: ClockReading
      if let known = signs[since.bootID] {
        sign = known
      } else {
        sign = try lastSignOfLife(since: since, asking: observers)
        signs[since.bootID] = sign
      }
      let last = sign.boot < since.boot ? nil : sign
      return (stored, stored.settled(at: reading, lastSignOfLife: last))
    }
  }

  func peek(
    at reading: ClockReading, asking observers: [any RunObserver]
  ) throws(StoreError) -> RunStatus {
    RunStatus(
      reading: reading,
      runs: try settledRuns(at: reading, asking: observers).compactMap {
        if case .active(let run) = $0.settled { run } else { nil }
      })
  }

  /// Returns the latest reading in the boot of another one that proves that the machine was on.
  private func lastSignOfLife(
    since start: ClockReading, asking observers: [any RunObserver]
  ) throws(StoreError) -> ClockReading {
    var last = try lastJournalReading(inBoot: start.bootID) ?? start
    for observer in observers {
      guard let time = try observer.lastSignOfLife(inBoot: start.bootID, of: self), time > last.boot else {
        continue
      }
      last = last.advanced(by: time - last.boot)
    }
    return last
  }

  package func hasRunAffectedBySuspend() throws(StoreError) -> Bool {
    try storedRuns().contains(where: \.isAffectedBySuspend)
  }

  /// Stores the snapshot of a run, and its sequence when the run starts.
  func store(_ snapshot: ActiveRunSnapshot) throws(StoreError) {
    let stored = StoredText(of: snapshot)
    var runs = try storedRuns()
    // Without the index, which may be damaged: a run that it doesn't find would get a second row.
    let changed = try run(
      "UPDATE active_run SET snapshot = ?, checksum = ? WHERE +run_id = ?", .text(stored.text),
      .text(stored.checksum), .text(snapshot.runID.text))
    if changed == 0 {
      let sequence = StoredText(sequenceOf: snapshot)
      let values = ActiveRunColumn.allCases.map { column -> SQLValue in
        switch column {
        case .number: .null
        case .runID: .text(snapshot.runID.text)
        case .sequence: .text(sequence.text)
        case .sequenceChecksum: .text(sequence.checksum)
        case .snapshot: .text(stored.text)
        case .checksum: .text(stored.checksum)
        }
      }
      try run(Database.activeRuns.insert, values)
    }
    if let index = runs.firstIndex(where: { $0.runID == snapshot.runID }) {
      runs[index] = snapshot
    } else {
      runs.append(snapshot)
    }
    decoded = (try countChange(), runs)
  }

  /// Moves an active run to the history; keeps an entry of the history unchanged.
  package func archive(_ ended: EndedRun) throws(StoreError) {
    let runs = try storedRuns().filter { $0.runID != ended.runID }
    let found = try rows(
      "DELETE FROM active_run WHERE +run_id = ? RETURNING sequence, sequence_checksum",
      .text(ended.runID.text)
    ) { StoredText($0.text(0), checksum: $0.text(1)) }
    decoded = (try countChange(), runs)
    // An ended run of a damaged store was never active in this one.
    let sequence =
      if let stored = found.first { stored } else { StoredText(sequenceOf: ended.snapshot) }
    let stored = StoredRun(sequence: sequence, snapshot: StoredText(of: ended.snapshot))
    try run(
      EndedRunSummary.table.insert + " ON CONFLICT (run_id) DO NOTHING",
      EndedRunSummary(ended).values(stored))
  }

  private func countChange() throws(StoreError) -> Int64 {
    let revision = try rows("UPDATE store SET revision = revision + 1 RETURNING revision") { $0.integer(0) }
    guard let revision = revision.first else { throw .damaged(path: path, reason: "its revision is gone") }
    return revision
  }

  /// Returns the runs that ended at or after a moment, complete, newest first.
  ///
  /// The plus sign keeps SQLite from sorting with an index, even though it is told to use none: an id that is
  /// damaged there would hide the run.
  func history(since: Moment) throws(StoreError) -> [EndedRun] {
    try rows(
      """
      SELECT \(EndedRunSummary.table.columns) FROM history NOT INDEXED WHERE ended_at >= ?
      ORDER BY +started_at DESC, +run_id DESC
      """, .integer(since.microseconds), make: endedRun)
  }

  /// Sets the remark of a run, active or ended; must be called in a transaction.
  ///
  /// - Returns: the run as it is stored now; `nil` if there is none.
  func setRemark(_ remark: String?, of id: UUID) throws(StoreError) -> SettledRun? {
    if var active = try storedRuns().first(where: { $0.runID == id }) {
      active.remark = remark
      try store(active)
      return .active(active)
    }
    guard let ended = try endedRun(id: id) else { return nil }
    var snapshot = ended.snapshot
    snapshot.remark = remark
    let stored = StoredText(of: snapshot)
    try run(
      "UPDATE history SET remark = ?, snapshot = ?, checksum = ? WHERE run_id = ?", .text(remark),
      .text(stored.text), .text(stored.checksum), .text(id.text))
    return .ended(EndedRun(snapshot: snapshot, endedAt: ended.endedAt, outcome: ended.outcome))
  }

  func lastEndedRunID() throws(StoreError) -> UUID? {
    try checkingNone(
      rows("SELECT run_id FROM history INDEXED BY history_list ORDER BY ended_at DESC, run_id DESC LIMIT 1") {
        UUID(text: $0.text(0))
      }
    ).first ?? nil
  }

  func historyCount() throws(StoreError) -> Int {
    try rows("SELECT count(*) FROM history WHERE outcome <> ?", .text(RunOutcome.lost.rawValue)) {
      Int($0.integer(0))
    }.first ?? 0
  }

  /// Decodes every run of the history, and keeps none in memory.
  func checkHistory() throws(StoreError) {
    _ = try rows("SELECT \(EndedRunSummary.table.columns) FROM history NOT INDEXED") {
      row throws(StoreError) in _ = try endedRun(row)
    }
  }

  /// Compares the history with the index of its list, which shows a row missing from the table alone.
  ///
  /// SQLite counts all rows in the smallest index, whichever index it is told to use, but not the values of a column.
  func checkHistoryIndex() throws(StoreError) {
    let counts = try rows(
      "SELECT (SELECT count(*) FROM history NOT INDEXED), (SELECT count(run_id) FROM history INDEXED BY history_list)"
    ) { ($0.integer(0), $0.integer(1)) }
    guard let (runs, indexed) = counts.first, runs == indexed else {
      throw .damaged(path: path, reason: "the history and its index have different runs")
    }
  }

  /// Returns the rows that were found in the history; before none are, the history is compared with its index.
  private func checkingNone<Row>(_ found: [Row]) throws(StoreError) -> [Row] {
    if found.isEmpty { try checkHistoryIndex() }
    return found
  }

  /// Returns the figures of the runs that a query means, newest first; reads no snapshot.
  func historySummaries(_ query: HistoryQuery) throws(StoreError) -> [EndedRunSummary] {
    var (conditions, values) = (["ended_at >= ?"], [SQLValue.integer(query.since.microseconds)])
    func require(_ condition: String, _ bound: SQLValue...) {
      conditions.append(condition)
      values += bound
    }
    if let until = query.until { require("started_at < ?", .integer(until.microseconds)) }
    if let label = query.label { require(EndedRunSummary.hasLabel, EndedRunSummary.boundLabel(label)) }
    if let last = query.last {
      require("(started_at, run_id) < (?, ?)", .integer(last.startedAt.microseconds), .text(last.runID))
    }
    let found = try rows(
      """
      SELECT \(EndedRunSummary.listColumns) FROM history INDEXED BY history_list
      WHERE \(conditions.joined(separator: " AND "))
      ORDER BY started_at DESC, run_id DESC LIMIT \(query.most ?? -1)
      """, values
    ) { row throws(StoreError) in try EndedRunSummary(row, path: path) }
    // Many days in a row may be asked for, one after the other.
    return query.until == nil ? try checkingNone(found) : found
  }

  func firstFinished(startedIn time: Range<Moment>) throws(StoreError) -> EndedRunSummary? {
    try rows(
      """
      SELECT \(EndedRunSummary.listColumns) FROM history INDEXED BY history_list
      WHERE started_at >= ? AND started_at < ? AND outcome = ? ORDER BY started_at, run_id LIMIT 1
      """, .integer(time.lowerBound.microseconds), .integer(time.upperBound.microseconds),
      .text(RunOutcome.finished.rawValue)
    ) { row throws(StoreError) in try EndedRunSummary(row, path: path) }.first
  }

  /// Returns the checksums of the sequences of ended runs, by the ids of the runs.
  func sequenceChecksums(of runs: [String]) throws(StoreError) -> [String: String] {
    let columns = "SELECT run_id, sequence_checksum FROM history"
    let found = try runs.map { run throws(StoreError) in
      try checkingNone(rows("\(columns) WHERE run_id = ?", .text(run)) { ($0.text(0), $0.text(1)) })
    }
    return Dictionary(found.joined()) { first, _ in first }
  }

  /// Returns the labels that runs of the history have.
  func historyLabels() throws(StoreError) -> Set<String> {
    let found = try rows(
      "SELECT DISTINCT labels FROM history INDEXED BY history_list WHERE labels IS NOT NULL"
    ) { EndedRunSummary.labels(in: $0.text(0)) }
    return Set(found.joined())
  }

  /// Returns the ids of ended runs that begin with a text; "G" sorts after every hexadecimal digit.
  func endedRunIDs(beginningWith text: String) throws(StoreError) -> [UUID] {
    try checkingNone(
      rows(
        "SELECT run_id FROM history WHERE run_id >= ? AND run_id < ? ORDER BY run_id", .text(text),
        .text(text + "G")
      ) { $0.text(0) }
    ).compactMap { UUID(text: $0) }
  }

  package func endedRun(id: UUID) throws(StoreError) -> EndedRun? {
    try checkingNone(
      rows(
        "SELECT \(EndedRunSummary.table.columns) FROM history WHERE run_id = ?",
        .text(id.text), make: endedRun)
    ).first
  }

  /// Deletes an ended run with its journal, if there is one; must be called in a transaction.
  package func deleteEndedRun(_ id: UUID) throws(StoreError) -> DeletedRun? {
    guard let ended = try endedRun(id: id) else { return nil }
    // Not decoded: an entry that is damaged must not keep the run.
    let entries = try rows(
      "DELETE FROM journal WHERE run_id = ? RETURNING \(JournalEntry.table.columns)",
      .text(id.text)
    ) { row in JournalEntry.Column.allCases.map { row.value(Int32($0.rawValue)) } }
    try run("DELETE FROM history WHERE run_id = ?", .text(id.text))
    return DeletedRun(run: ended, entries: entries)
  }

  /// Writes a deleted run again with its journal; must be called in a transaction.
  package func restore(_ deleted: DeletedRun) throws(StoreError) {
    for entry in deleted.entries { try run(JournalEntry.table.insertIfNew, entry) }
    try archive(deleted.run)
  }

  func endedRun(_ row: SQLRow) throws(StoreError) -> EndedRun {
    let ended = try salvagedRun(row)
    guard row.text(EndedRunSummary.Column.runID) == ended.runID.text else {
      throw .damaged(path: path, reason: "a run of the history has another id")
    }
    return ended
  }

  /// The run of a row whose own id may be damaged.
  private func salvagedRun(_ row: SQLRow) throws(StoreError) -> EndedRun {
    typealias Column = EndedRunSummary.Column
    return EndedRun(
      snapshot: try StoredRun(row, from: Column.sequence).decoded(path: path),
      endedAt: Moment(microseconds: row.integer(Column.endedAt)),
      outcome: try EndedRunSummary.outcome(row, path: path))
  }

  private enum ActiveRunColumn: Int, CodingKey, CaseIterable {
    case number, runID, sequence, sequenceChecksum, snapshot, checksum
  }

  private static let activeRuns = Table("active_run", ActiveRunColumn.allCases.map(\.stringValue))

  /// The columns of a run that both tables have.
  private enum StoredRunColumn: Int, CodingKey, CaseIterable {
    case runID, sequence, sequenceChecksum, snapshot, checksum
  }

  private static let storedRunColumns = Table("", StoredRunColumn.allCases.map(\.stringValue))
}

/// An ended run that was deleted, with its journal.
package struct DeletedRun: Sendable {
  package let run: EndedRun
  /// The rows of the journal, as they were stored.
  let entries: [[SQLValue]]
}
