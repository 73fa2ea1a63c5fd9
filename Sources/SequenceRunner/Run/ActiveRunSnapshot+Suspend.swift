import Platform

extension ActiveRunSnapshot {
  /// What becomes of the run while the machine is away; it was settled when the run started.
  public var suspendPolicy: SuspendPolicy { options.suspendPolicy ?? sequence.onSuspend ?? .continue }

  /// The absence that the run is paused for; `nil` if it runs, or if the user paused it.
  public var suspend: Suspend? {
    guard case .suspended(_, let suspend) = current.clock else { return nil }
    return suspend
  }

  /// When the countdown that runs ends, on the boot clock; `nil` if none runs, or if its time is over.
  package func countdownEnd(after reading: ClockReading) -> Duration? {
    guard !isPaused, card.timing.duration != nil, let target else { return nil }
    let left = target - elapsed(at: reading)
    return left > .zero ? reading.boot + left : nil
  }

  /// Whether the machine's going, or its coming back, would change the run.
  package var isAffectedBySuspend: Bool {
    switch current.clock {
    case .running: suspendPolicy != .continue
    case .suspended(_, let suspend): suspend.until == nil
    case .paused: false
    }
  }

  /// The run with its clock stopped at a reading, since the machine goes; `self` must be settled at it.
  ///
  /// - Returns: `nil` if the machine's going does not change it.
  func leaving(_ cause: Suspend.Cause, at reading: ClockReading) -> ActiveRunSnapshot? {
    guard suspendPolicy != .continue, case .running(let start, _) = current.clock else { return nil }
    // A command may have come in between what was heard and what is done about it.
    let isLater = start.bootID == reading.bootID && start.boot > reading.boot
    return stopped(for: Suspend(cause: cause, since: isLater ? start : reading, until: nil))
  }

  /// The run with the end of the absence that it is paused for; `nil` if there is none, or it is known.
  func returned(at reading: ClockReading) -> ActiveRunSnapshot? {
    guard case .suspended(let elapsed, var suspend) = current.clock, suspend.until == nil else { return nil }
    suspend.until = reading
    var run = self
    run.current.clock = .suspended(elapsed: elapsed, suspend)
    return run
  }

  /// A run that ran when another boot ended, where it stood at the last sign of life from that.
  ///
  /// - Returns: `nil` if the run goes on through that.
  func foundStopped(at reading: ClockReading, lastSignOfLife sign: ClockReading?) -> SettledRun? {
    guard suspendPolicy != .continue, case .running(let since, _) = current.clock,
      since.bootID != reading.bootID
    else { return nil }
    var last = since
    if let sign, sign.bootID == since.bootID, sign.boot > since.boot { last = sign }
    switch goneOn(until: last) {
    case .active(let run):
      return .active(run.stopped(for: Suspend(cause: .powerLoss, since: last, until: reading)))
    case .ended(let ended): return .ended(ended)
    }
  }

  /// The run as if it had gone on through the absence that it is paused for.
  func resumedCounting(at reading: ClockReading) throws(RunError) -> SettledRun {
    switch current.clock {
    case .running: throw .alreadyRunning
    case .paused: throw .notSuspended
    case .suspended(let elapsed, let suspend):
      var run = self
      run.current.clock = .running(since: suspend.since, elapsedBefore: elapsed)
      // Across boots the wall clock tells how long it was, once: what it is set to after that has no say.
      if let until = suspend.until, until.bootID != suspend.since.bootID {
        let state = run.goneOn(until: until)
        guard case .active(let back) = state else { return state }
        run = back
      }
      return run.goneOn(until: reading)
    }
  }

  private func stopped(for suspend: Suspend) -> ActiveRunSnapshot {
    var run = self
    run.current.clock = .suspended(elapsed: elapsed(at: suspend.since), suspend)
    return run
  }
}
