public import FoundationEssentials
package import SequencePlatform
package import SequenceStore

extension RunStore {
  /// Applies a command to an active run.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - run: the id of the run; `nil` for the current run.
  ///   - step: the index of the expected current step; `nil` for any step.
  /// - Returns: the status of the run after the command; without a run if the command has ended it.
  /// - Throws: `RunError` if the command is refused, such as `.justEnded` without a run for two seconds after the
  ///   current run has ended and another one has become it; `StoreError`.
  @discardableResult
  public func perform(
    _ command: RunCommand, on run: UUID? = nil, onStep step: Int? = nil
  ) throws -> RunStatus {
    try perform(command, on: run, onStep: step, notAfter: nil).status
  }

  /// The reason why a command did nothing: its deadline had passed when the store could be changed.
  package static let late = Problem("the store was busy, so nothing was changed")

  /// Applies a command to an active run, unless that is too late.
  ///
  /// - Parameter deadline: the latest time on the boot clock at which the command may still act; `nil` for any time.
  /// - Throws: `RunStore.late`, and what the public method throws.
  package func perform(
    _ command: RunCommand, on run: UUID? = nil, onStep step: Int? = nil, notAfter deadline: Duration?
  ) throws -> PerformedCommand {
    let result = try transaction { reading throws(StoreError) -> Result<PerformedCommand, any Error> in
      // Another process may have kept the store for seconds.
      if let deadline, reading.boot > deadline { return .failure(RunStore.late) }
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
    if case .active(var active) = changed {
      if run != nil { active.isYielding = false }
      after = active.continued(until: reading, counting: before.suspend)
    }
    try write(after, changed: changed, before: before, at: reading, cause: .command(command))
    return .success(
      PerformedCommand(
        reading: reading, before: before, after: after,
        status: try peek(in: database, at: reading).status(of: before.runID)))
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

  /// Sets the remark of a run, active or ended.
  ///
  /// - Parameters:
  ///   - remark: the text that replaces the former one; `nil` to remove it.
  ///   - run: the id of the run; `nil` for the current run, or without active runs for the last that ended.
  /// - Returns: the run with the remark; `nil` if there is none.
  /// - Throws: `RunError.justEnded`, like `perform`; `StoreError`.
  package func setRemark(_ remark: String?, of run: UUID? = nil) throws -> SettledRun? {
    let result = try transaction { reading throws(StoreError) -> Result<SettledRun?, RunError> in
      let status = try settle(at: reading)
      if run == nil, status.run != nil, let title = try titleOfRunThatHasJustEnded(beside: status) {
        return .failure(.justEnded(title: title))
      }
      let named = run ?? status.run?.runID
      let id = if let named { named } else { try database.lastEndedRunID() }
      return .success(try id.flatMap { id throws(StoreError) in try database.setRemark(remark, of: id) })
    }
    return try result.get()
  }

  /// Pauses the active runs whose policy requires that because of a suspend, all as of one moment.
  ///
  /// - Parameter moment: the time of the suspend signal. A later change of a run counts instead: events before it have
  ///   been read.
  /// - Returns: whether a run was paused.
  @discardableResult
  package func suspend(for cause: SuspendCause, at moment: ClockReading) throws(StoreError) -> Bool {
    try transaction { _ throws(StoreError) in
      let moment = try database.notBeforeLastEntry(moment)
      var hasPaused = false
      let status = try settle(at: moment)
      for before in status.runsByStart {
        guard let after = status.status(of: before.runID).leaving(cause) else { continue }
        try write(.active(after), before: before, at: moment, cause: .suspended(cause))
        hasPaused = true
      }
      return hasPaused
    }
  }

  /// Records the end of the suspend that active runs are paused for.
  ///
  /// - Parameter isUnlocked: whether the screen is not locked, which ends a lock as well.
  /// - Returns: whether there was such a suspend without a known end.
  @discardableResult
  package func endSuspend(isUnlocked: Bool = true) throws(StoreError) -> Bool {
    try transaction { reading throws(StoreError) in
      var hasReturned = false
      for before in try settle(at: reading).runsByStart {
        guard isUnlocked || !before.isLocked, let after = before.returned(at: reading) else { continue }
        try write(.active(after), before: before, at: reading, cause: .returned)
        hasReturned = true
      }
      return hasReturned
    }
  }
}
