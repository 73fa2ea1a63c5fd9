public import FoundationEssentials
public import Platform
public import Store

/// The active run and the history on the disk, for one thread at a time.
///
/// Every use reads the run once, by value, and goes on from that value. Any number of processes may have a
/// store of the same directory; what they do is queued, and none of it is lost.
public final class RunStore {
  /// What happened to the store that its user should know, oldest first.
  public private(set) var notices: [StoreNotice] = []
  /// Told of each notice that comes after it was set.
  package var onNotice: (StoreNotice) -> Void = { _ in }
  /// The store that holds the tables.
  package let base: OpenStore
  private let tables: RunTables

  /// Opens the store of a directory, and makes it if it is not there.
  ///
  /// A damaged store is moved aside; what can be read of it is taken over, and `notices` tells.
  ///
  /// - Throws: `StoreError`.
  public convenience init(directory: StateDirectory, clock: any ClockSource) throws {
    try self.init(directory: directory, clock: clock, participants: [])
  }

  package init(
    directory: StateDirectory, clock: any ClockSource, participants: [any StoreParticipant]
  ) throws {
    tables = RunTables(participants: participants)
    base = try OpenStore(directory: directory, clock: clock, parts: [tables] + participants)
    if let path = base.replacedAtOpening { notices.append(try notice(of: path)) }
    base.onReplacement = { [unowned self] path in
      let notice = try notice(of: path)
      notices.append(notice)
      onNotice(notice)
    }
  }

  /// Where the store is.
  public var directory: StateDirectory { base.directory }
  /// The clocks that moments are read from.
  public var clock: any ClockSource { base.clock }
  package var database: Database { base.database }
  package var generation: Int { base.generation }
  package var isInPlace: Bool { base.isInPlace }
  var participants: [any StoreParticipant] { tables.participants }

  /// Runs a block as `OpenStore.repairing` does.
  package func repairing<Result>(_ body: () throws -> Result) throws -> Result { try base.repairing(body) }

  /// What to tell of a damaged store that was replaced.
  private func notice(of damagedPath: String) throws -> StoreNotice {
    .damagedStoreMoved(
      to: damagedPath, keptRun: try database.storedRun() != nil, keptHistory: try database.historyCount())
  }

  /// Returns the active run at this moment; never writes.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the snapshot).
  public func status() throws -> RunStatus {
    try repairing {
      let reading = clock.now()
      return RunStatus(reading: reading, run: try settledRun(at: reading))
    }
  }

  /// Returns the active run of a directory at this moment; never writes, and needs no store.
  ///
  /// A damaged store is not replaced. Use `init(directory:clock:)` to repair it.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the snapshot).
  public static func status(of directory: StateDirectory, clock: any ClockSource) throws -> RunStatus {
    let reader = try StoreReader(directory, participants: [])
    let reading = clock.now()
    return RunStatus(reading: reading, run: try reader?.settledRun(at: reading))
  }

  /// Writes what time has changed, and returns the active run at this moment.
  ///
  /// Between user actions this only reads. The first process to call it after a run has ended moves the run to the
  /// history; the first one after a reboot anchors the run in the new boot.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the snapshot).
  public func settle() throws -> RunStatus {
    try repairing {
      let reading = clock.now()
      guard let stored = try database.storedRun() else { return RunStatus(reading: reading, run: nil) }
      if case .active(let run) = stored.snapshot.settled(at: reading),
        !stored.snapshot.needsAnchor(at: reading)
      {
        return RunStatus(reading: reading, run: run)
      }
      return try database.transaction {
        let reading = clock.now()
        return RunStatus(reading: reading, run: try settle(at: reading))
      }
    }
  }

  /// Starts a run of a sequence.
  ///
  /// - Parameters:
  ///   - timeline: the steps of the sequence.
  ///   - options: the choices for this run.
  ///   - isReplacing: whether a run that is active is stopped first.
  /// - Throws: `RunError.runActive` if one is active and is not to be replaced; `StoreError`.
  public func start(
    _ timeline: Timeline, options: RunOptions = .unspecified, replacing isReplacing: Bool = false
  ) throws -> RunStatus {
    let result: Result<RunStatus, RunError> = try repairing {
      try database.transaction {
        let reading = clock.now()
        if let active = try settle(at: reading) {
          // A refusal must not undo that the run was anchored: hence a value.
          guard isReplacing else { return .failure(.runActive(title: active.sequence.title)) }
          let ended = try active.applying(.stop, at: reading)
          try write(ended, before: active, at: reading, cause: .command(.stop))
        }
        let run = ActiveRunSnapshot(timeline: timeline, options: options, at: reading)
        try write(.active(run), before: nil, at: reading, cause: .started)
        return .success(RunStatus(reading: reading, run: run))
      }
    }
    return try result.get()
  }

  /// Does a command to the active run.
  ///
  /// - Parameters:
  ///   - command: what to do.
  ///   - step: the index of the step that it is meant for; `nil` for whichever is current.
  /// - Throws: `RunError` if it cannot be done; `StoreError`.
  public func perform(_ command: RunCommand, onStep step: Int? = nil) throws -> PerformedCommand {
    try perform(command, onStep: step, ofRun: nil) { _, _ in }
  }

  /// Does a command to the active run, and something else in the same transaction.
  ///
  /// - Parameters:
  ///   - run: the run that it is meant for; `nil` for whichever is active.
  ///   - alongside: what else has to happen if the command is done, and not if it is not.
  package func perform(
    _ command: RunCommand, onStep step: Int?, ofRun run: UUID?,
    alongside: (PerformedCommand, Database) throws -> Void
  ) throws -> PerformedCommand {
    let result: Result<PerformedCommand, RunError> = try repairing {
      try database.transaction {
        let reading = clock.now()
        // A refusal must not undo that a run which is over went into the history: hence a value.
        guard let before = try settle(at: reading) else { return .failure(.noActiveRun) }
        if let run, run != before.runID { return .failure(.runPassed) }
        if let step, step != before.log.count {
          return .failure(.stepPassed(expected: step, current: before.log.count))
        }
        var after: SettledRun
        do throws(RunError) {
          after = try before.applying(command, at: reading)
        } catch {
          return .failure(error)
        }
        // A step that was shortened to what has elapsed is over now.
        if case .active(let run) = after { after = run.settled(at: reading) }
        try write(after, before: before, at: reading, cause: .command(command))
        let performed = PerformedCommand(reading: reading, before: before, after: after)
        try alongside(performed, database)
        return .success(performed)
      }
    }
    return try result.get()
  }

  /// The runs that are over, newest first.
  ///
  /// - Parameter since: leaves out runs that ended before.
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the history).
  public func history(since: Moment = Moment(microseconds: .min)) throws -> [EndedRun] {
    _ = try settle()
    return try repairing {
      try database.checkHistoryIndex()
      return try database.history(since: since)
    }
  }

  /// The run of an id, if it is over.
  ///
  /// - Throws: `StoreError`.
  public func endedRun(id: UUID) throws -> EndedRun? {
    _ = try settle()
    return try repairing { try database.endedRun(id: id) }
  }

  /// The active run, settled at a reading; nothing is written.
  package func settledRun(at reading: ClockReading) throws -> ActiveRunSnapshot? {
    try database.settledRun(at: reading, asking: participants)
  }

  /// Writes what time has brought about, and returns the active run; within a transaction.
  func settle(at reading: ClockReading) throws -> ActiveRunSnapshot? {
    guard let stored = try database.storedRun()?.snapshot else { return nil }
    let settled = try database.settled(stored, at: reading, asking: participants)
    switch settled {
    case .active(let run):
      if stored.needsAnchor(at: reading) {
        let cause: RunChange.Cause = run.suspend == nil ? .anchored : .returned
        try write(settled, before: stored, at: reading, cause: cause)
      }
      return run
    case .ended:
      try write(settled, before: stored, at: reading, cause: .ranOut)
      return nil
    }
  }

  func write(
    _ state: SettledRun, before: ActiveRunSnapshot?, at reading: ClockReading, cause: RunChange.Cause
  ) throws {
    let change = RunChange(before: before, after: state, reading: reading, cause: cause)
    try tables.write(change, to: database)
  }
}

extension ActiveRunSnapshot {
  /// Whether the current step's clock was started in another boot, or stopped for an absence in which that ended.
  func needsAnchor(at reading: ClockReading) -> Bool {
    switch current.clock {
    case .running(let since, _): since.bootID != reading.bootID
    case .suspended(_, let suspend): suspend.until == nil && suspend.since.bootID != reading.bootID
    case .paused: false
    }
  }
}
