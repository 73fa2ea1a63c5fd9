enum OracleLogin: Equatable {
  case goes(OracleSuspend.Cause)
  case isBack
  /// The screen is locked: now, or since before the agent asked.
  case isLocked(now: Bool)
  case isUnlocked
  case isAnother
}

extension OracleRun {
  /// Whether the run is paused for a suspend whose end was not detected.
  var isAway: Bool { suspend.map { $0.until == nil } ?? false }

  /// Whether an agent must listen for the beginning or end of a suspend.
  var isAffectedBySuspend: Bool { isRunning && (away != .continue || lock != .continue) || isAway }
  /// Whether the run is paused for a lock whose end was not noticed.
  var isLocked: Bool { isAway && suspend?.cause == .lock }
}

extension OracleRun {
  func isPaused(by cause: OracleSuspend.Cause) -> Bool {
    cause == .lock ? lock != .continue && !step.isRest : away != .continue
  }
}

extension Oracle {
  /// Returns a run of another boot as its first reader in this boot finds it.
  func found(_ stored: OracleRun) -> OracleRun {
    var run = stored
    if run.isAway {
      run.comeBack(at: now)
    } else if run.away == .continue {
      run.goOn(until: now, atLeast: lastSignOfLife(of: run))
    } else {
      let last = lastSignOfLife(of: run)
      run.goOn(until: last)
      guard run.isRunning else { return run }
      run.stop(.powerLoss, since: last)
      run.comeBack(at: now)
    }
    return run
  }

  /// Returns the last moment, in the boot of a run's clock, that proves that the machine was on.
  ///
  /// It is one reading for all runs: the last entry of any run, the position of the dispatched events, or the due time
  /// of any notification that was decided.
  func lastSignOfLife(of run: OracleRun) -> OracleMoment {
    let read = [lastEntries[run.clock.boots], dispatcher.stored?.at].compactMap { $0 }
    var last = read.filter { $0.boots == run.clock.boots }.max { $0.boot < $1.boot } ?? run.clock
    let start = last
    for row in rows where row.boot == last.boots && row.dueBoot > last.boot {
      switch row.state {
      case .delivered, .removed, .missed, .suppressed, .failed: last.boot = row.dueBoot
      case .pending, .presenting, .cancelled: break
      }
    }
    last.wall += (last.boot - start.boot) / 1000
    return last
  }

  /// Plans a notification about the suspend instead of the pending notifications.
  mutating func ask(_ run: OracleRun) {
    plan([], for: run.sequence, keepsDue: false)
    add(
      OracleRow(
        number: 0, sequence: run.sequence, name: "sequence.\(Oracle.sequenceID(run.sequence)).paused",
        isOfPause: true, suspend: run.suspend?.words,
        isQuestion: (run.suspend?.cause == .lock ? run.lock : run.away) == .ask, run: run.number,
        step: run.index,
        dueWall: wall, dueBoot: boot, boot: boots))
  }

  var mustListen: Bool { runs.contains(where: \.isAffectedBySuspend) }
  /// Whether the machine must wait until a pause is stored.
  var mustHoldUp: Bool {
    agent?.isGoing == false && runs.contains { $0.isRunning && $0.away != .continue }
  }
  var mustWatchLock: Bool { runs.contains { $0.isLocked || $0.isRunning && $0.lock != .continue } }

  mutating func heard(_ news: OracleLogin) { agent?.heard.append((news, at: now)) }

  mutating func beginTurn() {
    guard let agent else { return }
    if !agent.hasTended { comeBack(isUnlocked: false) }
    for (news, moment) in agent.heard {
      switch news {
      case .goes(let cause): asOf(notBeforeLastChange(moment)) { $0.leave(cause) }
      case .isBack: comeBack(isUnlocked: self.agent?.isLocked == false)
      case .isLocked(let isNow):
        self.agent?.isLocked = true
        // The time of an earlier lock is unknown.
        if isNow { asOf(notBeforeLastChange(moment)) { $0.leave(.lock) } }
        continue
      case .isUnlocked:
        self.agent?.isLocked = false
        if self.agent?.isGoing == false { comeBack(isUnlocked: true) }
        continue
      case .isAnother:
        self.agent?.isLocked = nil
        comeBack(isUnlocked: false)
      }
      if case .goes = news { self.agent?.isGoing = true } else { self.agent?.isGoing = false }
    }
    self.agent?.heard = []
    self.agent?.hasTended = true
    settle()
    guard !mustListen else { return }
    self.agent?.isGoing = false
    self.agent?.isLocked = nil
  }

  /// Returns when a signal counts: a change between the signal and the turn that handles it is later.
  private func notBeforeLastChange(_ moment: OracleMoment) -> OracleMoment {
    if let last = lastEntries[moment.boots], moment.boot < last.boot { last } else { moment }
  }

  /// Handles the beginning of a suspend, which pauses all runs that it concerns at one moment.
  private mutating func leave(_ cause: OracleSuspend.Cause) {
    var going: [OracleRun] = []
    for run in active where run.stored.isRunning {
      var run = run.stored
      run.goOn(until: now)
      going.append(run)
    }
    let ended = going.filter { !$0.isRunning }
    noteEnds(of: ended)
    for run in ended { endByTime(run) }
    for var run in going where run.isRunning && run.isPaused(by: cause) {
      run.upcoming = nextEntry()
      run.stop(cause, since: now)
      write(run)
      plan([], for: run.sequence, keepsDue: false)
    }
  }

  private mutating func comeBack(isUnlocked: Bool) {
    settle()
    for var run in runs where run.isAway && (isUnlocked || !run.isLocked) {
      run.upcoming = nextEntry()
      run.comeBack(at: now)
      write(run)
      ask(run)
    }
  }
}
