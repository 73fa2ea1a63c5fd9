public import Platform

extension ActiveRunSnapshot {
  /// Where the run stands at a reading: the steps whose time is over are in the log, at the moments when
  /// they ended, and each next one started at that very moment.
  ///
  /// In a boot other than the one that the step's clock started in, the clock is anchored to the reading, unless
  /// the run's policy is to be paused while the machine is off: then it stands where it stood at the last sign of life.
  ///
  /// - Parameters:
  ///   - reading: what the clocks say now.
  ///   - sign: a moment of the boot that the clock started in, at which that is known to have gone on; `nil` if none
  ///     is known but the start of the clock.
  /// - Complexity: O(log steps), and O(entries of the log) for the copy if anything changed.
  public func settled(at reading: ClockReading, lastSignOfLife sign: ClockReading? = nil) -> SettledRun {
    if let suspend, suspend.since.bootID != reading.bootID, let run = returned(at: reading) {
      return .active(run)
    }
    return foundStopped(at: reading, lastSignOfLife: sign) ?? goneOn(until: reading)
  }

  /// Where the run stands at a reading if its clock has gone on until then.
  func goneOn(until reading: ClockReading) -> SettledRun {
    // Of a run that is over there is no current step; that it was stored as an active one does not bring one back.
    if log.count == timeline.count, let last = log.last(in: timeline) {
      return .ended(EndedRun(snapshot: self, endedAt: last.endedAt, outcome: .finished))
    }
    guard case .running(let since, let before) = current.clock else { return .active(self) }
    let elapsed = before + reading.elapsed(since: since)
    guard card.timing.endsByItself, let target, elapsed >= target else {
      return .active(anchored(at: reading))
    }

    var settled = self
    let end = since.advanced(by: target - before)
    settled.log.append(
      startedAt: current.startedAt, endedAt: max(current.startedAt, end.wall), planned: target,
      actual: target,
      outcome: .completed)
    let first = settled.log.count
    let reached = timeline.stepReached(from: first, after: elapsed - target)
    settled.log.appendChain(of: reached - first, startingAt: end.wall)
    let start = end.advanced(by: timeline.duration(of: first..<reached))
    guard reached < timeline.count else {
      return .ended(EndedRun(snapshot: settled, endedAt: start.wall, outcome: .finished))
    }
    settled.current = CurrentStep(
      startedAt: start.wall, extended: .zero, clock: .running(since: start, elapsedBefore: .zero))
    return .active(settled.anchored(at: reading))
  }

  /// The same run with the current step's clock anchored in the boot of a reading.
  ///
  /// Once that is stored, the wall clock, which had to bridge the boots, has no say any more.
  private func anchored(at reading: ClockReading) -> ActiveRunSnapshot {
    guard case .running(let since, _) = current.clock, since.bootID != reading.bootID else { return self }
    var anchored = self
    anchored.current.clock = .running(since: reading, elapsedBefore: elapsed(at: reading))
    return anchored
  }
}
