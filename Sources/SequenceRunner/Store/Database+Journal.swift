package import FoundationEssentials
import SequencePlatform
package import SequenceStore

extension Database {
  package func lastJournalEntry(of runID: UUID) throws(StoreError) -> JournalEntry? {
    try rows(
      "SELECT \(JournalEntry.table.columns) FROM journal WHERE run_id = ? ORDER BY number DESC LIMIT 1",
      .text(runID.text), make: journalEntry
    ).first
  }

  package func activeJournalEntry(
    of runID: UUID
  ) throws(StoreError) -> (run: ActiveRunSnapshot, entry: JournalEntry)? {
    guard let run = try storedRuns().first(where: { $0.runID == runID }),
      let entry = try lastJournalEntry(of: runID)
    else { return nil }
    return (run, entry)
  }

  /// The active runs as they are stored, each with its last entry.
  package func activeJournalEntries() throws(StoreError) -> [(run: ActiveRunSnapshot, entry: JournalEntry)] {
    var found: [(run: ActiveRunSnapshot, entry: JournalEntry)] = []
    for run in try storedRuns() {
      if let entry = try lastJournalEntry(of: run.runID) { found.append((run, entry)) }
    }
    return found
  }

  func firstJournalNumber(of runID: UUID) throws(StoreError) -> Int64? {
    try rows("SELECT min(number) FROM journal WHERE run_id = ?", .text(runID.text)) {
      $0.optionalInteger(0)
    }.first ?? nil
  }

  func firstJournalNumber(after reading: ClockReading) throws(StoreError) -> Int64? {
    try rows(
      "SELECT min(number) FROM journal WHERE boot_id = ? AND boot > ?", .text(reading.bootID),
      .integer(reading.boot.nanoseconds)
    ) { $0.optionalInteger(0) }.first ?? nil
  }

  func journalEntries(after number: Int64) throws(StoreError) -> [JournalEntry] {
    try rows(
      "SELECT \(JournalEntry.table.columns) FROM journal WHERE number > ? ORDER BY number", .integer(number),
      make: journalEntry)
  }

  func journalEntries(of runID: UUID) throws(StoreError) -> [JournalEntry] {
    try rows(
      "SELECT \(JournalEntry.table.columns) FROM journal WHERE run_id = ? ORDER BY number",
      .text(runID.text), make: journalEntry)
  }

  package func lastJournalEntry(notAfter number: Int64) throws(StoreError) -> JournalEntry? {
    try rows(
      "SELECT \(JournalEntry.table.columns) FROM journal WHERE number <= ? ORDER BY number DESC LIMIT 1",
      .integer(number), make: journalEntry
    ).first
  }

  /// Returns the events of all runs after a position, up to a reading.
  ///
  /// Entries after the position are read whole, and of the entry before them of a run what time has brought after the
  /// reading of the position. Nothing is read while an active run is not anchored in the boot of the reading.
  ///
  /// - Parameter steps: the number of steps whose events are listed at least, if many passed in endless rounds.
  func events(
    after position: EventPosition, until reading: ClockReading, listing steps: Int,
    marks: (ActiveRunSnapshot) -> Set<Duration>?
  ) throws(StoreError) -> EventBatch {
    let active = try storedRuns()
    guard !active.contains(where: { $0.needsAnchor(at: reading) }) else {
      return EventBatch(runs: [], end: position)
    }
    let entries = try journalEntries(after: position.entry)
    // The reading may be older than an entry, whose events must not be read twice.
    let end = EventPosition(
      entry: entries.last?.number ?? position.entry,
      at: entries.reduce(reading) { $1.notBefore($0) })
    var merger = EventMerger(from: position.at.bootID, to: reading.bootID)
    /// Adds the events of a run: those of new entries, and those that time has brought until a time of the last one.
    func add(
      _ new: [JournalEntry], after before: JournalEntry?, of run: ActiveRunSnapshot, until limit: Duration?
    ) {
      guard let marks = marks(run) else { return }
      var events = EventDerivation(run, marks: marks, after: before, at: position.at, listing: steps)
      for entry in new { events.read(entry) }
      if let limit { events.readAgenda(until: limit) }
      merger.add(events, of: run)
    }
    for ofRun in entries.groupedByRun() {
      // A run that is neither active nor in the history was lost with a damaged store, or deleted.
      guard let first = ofRun.first, let last = ofRun.last, let (run, isActive) = try journalRun(first.runID)
      else { continue }
      try requirePossible(ofRun, of: run)
      let before = try first.previous.flatMap { number throws(StoreError) in
        number <= position.entry ? try journalEntry(number) : nil
      }
      add(ofRun, after: before, of: run, until: isActive ? last.time(at: reading) : nil)
    }
    for run in active {
      guard let last = try lastJournalEntry(of: run.runID), last.number <= position.entry else { continue }
      try requirePossible([last], of: run)
      add([], after: last, of: run, until: last.time(at: reading))
    }
    return EventBatch(runs: merger.merged(), end: end)
  }

  /// Returns the latest reading of a boot at which an entry was written or events were dispatched.
  ///
  /// - Complexity: O(entries).
  func lastJournalReading(inBoot bootID: String) throws(StoreError) -> ClockReading? {
    let entry = try lastJournalEntry(inBoot: bootID)?.at
    let dispatched = try dispatchPosition().flatMap { $0.at.bootID == bootID ? $0.at : nil }
    return [entry, dispatched].compactMap { $0 }.max { $0.boot < $1.boot }
  }

  /// Returns the entry of a boot with the latest time, which isn't always the last one: runs that ran out are found in
  /// the order of their starts.
  private func lastJournalEntry(inBoot bootID: String) throws(StoreError) -> JournalEntry? {
    // The time of an end is calculated, and an anchor may have that of a return that a command counts: the command
    // itself was read later.
    try rows(
      "SELECT \(JournalEntry.table.columns) FROM journal WHERE boot_id = ?"
        + " ORDER BY boot DESC, kind IN ('anchor', 'end'), number DESC LIMIT 1",
      .text(bootID), make: journalEntry
    ).first
  }

  func checkJournal() throws(StoreError) {
    _ = try lastJournalNumber()
    for ofRun in try journalEntries(after: .min).groupedByRun() {
      if let first = ofRun.first, let (run, _) = try journalRun(first.runID) {
        try requirePossible(ofRun, of: run)
      }
    }
  }

  private func requirePossible(
    _ entries: [JournalEntry], of run: ActiveRunSnapshot
  ) throws(StoreError) {
    guard let wrong = entries.first(where: { !$0.isPossible(in: run) }) else { return }
    throw .damaged(path: path, reason: "entry \(wrong.number) of the journal has a step that its run has not")
  }

  private func journalRun(_ id: UUID) throws(StoreError) -> (run: ActiveRunSnapshot, isActive: Bool)? {
    if let active = try storedRuns().first(where: { $0.runID == id }) { return (active, true) }
    guard let ended = try endedRun(id: id), ended.outcome != .lost else { return nil }
    return (ended.snapshot, false)
  }

  /// Takes over the readable entries and the dispatch position of a damaged store.
  ///
  /// New entries have higher numbers than all before, so that positions of readers stay valid.
  func salvageJournal(from damaged: Database, at reading: ClockReading) throws(StoreError) {
    let entries = try damaged.readableRows(of: "journal", JournalEntry.table.columns) {
      row throws(StoreError) in try damaged.journalEntry(row)
    }
    for entry in entries { try add(entry, with: JournalEntry.table.insertIfNew) }
    let positions = try damaged.readablePositions()
    // If the last number is unreadable, no reader has read further, and the seconds since 1970 are more than entries
    // that a user can cause.
    let last =
      (try? damaged.lastJournalNumber())
      ?? min(positions.map(\.position.entry).max() ?? 0, Database.highestJournalNumber / 2)
    let number = max(last, entries.map(\.number).max() ?? 0, reading.wall.microseconds / 1_000_000)
    try run("DELETE FROM sqlite_sequence WHERE name = 'journal'")
    try run("INSERT INTO sqlite_sequence (name, seq) VALUES ('journal', ?)", .integer(number))
    // Without a position dispatching begins a moment ago. One beyond the last entry or the present would hide events.
    for (reader, position) in positions {
      let isAhead = position.at.bootID == reading.bootID && position.at.boot > reading.boot
      let entry = min(max(0, position.entry), number)
      try store(EventPosition(entry: entry, at: isAhead ? reading : position.at), ofReader: reader)
    }
  }

  /// Adds the entries of a change; returns the last entry of the run.
  func record(_ change: RunChange) throws(StoreError) -> JournalEntry? {
    let (runID, timeline) = (change.run.runID, change.run.timeline)
    var last = try lastJournalEntry(of: runID)
    if change.cause == .salvaged {
      // If the journal leads to the recovered state, nothing happened to the run.
      if let last, last.leads(to: change.run) { return last }
      last = nil
    }
    for draft in change.drafts {
      // A run that ran out ended when its time was over, and not when that was found out.
      let end = draft.kind == .end ? last?.chain(in: timeline)?.start(ofStepAt: timeline.end) : nil
      let at = last?.notBefore(end ?? draft.at, recordedAt: change.reading) ?? draft.at
      let (step, current): (Int, ActiveRunSnapshot.CurrentStep?) =
        switch draft.state {
        case .active(let run): (run.log.count, run.current)
        case .ended(let ended): (ended.snapshot.log.count, nil)
        }
      let time = last.map { $0.time(of: draft.kind, at: at, step: step, current, in: timeline) } ?? .zero
      let entry = JournalEntry(
        number: try lastJournalNumber() + 1, previous: last?.number, runID: runID, kind: draft.kind, at: at,
        time: time, step: step, current: current)
      try add(entry)
      last = entry
    }
    return last
  }

  /// Returns a reading, or that of the latest entry of its boot if that is later.
  func notBeforeLastEntry(_ reading: ClockReading) throws(StoreError) -> ClockReading {
    try lastJournalEntry(inBoot: reading.bootID)?.notBefore(reading) ?? reading
  }

  /// No program gets this far; a higher number is damage.
  private static let highestJournalNumber: Int64 = 1 << 62

  /// The highest number that an entry has had; 0 before the first one.
  ///
  /// A number is used once, even if the entry is deleted.
  func lastJournalNumber() throws(StoreError) -> Int64 {
    let number =
      try rows(
        """
        SELECT max(
          coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'journal'), 0),
          coalesce((SELECT max(number) FROM journal), 0))
        """
      ) { $0.integer(0) }.first ?? 0
    guard (0...Database.highestJournalNumber).contains(number) else {
      throw .damaged(path: path, reason: "\(number) is not the number of a journal entry")
    }
    return number
  }

  private func journalEntry(_ number: Int64) throws(StoreError) -> JournalEntry? {
    try rows(
      "SELECT \(JournalEntry.table.columns) FROM journal WHERE number = ?", .integer(number),
      make: journalEntry
    ).first
  }

  func add(
    _ entry: JournalEntry, with insert: String = JournalEntry.table.insert
  ) throws(StoreError) {
    let current = entry.current.map { step in JSONWriter.text { step.write(to: &$0) } }
    try run(insert, entry.values(current: current))
  }

  private func journalEntry(_ row: SQLRow) throws(StoreError) -> JournalEntry {
    try JournalEntry(row, path: path)
  }
}

extension [JournalEntry] {
  fileprivate func groupedByRun() -> [[JournalEntry]] {
    var places: [UUID: Int] = [:]
    var groups: [[JournalEntry]] = []
    for entry in self {
      if let place = places[entry.runID] {
        groups[place].append(entry)
      } else {
        places[entry.runID] = groups.count
        groups.append([entry])
      }
    }
    return groups
  }
}

extension JournalEntry {
  /// Returns a reading for a later entry: readings of one boot never go back.
  fileprivate func notBefore(_ reading: ClockReading) -> ClockReading {
    at.bootID == reading.bootID && at.boot > reading.boot ? at : reading
  }

  /// Returns a reading for a later entry of a change: after an entry of its boot, none is of an earlier boot.
  fileprivate func notBefore(_ reading: ClockReading, recordedAt now: ClockReading) -> ClockReading {
    at.bootID == now.bootID && reading.bootID != now.bootID ? at : notBefore(reading)
  }

  /// Whether a run is in the state after this entry, or in one that time brings from there.
  ///
  /// A command that counts a suspend stores the run with the steps that have ended since.
  fileprivate func leads(to run: ActiveRunSnapshot) -> Bool {
    if step == run.log.count { return current == run.current }
    guard let chain = chain(in: run.timeline), run.log.count > step, run.current.extended == nil,
      run.current.length == nil, run.current.spare == current?.spare,
      case .running(let since, .zero) = run.current.clock
    else { return false }
    let time = chain.time(ofStepAt: run.log.count, elapsed: .zero)
    return chain.step(after: time) == run.log.count && chain.start(ofStepAt: run.log.count) == since
  }

  /// Returns when the next entry happened, as a time after the start of this entry's clock.
  fileprivate func time(
    of kind: Kind, at reading: ClockReading, step: Int, _ current: ActiveRunSnapshot.CurrentStep?,
    in timeline: Timeline
  ) -> Duration {
    if kind == .end, let chain = chain(in: timeline) { return chain.time(ofStepAt: step, elapsed: .zero) }
    // The clocks of two boots were compared for the state after it, and must not be compared again.
    if kind == .anchor, let chain = chain(in: timeline),
      case .running(_, let elapsed)? = current?.clock
    {
      return max(.zero, chain.time(ofStepAt: step, elapsed: elapsed))
    }
    return time(at: reading)
  }
}

/// The positions up to which named readers have handled events.
extension Database {
  private static let stream = "events of "
  /// The reader that dispatches events to hooks and cues.
  private static let dispatcher = "agent"

  package func dispatchPosition() throws(StoreError) -> EventPosition? {
    try position(ofReader: Database.dispatcher)
  }

  package func store(dispatchPosition position: EventPosition) throws(StoreError) {
    try store(position, ofReader: Database.dispatcher)
  }

  func position(ofReader name: String) throws(StoreError) -> EventPosition? {
    try position(of: Database.stream + name).map(EventPosition.init)
  }

  func store(_ position: EventPosition, ofReader name: String) throws(StoreError) {
    try store(ReaderPosition(reader: Database.stream + name, number: position.entry, at: position.at))
  }

  func readablePositions() throws(StoreError) -> [(reader: String, position: EventPosition)] {
    try readablePositions(in: Database.stream).map {
      (String($0.reader.dropFirst(Database.stream.count)), EventPosition($0))
    }
  }

  func checkPositions() throws(StoreError) {
    let last = try lastJournalNumber()
    guard try positions(in: Database.stream).allSatisfy({ (0...last).contains($0.number) }) else {
      throw .damaged(path: path, reason: "a reader of events is at an entry that the journal has not had")
    }
  }
}

extension EventPosition {
  fileprivate init(_ position: ReaderPosition) { self.init(entry: position.number, at: position.at) }
}
