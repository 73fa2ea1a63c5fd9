import Platform

extension ActiveRunSnapshot {
  /// What becomes of the run while the machine is away; it was settled when the run started.
  public var suspendPolicy: SuspendPolicy { options.suspendPolicy ?? sequence.onSuspend ?? .continue }

  /// The absence that the run is paused for; `nil` if it runs, or if the user paused it.
  public var absence: Absence? {
    guard case .away(_, let absence) = current.clock else { return nil }
    return absence
  }

  /// When the countdown that runs ends, on the boot clock; `nil` if none runs, or if its time is over.
  package func countdownEnd(after reading: Reading) -> Duration? {
    guard !isPaused, card.timing.duration != nil, let target else { return nil }
    let left = target - elapsed(at: reading)
    return left > .zero ? reading.boot + left : nil
  }

  /// Whether the machine's going, or its coming back, would change the run.
  package var isAffectedByAbsence: Bool {
    switch current.clock {
    case .running: suspendPolicy != .continue
    case .away(_, let absence): absence.until == nil
    case .paused: false
    }
  }

  /// The run with its clock stopped at a reading, since the machine goes; `self` must be settled at it.
  ///
  /// - Returns: `nil` if the machine's going does not change it.
  func leaving(_ cause: Absence.Cause, at reading: Reading) -> ActiveRunSnapshot? {
    guard suspendPolicy != .continue, case .running(let start, _) = current.clock else { return nil }
    // A command may have come in between what was heard and what is done about it.
    let isLater = start.bootID == reading.bootID && start.boot > reading.boot
    return stopped(for: Absence(cause: cause, since: isLater ? start : reading, until: nil))
  }

  /// The run with the end of the absence that it is paused for; `nil` if there is none, or it is known.
  func returned(at reading: Reading) -> ActiveRunSnapshot? {
    guard case .away(let elapsed, var absence) = current.clock, absence.until == nil else { return nil }
    absence.until = reading
    var run = self
    run.current.clock = .away(elapsed: elapsed, absence)
    return run
  }

  /// A run that ran when another boot ended, where it stood at the last sign of life from that.
  ///
  /// - Returns: `nil` if the run goes on through that.
  func foundStopped(at reading: Reading, lastSignOfLife sign: Reading?) -> RunState? {
    guard suspendPolicy != .continue, case .running(let since, _) = current.clock,
      since.bootID != reading.bootID
    else { return nil }
    var last = since
    if let sign, sign.bootID == since.bootID, sign.boot > since.boot { last = sign }
    switch goneOn(until: last) {
    case .active(let run):
      return .active(run.stopped(for: Absence(cause: .outage, since: last, until: reading)))
    case .ended(let ended): return .ended(ended)
    }
  }

  /// The run as if it had gone on through the absence that it is paused for.
  func resumedCounting(at reading: Reading) throws(RunError) -> RunState {
    switch current.clock {
    case .running: throw .alreadyRunning
    case .paused: throw .noAbsence
    case .away(let elapsed, let absence):
      var run = self
      run.current.clock = .running(since: absence.since, elapsedBefore: elapsed)
      // Across boots the wall clock tells how long it was, once: what it is set to after that has no say.
      if let until = absence.until, until.bootID != absence.since.bootID {
        let state = run.goneOn(until: until)
        guard case .active(let back) = state else { return state }
        run = back
      }
      return run.goneOn(until: reading)
    }
  }

  private func stopped(for absence: Absence) -> ActiveRunSnapshot {
    var run = self
    run.current.clock = .away(elapsed: elapsed(at: absence.since), absence)
    return run
  }
}
