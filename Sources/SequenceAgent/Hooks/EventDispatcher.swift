import NotificationLedger
import Notifier
import Platform
package import SequenceConfiguration
package import SequenceRunner
import Store

/// Dispatches the events of runs to hooks and cues.
///
/// The position up to which events were dispatched is stored before a hook starts: after a crash no hook runs twice for
/// one event. Without a subscription, nothing is written and nothing is awaited.
package final class EventDispatcher {
  private let store: RunStore
  private let hooks: HookRunner
  private let director: CueDirector
  private let configuration: () -> Configuration
  /// The position up to which events were dispatched, or need not be.
  private var position: RunCursor?
  private var isPositionRead = false
  /// When the next event comes that only time brings, on the boot clock.
  private var nextEvent: Duration?
  /// The failures that are not stored yet.
  private var problems: [(hook: String, event: String, problem: HookProblem)] = []

  /// How late an event is dispatched at most; later it is missed.
  package static let latest = Duration.seconds(3)

  /// - Parameters:
  ///   - soundProgram: the path of the program that plays sounds; `nil` if it is not installed.
  ///   - configuration: returns the current configuration; it is called each time, so that a change counts at once.
  package init(
    store: RunStore, hooks: HookRunner, soundProgram: String?, configuration: @escaping () -> Configuration
  ) {
    self.store = store
    director = CueDirector(hooks, soundProgram: soundProgram)
    self.hooks = hooks
    self.configuration = configuration
  }

  /// The descriptors to wait on.
  package var descriptors: [Int32] { hooks.descriptors + director.descriptors }

  /// When to look again, on the boot clock; `nil` for never.
  package var nextWake: Duration? { nextEvent }

  /// Dispatches new events, and collects processes that have ended.
  ///
  /// - Parameters:
  ///   - ready: the readable descriptors.
  ///   - status: the run in this turn.
  package func tend(_ ready: [Int32], _ status: RunStatus) throws {
    hooks.tend(ready)
    director.tend(ready, in: position?.runID)
    try dispatch(configuration(), status)
    hooks.tend([])
    try recordProblems()
  }

  /// Whether there is nothing left to wait for; within a transaction or outside of one.
  package func isAtRest() throws -> Bool {
    guard hooks.isAtRest, director.isAtRest, problems.isEmpty else { return false }
    let reading = store.clock.now()
    let run = try store.settledRun(at: reading)
    let spans = try spans(until: run, configuration(), at: reading)
    guard isPositionRead || spans.allSatisfy(\.subscriptions.isEmpty) else { return false }
    if let run, !run.isPaused, let current = spans.last, !current.subscriptions.isEmpty { return false }
    return spans.allSatisfy(\.events.isEmpty)
  }

  /// Kills the hooks that run, and the programs that they have started.
  package func endAll() {
    hooks.endAll()
    director.endAll()
  }

  private func dispatch(_ configuration: Configuration, _ status: RunStatus) throws {
    if !isPositionRead {
      position = try store.repairing { try store.database.dispatchPosition() }
      isPositionRead = true
    }
    let spans = try store.repairing { try self.spans(until: status.run, configuration, at: status.reading) }
    let current = status.run.map { EventSubscriptions(configuration, $0.options) }
    director.begin(status.run, current?.cues ?? Cues())
    if spans.contains(where: { !$0.events.isEmpty || position == nil && !$0.subscriptions.isEmpty }) {
      try dispatch(spans, at: status.reading)
    }
    position = spans.last?.end ?? position
    director.plan(status.run, current?.cues ?? Cues(), at: status.reading)
    nextEvent = status.run.flatMap { run in
      guard let current, !current.isEmpty else { return nil }
      // Each step has cues and a position of its own, so its end always counts.
      return run.agenda(after: status.reading, marks: current.remainingMarks).first {
        $0.kind == .stepEnd || current.events.contains($0.kind.name)
      }?.at.boot
    }
  }

  /// The events of one run that were not dispatched yet.
  private struct Span {
    let run: ActiveRunSnapshot
    let subscriptions: EventSubscriptions
    /// Empty without a subscription.
    let events: [RunEvent]
    /// The position after these events.
    let end: RunCursor
  }

  /// The events that were not dispatched yet, run by run; those of the active run are the last.
  private func spans(
    until run: ActiveRunSnapshot?, _ configuration: Configuration, at reading: ClockReading
  ) throws -> [Span] {
    var ended: [EndedRun] = []
    if let position, position.place != .ended, position.runID != run?.runID {
      // A run that is neither active nor in the history was lost with a damaged store.
      if let last = try store.database.endedRun(id: position.runID) { ended.append(last) }
    }
    if run == nil || run?.runID != position?.runID {
      let earliest = reading.wall.advanced(by: .zero - EventDispatcher.latest)
      // A run that seems to have begun in the future is older than the setting of the clock.
      ended += try store.database.endedRuns(
        startedAfter: max(position?.startedAt ?? earliest, earliest), notAfter: reading.wall
      ).filter { $0.snapshot.runID != position?.runID }
    }
    var spans = ended.map { ended in
      span(ended.snapshot, configuration, end: RunCursor(ended), at: reading) {
        $0.events(after: position, until: ended, at: reading)
      }
    }
    if let run {
      spans.append(
        span(run, configuration, end: RunCursor(run, at: reading), at: reading) {
          $0.events(after: position, until: run, at: reading)
        })
    }
    return spans
  }

  private func span(
    _ run: ActiveRunSnapshot, _ configuration: Configuration, end: RunCursor, at reading: ClockReading,
    events: (RunNews) -> [RunEvent]
  ) -> Span {
    let subscriptions = EventSubscriptions(configuration, run.options)
    var found = subscriptions.isEmpty ? [] : events(RunNews(remainingMarks: subscriptions.remainingMarks))
    // Without a position dispatching begins a moment ago, and nothing before that was missed.
    if position == nil { found.removeAll { $0.lateness(at: reading) > EventDispatcher.latest } }
    return Span(run: run, subscriptions: subscriptions, events: found, end: end)
  }

  /// Stores the position after the events, and then dispatches them.
  private func dispatch(_ spans: [Span], at reading: ClockReading) throws {
    var jobs: [HookJob] = []
    var missed: [(hook: Hook, last: RunEvent, count: Int)] = []
    for span in spans {
      for event in span.events {
        for hook in span.subscriptions.hooks where hook.isFor(event) {
          if event.lateness(at: reading) <= event.latestDispatch {
            jobs.append(HookJob(hook: hook, words: HookWords(event, in: span.run)))
          } else if let index = missed.firstIndex(where: { $0.hook == hook }) {
            missed[index] = (hook, event, missed[index].count + 1)
          } else {
            missed.append((hook, event, 1))
          }
        }
      }
    }
    try store.repairing {
      try store.database.transaction {
        if let last = spans.last { try store.database.store(dispatchPosition: last.end) }
        for (hook, event, count) in missed {
          try store.hookFailures.count(
            .missed, of: hook.name, times: count, event: event.kind.name.rawValue,
            detail: "\(event.lateness(at: reading).components.seconds) s late", at: reading.wall)
        }
      }
    }
    for job in jobs { hooks.add(job) }
    for span in spans {
      for event in span.events where event.lateness(at: reading) <= event.latestDispatch {
        director.play(event, in: span.run, span.subscriptions.cues, at: reading)
      }
    }
  }

  private func recordProblems() throws {
    problems += hooks.takeProblems().map { ($0.job.hook.name, $0.job.words[.event], $0.problem) }
    problems += director.takeProblems().map { ($0.name, "", $0.problem) }
    guard !problems.isEmpty else { return }
    let now = store.clock.now().wall
    try store.repairing {
      try store.database.transaction {
        for (hook, event, problem) in problems {
          try store.hookFailures.count(
            problem.kind, of: hook, event: event, detail: problem.detail, at: now)
        }
      }
    }
    problems = []
  }
}

extension RunEvent {
  /// The maximum delay of a remaining-time event, which is wrong a second later.
  fileprivate var latestDispatch: Duration {
    if case .last = kind { .seconds(1) } else { EventDispatcher.latest }
  }
}
