package import FoundationEssentials
import SequencePlatform
package import SequenceStore

extension Database {
  /// Returns the stored active run and its revision; reads and decodes it only if the revision has changed.
  func storedRun() throws(StoreError) -> (revision: Int64, snapshot: ActiveRunSnapshot)? {
    if let known = decoded, let snapshot = known.value as? ActiveRunSnapshot {
      let revision = try rows("SELECT revision FROM active_run WHERE id = 1") { $0.integer(0) }.first
      if known.revision == revision { return (known.revision, snapshot) }
      decoded = nil
    }
    let run = try readRun()
    decoded = run.map { ($0.revision, $0.snapshot) }
    return run
  }

  private func readRun() throws(StoreError) -> (revision: Int64, snapshot: ActiveRunSnapshot)? {
    let row = try rows("SELECT revision, snapshot, checksum FROM active_run WHERE id = 1") {
      (revision: $0.integer(0), text: $0.optionalText(1), checksum: $0.text(2))
    }.first
    guard let row else { throw .damaged(path: path, reason: "the row of the active run is gone") }
    guard let text = row.text else { return nil }
    let run = try StoredSnapshot.decode(text, checksum: row.checksum, path: path, keepsText: true)
    guard run.log.count < run.timeline.end else {
      throw .damaged(path: path, reason: "the active run has no current step")
    }
    return (row.revision, run)
  }

  /// Returns the active run, settled at a reading; writes nothing.
  ///
  /// - Parameters:
  ///   - participants: the sources of the last sign of life before a power loss.
  ///   - hasJournal: whether the journal is one of them; stores of earlier versions have none.
  func settledRun(
    at reading: ClockReading, asking participants: [any StoreParticipant], hasJournal: Bool = true
  ) throws(StoreError) -> ActiveRunSnapshot? {
    guard let stored = try storedRun()?.snapshot,
      case .active(let run) = try settled(
        stored, at: reading, asking: participants, hasJournal: hasJournal)
    else { return nil }
    return run
  }

  /// Returns a stored run, settled at a reading.
  func settled(
    _ stored: ActiveRunSnapshot, at reading: ClockReading, asking participants: [any StoreParticipant],
    hasJournal: Bool = true
  ) throws(StoreError) -> SettledRun {
    guard stored.needsAnchor(at: reading), case .running(let since, _) = stored.current.clock
    else { return stored.settled(at: reading) }
    var signs = hasJournal ? try journalSigns(of: stored.runID, since: since) : []
    for participant in participants {
      if let sign = try participant.lastSignOfLife(of: stored, since: since, in: self) { signs.append(sign) }
    }
    return stored.settled(at: reading, lastSignOfLife: signs.max { $0.boot < $1.boot })
  }

  /// Returns whether the beginning or the end of a suspend would change the active run.
  package func hasRunAffectedBySuspend() throws(StoreError) -> Bool {
    try storedRun()?.snapshot.isAffectedBySuspend ?? false
  }

  /// Stores the active run, or `nil` if no run is active.
  func store(_ snapshot: ActiveRunSnapshot?) throws(StoreError) {
    let stored = try snapshot.map { run throws(StoreError) in try StoredSnapshot.encode(run, path: path) }
    let revision = try rows(
      "UPDATE active_run SET revision = revision + 1, snapshot = ?, checksum = ? WHERE id = 1 RETURNING revision",
      .text(stored?.text), .text(stored?.checksum)
    ) { $0.integer(0) }.first
    guard let revision else {
      throw StoreError.damaged(path: path, reason: "the row of the active run is gone")
    }
    decoded = stored.map { (revision, $0.snapshot) }
  }

  /// Adds a run to the history; keeps an existing entry unchanged.
  func archive(_ ended: EndedRun) throws(StoreError) {
    let stored = try StoredSnapshot.encode(ended.snapshot, path: path)
    let summary = EndedRunSummary(ended)
    try run(
      """
      INSERT INTO history (
        run_id, sequence_id, title, started_at, ended_at, outcome, steps, completed, skipped, active, snapshot,
        checksum)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id) DO NOTHING
      """,
      .text(summary.runID), .text(summary.sequenceID), .text(summary.title),
      .integer(summary.startedAt.microseconds), .integer(summary.endedAt.microseconds),
      .text(summary.outcome.rawValue), .integer(summary.steps ?? 0), .integer(summary.completed),
      .integer(summary.skipped), .integer(summary.active.nanoseconds), .text(stored.text),
      .text(stored.checksum))
  }

  /// Stores the figures of each run of the history; earlier versions did not store them.
  func summarizeHistory() throws(StoreError) {
    for ended in try history(since: Moment(microseconds: .min)) {
      let summary = EndedRunSummary(ended)
      try run(
        "UPDATE history SET steps = ?, completed = ?, skipped = ?, active = ? WHERE run_id = ?",
        .integer(summary.steps ?? 0), .integer(summary.completed), .integer(summary.skipped),
        .integer(summary.active.nanoseconds), .text(summary.runID))
    }
  }

  /// Returns the runs that ended at or after a moment, complete, newest first.
  ///
  /// The plus sign keeps SQLite from sorting with an index, even though it is told to use none: an id that is
  /// damaged there would hide the run.
  func history(since: Moment) throws(StoreError) -> [EndedRun] {
    try rows(
      """
      SELECT snapshot, checksum, ended_at, outcome FROM history NOT INDEXED WHERE ended_at >= ?
      ORDER BY +started_at DESC, +run_id DESC
      """, .integer(since.microseconds), make: endedRun)
  }

  /// Returns the number of runs in the history.
  func historyCount() throws(StoreError) -> Int {
    try rows("SELECT count(*) FROM history") { Int($0.integer(0)) }.first ?? 0
  }

  /// Compares the history with its index, the only place that shows a row missing from the table alone.
  func checkHistoryIndex() throws(StoreError) {
    let counts = try rows(
      "SELECT (SELECT count(*) FROM history NOT INDEXED), (SELECT count(*) FROM history INDEXED BY history_list)"
    ) { ($0.integer(0), $0.integer(1)) }
    guard let (runs, indexed) = counts.first, runs == indexed else {
      throw .damaged(path: path, reason: "the history and its index have different runs")
    }
  }

  /// Returns the figures of the runs that ended at or after a moment, newest first; reads no snapshot.
  func historySummaries(since: Moment) throws(StoreError) -> [EndedRunSummary] {
    try rows(
      """
      SELECT run_id, sequence_id, title, started_at, ended_at, outcome, steps, completed, skipped, active
      FROM history INDEXED BY history_list WHERE ended_at >= ? ORDER BY started_at DESC
      """, .integer(since.microseconds)
    ) { row throws(StoreError) in
      guard let outcome = RunOutcome(rawValue: row.text(5)) else {
        throw .damaged(path: path, reason: "\(row.text(5)) is not an outcome of a run")
      }
      return EndedRunSummary(
        runID: row.text(0), sequenceID: row.text(1), title: row.text(2),
        startedAt: Moment(microseconds: row.integer(3)), endedAt: Moment(microseconds: row.integer(4)),
        outcome: outcome, steps: row.integer(6) > 0 ? Int(row.integer(6)) : nil,
        completed: Int(row.integer(7)),
        skipped: Int(row.integer(8)), active: .nanoseconds(row.integer(9)))
    }
  }

  /// Returns the ids of ended runs that begin with a text; "G" sorts after every hexadecimal digit.
  func endedRunIDs(beginningWith text: String) throws(StoreError) -> [UUID] {
    try rows(
      "SELECT run_id FROM history WHERE run_id >= ? AND run_id < ? ORDER BY run_id", .text(text),
      .text(text + "G")
    ) { $0.text(0) }.compactMap { UUID(uuidString: $0) }
  }

  package func endedRun(id: UUID) throws(StoreError) -> EndedRun? {
    try rows(
      "SELECT snapshot, checksum, ended_at, outcome FROM history WHERE run_id = ?",
      .text(id.uuidString), make: endedRun
    ).first
  }

  /// Returns the run of a row with the columns snapshot, checksum, end and outcome.
  func endedRun(_ row: SQLRow) throws(StoreError) -> EndedRun {
    let snapshot = try StoredSnapshot.decode(row.text(0), checksum: row.text(1), path: path)
    guard let outcome = RunOutcome(rawValue: row.text(3)) else {
      throw .damaged(path: path, reason: "\(row.text(3)) is not an outcome of a run")
    }
    return EndedRun(
      snapshot: snapshot, endedAt: Moment(microseconds: row.integer(2)), outcome: outcome)
  }
}
