import FoundationEssentials
import SequencePlatform
import SequenceStore

/// The runs of a damaged store whose sequences or snapshots can't be read.
///
/// Each gets an entry in the history, so that no run disappears without a word. The journal says that there was such a
/// run and when it started; a row with a damaged snapshot does, too.
extension Database {
  /// Returns the runs that are lost with a damaged store, in the order of their starts.
  ///
  /// The journal has been recovered before.
  ///
  /// - Parameters:
  ///   - known: the ids of the runs that are not lost.
  ///   - observers: the owners of further tables, which may know the titles.
  func lostRuns(
    of damaged: Database, besides known: Set<UUID>, asking observers: [any RunObserver],
    at reading: ClockReading
  ) throws(StoreError) -> [EndedRun] {
    let entries = Dictionary(grouping: try journalEntries(after: .min), by: \.runID)
    var stored = Dictionary(
      try damaged.readableRuns(besides: known).compactMap { id, texts in
        // A text with a wrong byte is good for no more than what nothing else has.
        let run = try? texts.withMatchingChecksums.decoded(path: path)
        let own = run?.runID ?? id
        // Of the id of a row and its texts, one is that of another run: the id if the journal doesn't know it.
        return own == id || entries[id] == nil ? (own, (run: run, sequence: texts.sequence)) : nil
      }, uniquingKeysWith: { first, _ in first })
    let indexed = damaged.indexedRuns()
    let missing = Set(entries.keys).union(indexed.missing).subtracting(known).subtracting(stored.keys)
    // The row whose id nothing else has and whose text can't tell it is that of the one run without a row.
    let unnamed = stored.filter { $1.run == nil && entries[$0] == nil && !indexed.all.contains($0) }
    if unnamed.count == 1, missing.count == 1, let (row, text) = unnamed.first, let id = missing.first {
      (stored[row], stored[id]) = (nil, text)
    }
    var lost: [EndedRun] = []
    for id in missing.union(stored.keys).subtracting(known) {
      let run = stored[id]?.run
      let sequence = stored[id].flatMap { try? $0.sequence.timeline(path: path).definition }
      let listed = damaged.listedSequence(ofRun: id)
      var (sequenceID, title) = (listed?.id ?? run?.historyID, listed?.title)
      for observer in observers {
        let known = try observer.sequence(ofLostRun: id, in: self)
        (sequenceID, title) = (sequenceID ?? known.id, title ?? known.title)
      }
      lost.append(
        try lostRun(
          id, of: sequenceID ?? sequence?.id ?? id, title ?? sequence?.title ?? "", entries[id] ?? [],
          startedAt: run?.startedAt, at: reading))
    }
    return lost.sorted { $0.snapshot.startedAt < $1.snapshot.startedAt }
  }

  private func lostRun(
    _ id: UUID, of sequence: UUID, _ title: String, _ entries: [JournalEntry], startedAt: Moment?,
    at reading: ClockReading
  ) throws(StoreError) -> EndedRun {
    let start = entries.first?.at.wall ?? startedAt ?? reading.wall
    let definition = SequenceDefinition(
      id: sequence, title: title,
      elements: [.card(Card(id: sequence, title: title, timing: .countUp(goal: nil), isRest: false))],
      onSuspend: nil, onLock: nil)
    let timeline: Timeline
    do throws(TimelineError) {
      timeline = try Timeline(definition)
    } catch {
      // One of another table may be longer than a sequence may have it.
      guard !title.isEmpty else { throw .unexpected(path: path, reason: error.problem.text) }
      return try lostRun(id, of: sequence, "", entries, startedAt: startedAt, at: reading)
    }
    var snapshot = ActiveRunSnapshot(
      runID: id, timeline: timeline, at: ClockReading(wall: start, boot: .zero, bootID: ""))
    snapshot.current.clock = .paused(elapsed: .zero)
    snapshot.unrecorded = ActiveInterval.intervals(of: entries).reduce(.zero) { $0 + $1.active }
    // An active run was so until now; one of the history had ended with its last entry.
    let end = entries.last.flatMap { $0.current == nil ? $0.at.wall : nil }
    return EndedRun(snapshot: snapshot, endedAt: end ?? max(start, reading.wall), outcome: .lost)
  }

  /// Returns the ids of the runs that indexes have, and of those the ones of tables that have fewer rows.
  private func indexedRuns() -> (all: Set<UUID>, missing: Set<UUID>) {
    var (all, missing) = (Set<UUID>(), Set<UUID>())
    for (table, index) in [("active_run", "sqlite_autoindex_active_run_1"), ("history", "history_list")] {
      func ids(_ place: String, _ column: String = "") -> Set<UUID> {
        Set(
          readable("SELECT run_id\(column) FROM \(table) \(place)") { UUID(text: $0.text(0)) }.compactMap(
            \.self))
      }
      // Without a column that no index has, SQLite reads an index of the history even so.
      let (runs, indexed) = (ids("NOT INDEXED", ", checksum"), ids("INDEXED BY \(index)"))
      all.formUnion(indexed)
      // Otherwise an id that differs is damaged in one of the two.
      if indexed.count > runs.count { missing.formUnion(indexed.subtracting(runs)) }
    }
    return (all, missing)
  }

  /// Returns the id and the title of the sequence of an ended run, which an index has even if the row can't be read.
  private func listedSequence(ofRun id: UUID) -> (id: UUID?, title: String?)? {
    readable(
      "SELECT sequence_id, title FROM history INDEXED BY history_list WHERE run_id = ?", .text(id.text)
    ) { (id: UUID(text: $0.text(0)), title: Optional($0.text(1))) }.first
  }

  private func readable<Row>(_ query: String, _ values: SQLValue..., make: (SQLRow) -> Row) -> [Row] {
    // A table or an index that can't be read is taken for an empty one.
    (try? rows(query, values, make: make)) ?? []
  }

  func lostTitles() throws(StoreError) -> [String] {
    try rows(
      "SELECT \(EndedRunSummary.table.columns) FROM history WHERE outcome = ? ORDER BY started_at",
      .text(RunOutcome.lost.rawValue), make: endedRun
    ).map(\.lostTitle)
  }
}

extension EndedRun {
  /// The title of a lost run for a message, or the beginning of its id if the title is lost, too.
  var lostTitle: String {
    snapshot.sequence.title.isEmpty ? String(runID.text.prefix(8)) : snapshot.sequence.title
  }
}
