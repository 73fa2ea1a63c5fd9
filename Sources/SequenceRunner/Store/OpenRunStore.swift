package import FoundationEssentials
package import SequencePlatform
package import SequenceStore

/// The active runs and the history on disk, for use by one thread at a time; `RunStore` is for any thread.
package final class OpenRunStore {
  package private(set) var notices: [StoreNotice] = []
  package var onNotice: (StoreNotice) -> Void = { _ in }
  /// The number of changes by time that this store has written, such as the end of a run.
  package private(set) var settledChanges = 0
  /// Whether the store had the runs as `peek()` returned them last; `false` if time has changed one since, and
  /// `settle()` hasn't written that.
  package private(set) var isSettled = true
  /// The number of steps whose events are listed at least, if many passed in endless rounds.
  package var listedSteps = StepChain.fewestListedSteps
  package let base: OpenStore
  private let tables: RunTables

  /// A damaged store is moved aside, and its readable data is copied to a new one; `notices` reports that.
  package init(
    directory: StateDirectory, clock: any ClockSource, parts: [any StorePart] = [],
    observers: [any RunObserver] = []
  ) throws(StoreError) {
    tables = RunTables(observers: observers)
    base = try OpenStore(directory: directory, clock: clock, parts: [tables] + parts)
    if let path = base.replacedAtOpening { notices.append(try notice(of: path)) }
    base.onReplacement = { [unowned self] path throws(StoreError) in
      let notice = try notice(of: path)
      notices.append(notice)
      onNotice(notice)
    }
  }

  package var directory: StateDirectory { base.directory }
  package var clock: any ClockSource { base.clock }
  package var database: Database { base.database }
  package var generation: Int { base.generation }
  package var isInPlace: Bool { base.isInPlace }
  var observers: [any RunObserver] { tables.observers }

  package func repairing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try base.repairing(body)
  }

  /// Runs a block as one transaction, like `OpenStore.transaction`, at the moment at which the transaction begins.
  func transaction<Result>(
    _ body: (ClockReading) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try base.transaction { _ throws(StoreError) in try body(clock.now()) }
  }

  private func notice(of damagedPath: String) throws(StoreError) -> StoreNotice {
    // A process that was killed may have recovered the runs; which of the lost ones it found isn't known then.
    let lost = if let lost = tables.takeLost() { lost } else { try database.lostTitles() }
    return .damagedStoreMoved(
      to: damagedPath, keptRuns: try database.storedRuns().count, keptHistory: try database.historyCount(),
      lost: lost)
  }

  /// Returns the active runs at this moment; never writes to a sound store.
  ///
  /// - Complexity: O(size of the snapshots).
  package func peek() throws(StoreError) -> RunStatus {
    try repairing { () throws(StoreError) in
      let reading = clock.now()
      let runs = try database.settledRuns(at: reading, asking: observers)
      isSettled = true
      let active = runs.compactMap { stored, settled -> ActiveRunSnapshot? in
        guard case .active(let run) = settled else {
          isSettled = false
          return nil
        }
        if stored.needsAnchor(at: reading) { isSettled = false }
        return run
      }
      return RunStatus(reading: reading, runs: active)
    }
  }

  /// Returns the active runs of a directory at this moment; never writes, and needs no store.
  ///
  /// A damaged store is not replaced. Use `init(directory:clock:)` to repair it.
  ///
  /// - Complexity: O(size of the snapshots).
  package static func peek(
    in directory: StateDirectory, clock: any ClockSource
  ) throws(StoreError) -> RunStatus {
    let reader = try StoreReader(directory)
    let reading = clock.now()
    return try reader?.peek(at: reading) ?? RunStatus(reading: reading, runs: [])
  }

  /// Writes the changes that time has brought, and returns the active runs at this moment.
  ///
  /// Between user actions this only reads. The first process to call it after a run has ended moves the run to the
  /// history; the first one after a reboot anchors the runs in the new boot, all at one moment.
  ///
  /// - Complexity: O(size of the snapshots).
  package func settle() throws(StoreError) -> RunStatus {
    let status = try repairing { () throws(StoreError) -> RunStatus? in
      let reading = clock.now()
      var active: [ActiveRunSnapshot] = []
      for stored in try database.storedRuns() {
        guard case .active(let run) = stored.settled(at: reading), !stored.needsAnchor(at: reading) else {
          return nil
        }
        active.append(run)
      }
      return RunStatus(reading: reading, runs: active)
    }
    if let status { return status }
    return try transaction { reading throws(StoreError) in try settle(at: reading) }
  }

  /// Returns the active run that a command acts on, and its status; must be called in a transaction.
  private func before(
    _ id: UUID?, at reading: ClockReading
  ) throws(StoreError) -> Result<(run: ActiveRunSnapshot, status: RunStatus), RunError> {
    let status = try settle(at: reading)
    guard let current = status.run else { return .failure(.noActiveRun) }
    if let id {
      let status = status.status(of: id)
      return status.run.map { .success(($0, status)) } ?? .failure(.runPassed)
    }
    if let title = try titleOfRunThatHasJustEnded(beside: status) {
      return .failure(.justEnded(title: title))
    }
    return .success((current, status))
  }

  /// The reason why a command did nothing: its deadline had passed when the store could be changed.
  package static let late = Problem("the store was busy, so nothing was changed")

  /// - Parameters:
  ///   - run: the id of the run; `nil` for the current run.
  ///   - step: the index of the expected current step; `nil` for any step.
  ///   - deadline: the latest time on the boot clock at which the command may still act; `nil` for any time.
  /// - Throws: `RunError` if the command is refused; `OpenRunStore.late`; `StoreError`.
  package func perform(
    _ command: RunCommand, on run: UUID? = nil, onStep step: Int? = nil, notAfter deadline: Duration? = nil
  ) throws -> PerformedCommand {
    let result = try transaction { reading throws(StoreError) -> Result<PerformedCommand, any Error> in
      // Another process may have kept the store for seconds.
      if let deadline, reading.boot > deadline { return .failure(OpenRunStore.late) }
      return try perform(command, on: run, onStep: step, at: reading).mapError { $0 }
    }
    return try result.get()
  }

  /// Applies a command to an active run; must be called in a transaction.
  ///
  /// - Returns: a refusal as a value, because throwing it would undo that an ended run was moved to the history.
  package func perform(
    _ command: RunCommand, on run: UUID?, onStep step: Int?, at reading: ClockReading
  ) throws(StoreError) -> Result<PerformedCommand, RunError> {
    let (before, status): (ActiveRunSnapshot, RunStatus)
    switch try self.before(run, at: reading) {
    case .success(let found): (before, status) = found
    case .failure(let error): return .failure(error)
    }
    if let step, step != before.log.count {
      return .failure(.stepPassed(expected: step, current: before.log.count))
    }
    let changed: SettledRun
    do throws(RunError) {
      changed = try status.applying(command)
    } catch {
      return .failure(error)
    }
    var after = changed
    // A step that was shortened to its elapsed time has ended, and so have steps during a suspend that counts.
    if case .active(let run) = changed { after = run.continued(until: reading, counting: before.suspend) }
    try write(after, changed: changed, before: before, at: reading, cause: .command(command))
    return .success(
      PerformedCommand(
        reading: reading, before: before, after: after,
        status: try peek(in: database, at: reading).status(of: before.runID)))
  }

  /// - Complexity: O(size of the history).
  package func history(since: Moment = Moment(microseconds: .min)) throws(StoreError) -> [EndedRun] {
    _ = try settle()
    return try repairing { () throws(StoreError) in
      try database.checkHistoryIndex()
      return try database.history(since: since)
    }
  }

  package func endedRun(id: UUID) throws(StoreError) -> EndedRun? {
    _ = try settle()
    return try repairing { () throws(StoreError) in try database.endedRun(id: id) }
  }

  /// Returns the active runs of a database with the tables of this store at a reading; writes nothing.
  package func peek(in database: Database, at reading: ClockReading) throws(StoreError) -> RunStatus {
    try database.peek(at: reading, asking: observers)
  }

  /// Writes the changes that time has brought, and returns the active runs; must be called in a transaction.
  func settle(at reading: ClockReading) throws(StoreError) -> RunStatus {
    var active: [ActiveRunSnapshot] = []
    for (stored, settled) in try database.settledRuns(at: reading, asking: observers) {
      switch settled {
      case .active(let run):
        active.append(run)
        guard stored.needsAnchor(at: reading) else { continue }
        try write(settled, before: stored, at: reading, cause: run.suspend == nil ? .anchored : .returned)
      case .ended: try write(settled, before: stored, at: reading, cause: .ranOut)
      }
      settledChanges += 1
    }
    return RunStatus(reading: reading, runs: active)
  }

  func write(
    _ state: SettledRun, changed: SettledRun? = nil, before: ActiveRunSnapshot?, at reading: ClockReading,
    cause: RunChange.Cause
  ) throws(StoreError) {
    let change = RunChange(
      before: before, changed: changed ?? state, after: state, reading: reading, cause: cause)
    try tables.write(change, to: database)
  }
}

extension ActiveRunSnapshot {
  /// Whether the step's clock was started in another boot, or stopped for a suspend in which its boot ended.
  func needsAnchor(at reading: ClockReading) -> Bool {
    switch current.clock {
    case .running(let since, _): since.bootID != reading.bootID
    case .suspended(_, let suspend): suspend.until == nil && suspend.since.bootID != reading.bootID
    case .paused: false
    }
  }
}
