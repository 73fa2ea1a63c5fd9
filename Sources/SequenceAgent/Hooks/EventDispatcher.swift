import NotifierLedger
import NotifierDelivery
import SequencePlanning
import SequencePlatform
package import SequenceConfiguration
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
