package import FoundationEssentials
import SequencePlatform
package import SequenceStore

/// The journal: a row for each change of a run, in the transaction of the change.
extension Database {
  private static let journalColumns =
    "number, run_id, kind, reason, wall, boot, boot_id, time, step, current"

  /// Returns the last entry of a run; `nil` if it has none.
  package func lastJournalEntry(of runID: UUID) throws(StoreError) -> JournalEntry? {
    try rows(
      "SELECT \(Database.journalColumns) FROM journal WHERE run_id = ? ORDER BY number DESC LIMIT 1",
      .text(runID.uuidString), make: journalEntry
    ).first
  }

  /// Returns the active run as it is stored, and its last entry; `nil` without a run.
  package func activeJournalEntry() throws(StoreError) -> (run: ActiveRunSnapshot, entry: JournalEntry)? {
    guard let run = try storedRun()?.snapshot, let entry = try lastJournalEntry(of: run.runID) else {
      return nil
    }
    return (run, entry)
  }

  /// Returns the entries from a number on, in order.
  func journalEntries(from number: Int64) throws(StoreError) -> [JournalEntry] {
    try rows(
      "SELECT \(Database.journalColumns) FROM journal WHERE number >= ? ORDER BY number", .integer(number),
      make: journalEntry)
  }

  /// Returns the entries of a run, in order.
  func journalEntries(of runID: UUID) throws(StoreError) -> [JournalEntry] {
    try rows(
      "SELECT \(Database.journalColumns) FROM journal WHERE run_id = ? ORDER BY number",
      .text(runID.uuidString), make: journalEntry)
  }

  /// Returns the last entry of a number or below; `nil` if there is none.
  package func lastJournalEntry(notAfter number: Int64) throws(StoreError) -> JournalEntry? {
    try rows(
      "SELECT \(Database.journalColumns) FROM journal WHERE number <= ? ORDER BY number DESC LIMIT 1",
      .integer(number), make: journalEntry
    ).first
  }

  /// Returns the events of all runs after a position, up to a reading.
  ///
  /// - Parameter steps: the number of steps whose events are listed at least, if many passed in endless rounds.
  func events(
    after position: EventPosition, until reading: ClockReading, listing steps: Int,
    marks: (ActiveRunSnapshot) -> Set<Duration>?
  ) throws(StoreError) -> (runs: [RunEvents], end: EventPosition) {
    let entries = try journalEntries(from: position.entry)
    var (runs, end) = ([RunEvents](), position)
    var place = 0
    while place < entries.count {
      let first = entries[place]
      let ofRun = entries[place...].prefix { $0.runID == first.runID }
      place = ofRun.endIndex
      // A run that is neither active nor in the history was lost with a damaged store.
      guard let (run, isActive) = try journalRun(first.runID), let last = ofRun.last else { continue }
      try requirePossible(ofRun, in: run.timeline)
      // What time brings after a reboot is known once the run is anchored in the new boot.
      let isAnchored = !isActive || !run.needsAnchor(at: reading)
      let limit: Duration = isActive ? isAnchored ? last.time(at: reading) : .zero : .nanoseconds(Int64.max)
      end = max(position, EventPosition(entry: last.number, time: limit))
      guard let marks = marks(run) else { continue }
      let isKnown = first.number == position.entry
      var events = EventReading(
        run.timeline, marks: marks, after: isKnown ? first : nil, time: isKnown ? position.time : .zero,
        listing: steps)
      for entry in isKnown ? ofRun.dropFirst() : ofRun { events.read(entry) }
      events.readAgenda(until: limit)
      if !events.events.isEmpty {
        runs.append(RunEvents(run: run, events: events.events, skipped: events.skipped, end: end))
      }
    }
    return (runs, end)
  }

  /// Returns the readings of a boot, in the journal and at the dispatch position, that prove that the machine was on.
  ///
  /// - Parameter start: the start of the clock of the run, whose boot counts.
  func journalSigns(of runID: UUID, since start: ClockReading) throws(StoreError) -> [ClockReading] {
    guard let last = try lastJournalEntry(of: runID) else { return [] }
    var signs = [last.at]
    if let position = try dispatchPosition(), position.entry == last.number,
      case .running(let since, _)? = last.current?.clock
    {
      signs.append(since.advanced(by: position.time))
    }
    return signs.filter { $0.bootID == start.bootID }
  }

  /// Compares each entry of the journal with its run.
  ///
  /// - Throws: `StoreError.damaged` if an entry makes no sense.
  func checkJournal() throws(StoreError) {
    var entries = try journalEntries(from: .min)[...]
    while let first = entries.first {
      let ofRun = entries.prefix { $0.runID == first.runID }
      if let (run, _) = try journalRun(first.runID) { try requirePossible(ofRun, in: run.timeline) }
      entries = entries[ofRun.endIndex...]
    }
  }

  private func requirePossible(
    _ entries: ArraySlice<JournalEntry>, in timeline: Timeline
  ) throws(StoreError) {
    guard let wrong = entries.first(where: { !$0.isPossible(in: timeline) }) else { return }
    throw .damaged(path: path, reason: "entry \(wrong.number) of the journal has a step that its run has not")
  }

  /// Returns a run of the journal, and whether it is active; `nil` if it is lost.
  private func journalRun(_ id: UUID) throws(StoreError) -> (run: ActiveRunSnapshot, isActive: Bool)? {
    if let active = try storedRun()?.snapshot, active.runID == id { return (active, true) }
    return try endedRun(id: id).map { ($0.snapshot, false) }
  }

  /// Lets new entries have higher numbers than those of a damaged store, so that positions of readers stay valid.
  func continueJournal(of damaged: Database, at reading: ClockReading) throws(StoreError) {
    // If the numbers are unreadable, the seconds since 1970 are more than entries that a user can cause.
    let number = (try? damaged.rows("SELECT max(number) FROM journal") { $0.integer(0) })?.first ?? 0
    try run(
      "INSERT INTO sqlite_sequence (name, seq) VALUES ('journal', ?)",
      .integer(max(number, reading.wall.microseconds / 1_000_000)))
    // Without a position dispatching begins a moment ago.
    if let position = try? damaged.dispatchPosition() { try store(dispatchPosition: position) }
  }

  /// Begins the journal of a run that was begun without one.
  func beginJournal(of snapshot: ActiveRunSnapshot) throws(StoreError) {
    let at: ClockReading =
      switch snapshot.current.clock {
      case .running(let since, _): since
      case .suspended(_, let suspend): suspend.until ?? suspend.since
      case .paused: ClockReading(wall: snapshot.current.startedAt, boot: .zero, bootID: "")
      }
    try add(
      .migrated, of: snapshot.runID, at: at, time: .zero, step: snapshot.log.count, snapshot.current)
  }

  /// Adds the entries of a change, and counts the active time before them.
  func record(_ change: RunChange) throws(StoreError) {
    let (runID, timeline) = (change.run.runID, change.run.timeline)
    var last = try lastJournalEntry(of: runID)
    for draft in change.drafts {
      let at = last?.notBefore(draft.at) ?? draft.at
      let (step, current): (Int, ActiveRunSnapshot.CurrentStep?) =
        switch draft.state {
        case .active(let run): (run.log.count, run.current)
        case .ended(let ended): (ended.snapshot.log.count, nil)
        }
      let time = last.map { $0.time(of: draft.kind, at: at, step: step, current, in: timeline) } ?? .zero
      try add(draft.kind, of: runID, at: at, time: time, step: step, current)
      let entry = JournalEntry(
        number: try lastNumber(), runID: runID, kind: draft.kind, at: at, time: time, step: step,
        current: current)
      try countActivity(of: entry, after: last)
      last = entry
    }
    if let last, last.isRunning, case .ended(let ended) = change.after {
      try countActivity(until: ended, after: last)
    }
  }

  /// Returns a reading, or that of the last entry of its boot if that is later.
  func notBeforeLastEntry(_ reading: ClockReading) throws(StoreError) -> ClockReading {
    try lastJournalEntry(notAfter: .max)?.notBefore(reading) ?? reading
  }

  private func lastNumber() throws(StoreError) -> Int64 {
    try rows("SELECT max(number) FROM journal") { $0.integer(0) }.first ?? 0
  }

  private func add(
    _ kind: JournalEntry.Kind, of runID: UUID, at reading: ClockReading, time: Duration, step: Int,
    _ current: ActiveRunSnapshot.CurrentStep?
  ) throws(StoreError) {
    try run(
      """
      INSERT INTO journal (run_id, kind, reason, wall, boot, boot_id, time, step, current)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .text(runID.uuidString), .text(kind.name), .text(kind.cause?.rawValue),
      .integer(reading.wall.microseconds), .integer(reading.boot.nanoseconds), .text(reading.bootID),
      .integer(time.nanoseconds), .integer(Int64(step)),
      .text(try current.map { step throws(StoreError) in try StoredJSON.encode(step, path: path) }))
  }

  private func journalEntry(_ row: SQLRow) throws(StoreError) -> JournalEntry {
    guard row.integer(0) > 0, let runID = UUID(uuidString: row.text(1)),
      let kind = JournalEntry.Kind(
        name: row.text(2), cause: row.optionalText(3).flatMap(Suspend.Cause.init(rawValue:)))
    else {
      throw .damaged(path: path, reason: "entry \(row.integer(0)) of the journal makes no sense")
    }
    guard (0...Int64(StepLog.mostSteps)).contains(row.integer(8)) else {
      throw .damaged(path: path, reason: "entry \(row.integer(0)) of the journal has no step")
    }
    let current = try row.optionalText(9).map { text throws(StoreError) in
      try StoredJSON.decode(text, path: path) { json throws(JSONReader.Failure) in
        try ActiveRunSnapshot.CurrentStep(from: &json)
      }
    }
    return JournalEntry(
      number: row.integer(0), runID: runID, kind: kind,
      at: ClockReading(
        wall: Moment(microseconds: row.integer(4)), boot: .nanoseconds(row.integer(5)), bootID: row.text(6)),
      time: .nanoseconds(row.integer(7)), step: Int(row.integer(8)), current: current)
  }
}

extension JournalEntry {
  /// Returns a reading for a later entry: readings of one boot never go back.
  fileprivate func notBefore(_ reading: ClockReading) -> ClockReading {
    at.bootID == reading.bootID && at.boot > reading.boot ? at : reading
  }

  /// Returns when the next entry happened, as a time after the start of this entry's clock.
  fileprivate func time(
    of kind: Kind, at reading: ClockReading, step: Int, _ current: ActiveRunSnapshot.CurrentStep?,
    in timeline: Timeline
  ) -> Duration {
    // The clocks of two boots were compared for the state after it, and must not be compared again.
    if kind == .anchor, let chain = chain(in: timeline),
      case .running(_, let elapsed)? = current?.clock
    {
      return max(.zero, chain.time(ofStepAt: step, elapsed: elapsed))
    }
    return time(at: reading)
  }
}
