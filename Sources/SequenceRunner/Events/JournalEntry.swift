package import FoundationEssentials
package import SequencePlatform

/// The record of a change of a run by a user or by the system.
///
/// It holds the current step after the change, so everything that time brings until the next entry follows from it.
package struct JournalEntry: Equatable, Sendable {
  /// The number of the entry; it grows from entry to entry over all runs.
  package let number: Int64
  /// The number of the entry before it of the same run; `nil` for the first one, and after a loss of entries.
  package let previous: Int64?
  package let runID: UUID
  package let kind: Kind
  /// The reading at the change; never before that of an earlier entry of the same boot.
  package let at: ClockReading
  /// The time from the start of the clock of the run's entry before to the change; zero if that clock is stopped.
  package let time: Duration
  /// The index of the current step; after the end of the run, the number of steps begun.
  package let step: Int
  package let current: ActiveRunSnapshot.CurrentStep?

  package enum Kind: Hashable, Sendable {
    case start
    case pause(SuspendCause?)
    case resume
    case next, skip, back, restart
    case extend
    case stop
    /// The end of the suspend that the run is paused for was detected.
    case `return`
    /// The run was read for the first time in another boot.
    case anchor
    case salvage
    /// The last step had ended by itself; the end follows from the entry before.
    case end
  }

  var isRunning: Bool {
    if case .running? = current?.clock { true } else { false }
  }

  /// Whether the entry starts the clock in a boot before its own, because a suspend counts.
  var countsFormerBoot: Bool {
    guard case .running(let since, _)? = current?.clock else { return false }
    return since.bootID != at.bootID
  }

  func startsClock(after reading: ClockReading) -> Bool {
    guard case .running(let since, _)? = current?.clock else { return false }
    return since.bootID == reading.bootID && since.boot > reading.boot
  }

  /// Whether a run can have the entry; an entry of a damaged store may be of any step.
  func isPossible(in run: ActiveRunSnapshot) -> Bool {
    let steps = run.firstStep..<run.timeline.end
    guard current == nil else { return kind != .stop && kind != .end && steps.contains(step) }
    // Only these end a run.
    return [.next, .skip, .stop, .end].contains(kind) && step > steps.lowerBound && step <= steps.upperBound
  }

  package func chain(in timeline: Timeline) -> StepChain? {
    guard let current, step < timeline.end else { return nil }
    return StepChain(timeline: timeline, first: step, current: current)
  }

  func time(at reading: ClockReading) -> Duration {
    guard case .running(let since, _)? = current?.clock else { return .zero }
    return reading.elapsed(since: since)
  }
}

extension JournalEntry.Kind {
  /// The kind as a column has it, without the cause of a pause.
  var name: String {
    switch self {
    case .start: "start"
    case .pause: "pause"
    case .resume: "resume"
    case .next: "next"
    case .skip: "skip"
    case .back: "back"
    case .restart: "restart"
    case .extend: "extend"
    case .stop: "stop"
    case .return: "return"
    case .anchor: "anchor"
    case .salvage: "salvage"
    case .end: "end"
    }
  }

  var beginsStep: Bool {
    switch self {
    case .start, .next, .skip, .back, .restart: true
    case .pause, .resume, .extend, .stop, .return, .anchor, .salvage, .end: false
    }
  }

  var cause: SuspendCause? {
    if case .pause(let cause) = self { cause } else { nil }
  }

  init?(name: String, cause: SuspendCause?) {
    let kinds: [JournalEntry.Kind] = [
      .start, .pause(cause), .resume, .next, .skip, .back, .restart, .extend, .stop, .return, .anchor,
      .salvage, .end,
    ]
    guard let kind = kinds.first(where: { $0.name == name }) else { return nil }
    self = kind
  }
}

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
    case .suspended(let cause): [Draft(kind: .pause(cause), at: suspend?.since ?? reading, state: after)]
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
