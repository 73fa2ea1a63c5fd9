package import SequencePlatform

extension ActiveRunSnapshot {
  /// Returns the run at a reading, with every step whose time is over in the log.
  ///
  /// Each of these steps ended exactly when its time was over, and the next step started at that moment.
  ///
  /// If the reading is from another boot than the start of the step's clock, the clock is anchored to the
  /// reading, but never before the last sign of life: a wall clock that was set back must not repeat events. If the
  /// run's policy is to be paused on suspend, the run is paused at the last sign of life instead.
  ///
  /// - Parameters:
  ///   - reading: the current reading of the clocks.
  ///   - sign: the latest reading, in the boot of the clock's start, that proves the machine was on; `nil` without
  ///     one, which leaves the start itself.
  /// - Complexity: O(log steps); O(entries of the log) more for the copy if anything changed.
  package func settled(at reading: ClockReading, lastSignOfLife sign: ClockReading? = nil) -> SettledRun {
    if let suspend, suspend.since.bootID != reading.bootID, let run = returned(at: reading) {
      return .active(run)
    }
    if let paused = pausedByPowerLoss(at: reading, lastSignOfLife: sign) { return paused }
    guard let sign, case .running(let since, _) = current.clock, since.bootID == sign.bootID,
      since.bootID != reading.bootID, sign.elapsed(since: since) > reading.elapsed(since: since)
    else { return continued(until: reading) }
    guard case .active(let run) = continued(until: sign) else { return continued(until: sign) }
    return .active(run.anchored(at: reading, elapsed: run.elapsed(at: sign)))
  }

  /// Returns the run at a reading, assuming that its clock ran until then.
  func continued(until reading: ClockReading) -> SettledRun {
    // A run whose steps have all ended has no current step, even if it was stored as active.
    if log.count == timeline.end, let last = log.last(in: timeline) {
      return .ended(EndedRun(snapshot: self, endedAt: last.endedAt, outcome: .finished))
    }
    guard let chain else { return .active(self) }
    let time = reading.elapsed(since: chain.since)
    let reached = chain.step(after: time)
    let elapsed = chain.elapsed(ofStepAt: reached, after: time)
    guard reached > chain.first, let target else { return .active(anchored(at: reading, elapsed: elapsed)) }

    var settled = self
    let end = chain.start(ofStepAt: chain.first + 1)
    settled.log.append(
      startedAt: current.startedAt, endedAt: max(current.startedAt, end.wall), planned: target,
      actual: target,
      outcome: .completed)
    settled.log.appendChain(
      of: reached - settled.log.count, startingAt: end.wall, sharing: current.spare)
    let start = chain.start(ofStepAt: reached)
    guard reached < timeline.end else {
      settled.current.spare = current.spare.map { SpareTime(timeline.rest(of: $0), from: reached) }
      return .ended(EndedRun(snapshot: settled, endedAt: start.wall, outcome: .finished))
    }
    settled.current = CurrentStep(
      startedAt: start.wall, spare: current.spare, clock: .running(since: start, elapsedBefore: .zero))
    return .active(settled.anchored(at: reading, elapsed: elapsed))
  }

  /// Returns the run with the current step's clock, and with it the deadline, anchored in the boot of a reading.
  ///
  /// The wall clock is needed once to bridge two boots. After the result is stored, it no longer has any
  /// influence.
  ///
  /// - Parameter elapsed: the elapsed time of the step at the reading.
  private func anchored(at reading: ClockReading, elapsed: Duration) -> ActiveRunSnapshot {
    guard case .running(let since, let before) = current.clock, since.bootID != reading.bootID else {
      return self
    }
    var anchored = self
    anchored.current.clock = .running(since: reading, elapsedBefore: elapsed)
    if let deadline, deadline.bootID == since.bootID {
      let left = deadline.boot - since.boot - (elapsed - before)
      anchored.deadline = ClockReading(
        wall: deadline.wall, boot: reading.boot + left, bootID: reading.bootID)
    }
    return anchored
  }
}
