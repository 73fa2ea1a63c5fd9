/// What an agent hears of logind.
enum OracleLogin: Equatable {
  case goes(OracleSuspend.Cause)
  case isBack
}

extension OracleRun {
  /// Whether it is paused for an absence that nobody has found to be over.
  var isAway: Bool { suspend.map { $0.until == nil } ?? false }

  /// Whether somebody has to listen when the machine goes or comes.
  var isAffectedBySuspend: Bool { isRunning && away != .continue || isAway }
}

extension Oracle {
  /// A run of another boot, as whoever looks at it first in this one finds it.
  func found(_ stored: OracleRun) -> OracleRun {
    var run = stored
    if run.isAway {
      run.suspend?.until = now
    } else if run.away == .continue {
      run.goOn(until: now)
    } else {
      let last = lastSignOfLife(of: run)
      run.goOn(until: last)
      guard run.isRunning else { return run }
      run.stop(.outage, since: last)
      run.suspend?.until = now
    }
    return run
  }

  /// When a run was stored, or when its last notification was due that was shown or decided on after that.
  private func lastSignOfLife(of run: OracleRun) -> OracleMoment {
    var last = run.clock
    for row in rows where row.sequence == run.sequence && row.boot == last.boots && row.dueBoot > last.boot {
      switch row.state {
      case .delivered, .removed, .missed, .suppressed, .failed: last.boot = row.dueBoot
      case .pending, .presenting, .cancelled: break
      }
    }
    last.wall += (last.boot - run.clock.boot) / 1000
    return last
  }

  /// Tells that the machine was away, in place of what was to come.
  mutating func ask(_ run: OracleRun) {
    plan([], for: run.sequence, keepsDue: false)
    add(
      OracleRow(
        number: 0, sequence: run.sequence, name: "sequence.\(Oracle.sequenceID(run.sequence)).paused",
        isOfPause: true, suspend: run.suspend?.words, isQuestion: run.away == .ask, run: run.number,
        step: run.index,
        dueWall: wall, dueBoot: boot, boot: boots))
  }

  /// Whether an agent has to hear when the machine goes or comes.
  var mustListen: Bool { current?.isAffectedBySuspend == true }
  /// Whether the machine may not go before something is stored.
  var mustHoldUp: Bool { mustListen && current?.isRunning == true && agent?.isGoing == false }

  mutating func heard(_ news: OracleLogin) { agent?.heard.append((news, at: now)) }

  /// What an agent does at the end of each turn: it acts on what it heard, and looks.
  mutating func tend() {
    guard let agent else { return }
    if !agent.hasTended { comeBack() }
    for (news, moment) in agent.heard {
      switch news {
      case .goes(let cause): asOf(moment) { $0.leave(cause) }
      case .isBack: comeBack()
      }
      self.agent?.isGoing = news != .isBack
    }
    self.agent?.heard = []
    self.agent?.hasTended = true
    settle()
    if !mustListen { self.agent?.isGoing = false }
  }

  /// The machine goes.
  private mutating func leave(_ cause: OracleSuspend.Cause) {
    guard var run = stored, run.isRunning else { return }
    // Where somebody was faster than what was heard, its clock was started after that.
    let moment = boot < run.clock.boot ? run.clock : now
    run.goOn(until: moment)
    guard run.isRunning else {
      end(run)
      return plan([], for: run.sequence, keepsDue: true)
    }
    guard run.away != .continue else { return }
    run.stop(cause, since: moment)
    write(run)
    plan([], for: run.sequence, keepsDue: false)
  }

  /// The machine is back.
  private mutating func comeBack() {
    settle()
    guard var run = current, run.isAway else { return }
    run.suspend?.until = now
    write(run)
    ask(run)
  }
}
