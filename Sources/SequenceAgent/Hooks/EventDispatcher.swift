import NotifierDelivery
import NotifierLedger
package import SequenceConfiguration
import SequencePlanning
import SequencePlatform
package import SequenceRunner
import SequenceStore

package final class EventDispatcher {
  private let store: RunStore
  private let reader: EventReader
  private let hooks: HookRunner
  private let director: CueDirector
  private let configuration: () -> Configuration
  private var problems: [(hook: String, event: String, problem: HookProblem)] = []

  /// - Parameters:
  ///   - soundProgram: the path of the program that plays sounds; `nil` if it is not installed.
  ///   - configuration: returns the current configuration; it is called each time, so that a change counts at once.
  package init(
    store: RunStore, hooks: HookRunner, soundProgram: String?,
    configuration: @escaping () -> Configuration
  ) {
    self.store = store
    reader = EventReader(store: store, configuration: configuration)
    director = CueDirector(hooks, soundProgram: soundProgram)
    self.hooks = hooks
    self.configuration = configuration
  }

  package var descriptors: [Int32] { hooks.descriptors + director.descriptors }

  package var nextWake: Duration? {
    [reader.nextEvent, hooks.nextWake, director.nextWake].compactMap { $0 }.min()
  }

  package func dispatch(_ ready: [Int32], _ status: RunStatus) throws {
    hooks.collect(ready)
    director.begin(ready, status, configuration().cues, try store.ringingEnds(at: status.reading))
    for dispatch in try reader.take(status) {
      for hook in dispatch.hooks {
        hooks.add(
          HookJob(hook: hook, run: dispatch.run.runID, words: HookWords(dispatch.event, in: dispatch.run)))
      }
      director.play(dispatch.event, in: dispatch.run, dispatch.cues, at: status.reading)
    }
    director.plan()
    hooks.collect([])
    try recordProblems()
  }

  var isRunningHooks: Bool { !hooks.hasNothingToWaitFor }

  /// Whether there is nothing left to wait for; within a transaction or outside of one.
  package func hasNothingToWaitFor(_ status: RunStatus) throws -> Bool {
    guard hooks.hasNothingToWaitFor, director.hasNothingToWaitFor, problems.isEmpty else { return false }
    return try reader.hasNothingToWaitFor(status)
  }

  /// Kills the hooks that run, and the programs that they have started.
  package func endAll() {
    hooks.endAll()
    director.endAll()
  }

  private func recordProblems() throws {
    problems += hooks.takeProblems().map { ($0.job.hook.name, $0.job.words[.event], $0.problem) }
    problems += director.takeProblems().map { ($0.name, "", $0.problem) }
    guard !problems.isEmpty else { return }
    let now = store.clock.now().wall
    try store.base.transaction { _ throws(StoreError) in
      for (hook, event, problem) in problems {
        try HookFailureLog(database: store.database).count(
          problem.kind, of: hook, event: event, detail: problem.detail, at: now)
      }
    }
    problems = []
  }
}

struct EventSubscriptions {
  let hooks: [Hook]
  let cues: Cues
  let events: Set<RunEvent.Name>
  let remainingMarks: Set<Duration>

  init(_ configuration: Configuration, _ run: ActiveRunSnapshot) {
    hooks = configuration.hooks
    cues = configuration.cues.of(run)
    events = configuration.subscribedEvents(with: cues)
    remainingMarks = cues.remainingMarks.union(
      hooks.filter { $0.events.contains(.remaining) }.map(\.remaining))
  }

  var isEmpty: Bool { events.isEmpty }
}

/// Reads the events of runs for hooks and cues, each once.
///
/// The position after the events is stored before they are returned: after a crash none is dispatched twice. Without
/// a subscription, nothing is written and nothing is awaited.
package final class EventReader {
  private let store: RunStore
  private let configuration: () -> Configuration
  /// The position up to which events were dispatched, or need not be.
  private var position: EventPosition?
  private var isPositionRead = false
  /// The position that is stored, if no other agent has stored one since.
  private var storedPosition: EventPosition?
  /// The hooks at the last reading; `nil` before it.
  private var knownHooks: [Hook]?
  /// When the next event comes that only time brings, on the boot clock.
  package private(set) var nextEvent: Duration?

  /// - Parameter configuration: returns the current configuration; it is called each time, so that a change counts at
  ///   once.
  package init(store: RunStore, configuration: @escaping () -> Configuration) {
    self.store = store
    self.configuration = configuration
  }

  package struct Dispatch {
    package let event: RunEvent
    package let run: ActiveRunSnapshot
    package let hooks: [Hook]
    let cues: Cues
  }

  /// Returns the new events to dispatch, and counts those that hooks have missed.
  ///
  /// - Throws: `StoreError`; the next call returns the events then.
  package func take(_ status: RunStatus) throws(StoreError) -> [Dispatch] {
    let (configuration, reading) = (configuration(), status.reading)
    if !isPositionRead {
      position = try store.repairing { () throws(StoreError) in try store.database.dispatchPosition() }
      storedPosition = position
      isPositionRead = true
    }
    let isFirst = position == nil
    let begin =
      if let position { position } else { try store.eventPosition(at: reading, minus: Lateness.event) }
    let batch = try events(after: begin, until: reading, configuration)
    var dispatches: [Dispatch] = []
    var missed: [(hook: Hook, last: RunEvent, count: Int)] = []
    for run in batch.runs {
      let subscriptions = EventSubscriptions(configuration, run.run)
      if !isFirst {
        for rounds in run.skipped {
          for event in rounds.events {
            for hook in subscriptions.hooks where hook.isFor(event, in: run.run) {
              let count = rounds.count(of: event, notBefore: beginning(of: hook, configuration))
              if count > 0 { EventReader.count(event, times: count, of: hook, in: &missed) }
            }
          }
        }
      }
      for event in run.events {
        let hooks = subscriptions.hooks.filter { hook in
          hook.isFor(event, in: run.run)
            && beginning(of: hook, configuration).map { event.at.wall >= $0 } ?? true
        }
        if event.lateness(at: reading) <= EventReader.longestDelay(of: event) {
          dispatches.append(Dispatch(event: event, run: run.run, hooks: hooks, cues: subscriptions.cues))
        } else if !isFirst {
          for hook in hooks { EventReader.count(event, times: 1, of: hook, in: &missed) }
        }
      }
    }
    let active = status.runs.map { (run: $0, subscriptions: EventSubscriptions(configuration, $0)) }
      .filter { !$0.subscriptions.isEmpty }
    if !batch.runs.isEmpty || isFirst && !active.isEmpty {
      guard try store(batch.end, missed, at: reading) else {
        isPositionRead = false
        nextEvent = reading.boot
        return []
      }
      storedPosition = batch.end
    }
    (position, knownHooks) = (batch.end, configuration.hooks)
    nextEvent = active.compactMap { run, subscriptions in
      run.agenda(after: reading, marks: subscriptions.remainingMarks).first(ofKinds: subscriptions.events)?.at
        .boot
    }.min()
    return dispatches
  }

  /// Whether nothing is left to dispatch and no event is awaited; within a transaction or outside of one.
  package func hasNothingToWaitFor(_ status: RunStatus) throws(StoreError) -> Bool {
    let configuration = configuration()
    let subscribed = status.runs.filter { !EventSubscriptions(configuration, $0).isEmpty }
    guard subscribed.allSatisfy(\.isPaused) else { return false }
    guard let position else { return subscribed.isEmpty }
    return try events(after: position, until: status.reading, configuration).runs.isEmpty
  }

  private func events(
    after position: EventPosition, until reading: ClockReading, _ configuration: Configuration
  ) throws(StoreError) -> EventBatch {
    try store.events(after: position, until: reading) { run in
      let subscriptions = EventSubscriptions(configuration, run)
      return subscriptions.isEmpty ? nil : subscriptions.remainingMarks
    }
  }

  /// Returns the first moment whose events are dispatched to a hook that was added or changed; `nil` for another one.
  private func beginning(of hook: Hook, _ configuration: Configuration) -> Moment? {
    knownHooks?.contains(hook) == true ? nil : configuration.changedAt
  }

  /// The longest delay after which an event is dispatched: a number that is said late is a wrong one.
  private static func longestDelay(of event: RunEvent) -> Duration {
    if case .remaining = event.kind { Lateness.mark } else { Lateness.event }
  }

  private static func count(
    _ event: RunEvent, times: Int, of hook: Hook,
    in missed: inout [(hook: Hook, last: RunEvent, count: Int)]
  ) {
    if let index = missed.firstIndex(where: { $0.hook == hook }) {
      missed[index] = (hook, event, missed[index].count + times)
    } else {
      missed.append((hook, event, times))
    }
  }

  /// Returns `false` if another agent has stored a position since this one was read.
  private func store(
    _ end: EventPosition, _ missed: [(hook: Hook, last: RunEvent, count: Int)], at reading: ClockReading
  ) throws(StoreError) -> Bool {
    try store.base.transaction { database throws(StoreError) in
      guard try database.dispatchPosition() == storedPosition else { return false }
      try database.store(dispatchPosition: end)
      for (hook, event, count) in missed {
        try HookFailureLog(database: store.database).count(
          .missed, of: hook.name, times: count, event: event.kind.name.rawValue,
          detail: "\(event.lateness(at: reading).components.seconds) s late", at: reading.wall)
      }
      return true
    }
  }
}
