import Platform

extension RunChange {
  /// A journal entry before it is stored.
  struct Draft {
    let kind: JournalEntry.Kind
    let at: ClockReading
    let state: SettledRun
  }

  /// The journal entries of the change, in order.
  ///
  /// A run that ends by itself has no entry for that: its end follows from the last one.
  var drafts: [Draft] {
    switch cause {
    case .started: [Draft(kind: .start, at: reading, state: after)]
    case .command(let command): drafts(of: command)
    case .anchored: [Draft(kind: .anchor, at: reading, state: after)]
    case .left(let cause): [Draft(kind: .pause(cause), at: suspend?.since ?? reading, state: after)]
    case .returned:
      // The first reader after a power loss finds the pause and its end together.
      if let suspend, before?.isPaused == false {
        [
          Draft(kind: .pause(suspend.cause), at: suspend.since, state: after),
          Draft(kind: .return, at: reading, state: after),
        ]
      } else {
        [Draft(kind: .return, at: reading, state: after)]
      }
    case .ranOut: []
    case .salvaged: [Draft(kind: .salvage, at: reading, state: after)]
    }
  }

  private var suspend: Suspend? {
    if case .active(let run) = after { run.suspend } else { nil }
  }

  private func drafts(of command: RunCommand) -> [Draft] {
    let entry = Draft(kind: command.kind(in: before), at: reading, state: changed)
    guard case .active(let run) = changed, case .running(let since, _) = run.current.clock,
      let until = before?.suspend?.until, since.bootID != until.bootID
    else { return [entry] }
    // The suspend counts, and ended in another boot: the clocks are compared once, for its end.
    guard case .active = run.continued(until: until) else { return [entry] }
    return [entry, Draft(kind: .anchor, at: until, state: run.continued(until: until))]
  }
}

extension RunCommand {
  /// Returns the kind of the journal entry about the command.
  fileprivate func kind(in run: ActiveRunSnapshot?) -> JournalEntry.Kind {
    switch self {
    case .pause: .pause(nil)
    case .resume: .resume
    case .toggle: run?.isPaused == true ? .resume : .pause(nil)
    case .next: .next
    case .skip: .skip
    case .back: .back
    case .restart: .restart
    case .extend: .extend
    case .stop: .stop
    }
  }
}
