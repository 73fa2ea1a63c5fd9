import SequencePlatform

extension RunStatus {
  /// Returns the run right after the command; its clock may have started in the past.
  package func applying(_ command: RunCommand) throws(RunError) -> SettledRun {
    guard let run else { throw .noActiveRun }
    return try run.applying(command, at: reading)
  }

  func stopped() -> EndedRun? { run?.stopped(at: reading) }
}

/// Commands on a run that is settled at the reading.
extension ActiveRunSnapshot {
  fileprivate func applying(_ command: RunCommand, at reading: ClockReading) throws(RunError) -> SettledRun {
    switch command {
    case .pause: .active(try paused(at: reading))
    case .resume(countingSuspend: true): .active(try countingSuspend())
    case .resume: .active(try resumed(at: reading))
    case .toggle: .active(try isPaused ? resumed(at: reading) : paused(at: reading))
    case .next: leavingStep(.completed, at: reading)
    case .skip: leavingStep(.skipped, at: reading)
    case .back: .active(restartingPreviousStep(at: reading))
    case .restart: .active(restartingStep(at: reading))
    case .extend(let amount): .active(try extended(by: amount, at: reading))
    case .stop: .ended(stopped(at: reading))
    case .playSounds(let isOn): .active(playingSounds(isOn))
    }
  }

  private func playingSounds(_ isOn: Bool) -> ActiveRunSnapshot {
    var run = self
    run.options.sound = isOn
    return run
  }

  private func paused(at reading: ClockReading) throws(RunError) -> ActiveRunSnapshot {
    guard !isPaused else { throw .alreadyPaused }
    var run = self
    run.keepLength()
    run.current.clock = .paused(elapsed: elapsed(at: reading))
    return run
  }

  private func resumed(at reading: ClockReading) throws(RunError) -> ActiveRunSnapshot {
    guard isPaused else { throw .alreadyRunning }
    let elapsed = elapsed(at: reading)
    var run = self
    // A step that was moved to during the pause starts now.
    if elapsed == .zero { run.current.startedAt = reading.wall }
    run.current.clock = .running(since: reading, elapsedBefore: elapsed)
    run.fit(startingAt: reading, elapsed: elapsed)
    return run
  }

  private func leavingStep(_ outcome: StepOutcome, at reading: ClockReading) -> SettledRun {
    var run = self
    run.recordCurrentStep(outcome, at: reading)
    guard run.log.count < timeline.end else {
      run.keepSpareTime(endingAt: reading)
      return .ended(EndedRun(snapshot: run, endedAt: reading.wall, outcome: .finished))
    }
    return .active(run.beginningStep(at: reading))
  }

  private func restartingPreviousStep(at reading: ClockReading) -> ActiveRunSnapshot {
    var run = self
    run.unrecorded += elapsed(at: reading)
    if let last = log.last(in: timeline) {
      run.unrecorded += last.actual
      run.log.removeLast()
    }
    return run.beginningStep(at: reading)
  }

  private func restartingStep(at reading: ClockReading) -> ActiveRunSnapshot {
    var run = self
    run.unrecorded += elapsed(at: reading)
    return run.beginningStep(at: reading)
  }

  private func beginningStep(at reading: ClockReading) -> ActiveRunSnapshot {
    var run = self
    let clock: StepClock =
      isPaused ? .paused(elapsed: .zero) : .running(since: reading, elapsedBefore: .zero)
    run.current = CurrentStep(startedAt: reading.wall, clock: clock)
    if !run.isPaused { run.fit(startingAt: reading, elapsed: .zero) }
    return run
  }

  private func extended(by amount: Duration, at reading: ClockReading) throws(RunError) -> ActiveRunSnapshot {
    guard let target, let planned = timeline.timing(at: log.count).target else {
      throw .nothingToExtend(title: card.title)
    }
    let elapsed = elapsed(at: reading)
    let base = amount > .zero ? max(target, elapsed) : target
    guard base + amount <= SequenceLimits.longestDuration else { throw .extendedTooMuch }
    guard base + amount >= elapsed else { throw .shortenedTooMuch(most: max(.zero, target - elapsed)) }
    var run = self
    (run.current.extended, run.current.length) = (base + amount - planned, nil)
    switch current.clock {
    case .running:
      // Stores the elapsed time at this reading, which proves that the machine was on.
      run.current.clock = .running(since: reading, elapsedBefore: elapsed)
      run.fit(startingAt: reading, elapsed: elapsed)
    // If the suspend counts, the clock continues from there.
    case .suspended(_, let suspend): run.fit(startingAt: suspend.since, elapsed: elapsed)
    case .paused: break
    }
    return run
  }

  fileprivate func stopped(at reading: ClockReading) -> EndedRun {
    var run = self
    run.recordCurrentStep(.skipped, at: reading)
    run.keepSpareTime(endingAt: reading)
    return EndedRun(
      snapshot: run, endedAt: reading.wall,
      outcome: timeline.outcome(ofStopInStepAt: log.count, startedAt: log.first))
  }

  private mutating func recordCurrentStep(_ outcome: StepOutcome, at reading: ClockReading) {
    log.append(
      startedAt: current.startedAt, endedAt: max(current.startedAt, reading.wall), planned: target,
      actual: elapsed(at: reading), outcome: outcome)
  }
}
