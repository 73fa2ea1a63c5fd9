import SequencePlatform

extension RunChange {
  struct Draft {
    let kind: JournalEntry.Kind
    let at: ClockReading
    let state: SettledRun
  }

  var drafts: [Draft] {
    var drafts = ownDrafts
    if case .ended = after, drafts.last?.state != after {
      drafts.append(Draft(kind: .end, at: reading, state: after))
    }
    return drafts
  }

  private var ownDrafts: [Draft] {
    switch cause {
    case .started:
      [Draft(kind: .start, at: reading, state: after)]
        + (run.isPaused ? [Draft(kind: .pause(nil), at: reading, state: after)] : [])
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
    guard let kind = command.kind(in: before) else { return [] }
    var drafts = [Draft(kind: kind, at: reading, state: changed)]
    guard command == .resume(countingSuspend: true), var state = drafts.last?.state else { return drafts }
    // The suspend counts. Clocks of different boots are compared once: at its end, and at the command.
    for anchor in [before?.suspend?.until, reading].compactMap({ $0 }) {
      guard case .active(let run) = state, case .running(let since, _) = run.current.clock,
        since.bootID != anchor.bootID
      else { continue }
      state = run.continued(until: anchor)
      if case .active = state { drafts.append(Draft(kind: .anchor, at: anchor, state: state)) }
    }
    return drafts
  }
}

extension RunCommand {
  /// Returns the kind of the journal entry about the command; `nil` if it changes nothing that events follow from.
  fileprivate func kind(in run: ActiveRunSnapshot?) -> JournalEntry.Kind? {
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
    case .playSounds: nil
    }
  }
}
