/// The signals that an agent receives from logind.
enum OracleLogin: Equatable {
  case goes(OracleSuspend.Cause)
  case isBack
}

extension OracleRun {
  /// Whether the run is paused for a suspend whose end was not detected.
  var isAway: Bool { suspend.map { $0.until == nil } ?? false }

  /// Whether an agent must listen for the beginning or end of a suspend.
  var isAffectedBySuspend: Bool { isRunning && away != .continue || isAway }
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

  /// Returns the last moment, in the boot of the run's clock, that proves that the machine was on: the start of the
  /// clock, the last change, the due time of a notification that was decided, or the position of the dispatched events.
  func lastSignOfLife(of run: OracleRun) -> OracleMoment {
    let start =
      run.changedAt.boots == run.clock.boots && run.changedAt.boot > run.clock.boot
      ? run.changedAt : run.clock
    var last = start
    if let stored = dispatcher.stored?.at, stored.boots == last.boots {
      last.boot = max(last.boot, stored.boot)
    }
    for row in rows where row.sequence == run.sequence && row.boot == last.boots && row.dueBoot > last.boot {
      switch row.state {
      case .delivered, .removed, .missed, .suppressed, .failed: last.boot = row.dueBoot
      case .pending, .presenting, .cancelled: break
      }
    }
    // The wall clock may have been set between the start of the clock and the last change.
    if last != start { last.wall = run.clock.wall + (last.boot - run.clock.boot) / 1000 }
    return last
  }

  /// Plans a notification about the suspend instead of the pending notifications.
  mutating func ask(_ run: OracleRun) {
    plan([], for: run.sequence, keepsDue: false)
    add(
      OracleRow(
        number: 0, sequence: run.sequence, name: "sequence.\(Oracle.sequenceID(run.sequence)).paused",
        isOfPause: true, suspend: run.suspend?.words, isQuestion: run.away == .ask, run: run.number,
        step: run.index,
        dueWall: wall, dueBoot: boot, boot: boots))
  }

  /// Whether an agent must listen for suspend.
  var mustListen: Bool { current?.isAffectedBySuspend == true }
  /// Whether the machine must wait until a pause is stored.
  var mustHoldUp: Bool { mustListen && current?.isRunning == true && agent?.isGoing == false }

  mutating func heard(_ news: OracleLogin) { agent?.heard.append((news, at: now)) }

  /// Ends a turn of the agent: handles the received signals, and reads the run.
  mutating func tend() {
    guard let agent else { return }
    if !agent.hasTended { comeBack() }
    for (news, moment) in agent.heard {
      switch news {
      case .goes(let cause): asOf(notBeforeLastChange(moment)) { $0.leave(cause) }
      case .isBack: comeBack()
      }
      self.agent?.isGoing = news != .isBack
    }
    self.agent?.heard = []
    self.agent?.hasTended = true
    settle()
    if !mustListen { self.agent?.isGoing = false }
  }

  /// Returns when a signal counts: a command between the signal and the turn that handles it is later.
  private func notBeforeLastChange(_ moment: OracleMoment) -> OracleMoment {
    if let run = stored, run.isRunning, moment.boot < run.changedAt.boot { run.changedAt } else { moment }
  }

  /// Handles the beginning of a suspend.
  private mutating func leave(_ cause: OracleSuspend.Cause) {
    guard var run = stored, run.isRunning else { return }
    run.goOn(until: now)
    guard run.isRunning else {
      addLast(at: run.steps.count)
      end(run)
      return plan([], for: run.sequence, keepsDue: true)
    }
    guard run.away != .continue else { return }
    run.stop(cause, since: now)
    write(run)
    plan([], for: run.sequence, keepsDue: false)
  }

  /// Handles the end of a suspend.
  private mutating func comeBack() {
    settle()
    guard var run = current, run.isAway else { return }
    run.comeBack(at: now)
    write(run)
    ask(run)
  }
}
