import NotificationLedger
import Notifier
import Platform
package import SequenceConfiguration
package import SequenceRunner
import Store

/// Tells hooks what happens in runs.
///
/// What has been told is written down before a hook is started: whoever goes on after a crash tells nothing twice.
/// Where nothing is configured it looks at nothing, writes nothing and waits for nothing.
package final class RunTeller: DeliveryCompanion {
  private let store: RunStore
  private let hooks: HookRunner
  private let director: CueDirector
  private let configuration: () -> Configuration
  private var cursor: RunCursor?
  private var isCursorRead = false
  /// When something happens next by itself, on the boot clock.
  private var nextEvent: Duration?
  /// What went wrong and is not written down yet.
  private var problems: [(hook: String, event: String, problem: HookProblem)] = []

  /// How late a hook is run; what is found out later is missed.
  package static let latest = Duration.seconds(3)

  /// - Parameters:
  ///   - soundProgram: the path of the program that plays sounds.
  ///   - configuration: what the user has set; asked each time, so that a change counts at once.
  package init(
    store: RunStore, hooks: HookRunner, soundProgram: String, configuration: @escaping () -> Configuration
  ) {
    self.store = store
    director = CueDirector(hooks, soundProgram: soundProgram)
    self.hooks = hooks
    self.configuration = configuration
  }

  package var descriptors: [Int32] { hooks.descriptors + director.descriptors }

  package var nextWake: Duration? { [nextEvent, hooks.nextWake].compactMap { $0 }.min() }

  package func tend(_ ready: [Int32]) throws {
    hooks.tend(ready)
    director.tend(ready, in: cursor?.runID)
    let configuration = configuration()
    let choice = try store.repairing { try store.told.cueChoice() }
    if configuration.wantedEvents.isEmpty, choice?.isWanted != true {
      forget(at: store.clock.now())
    } else {
      try tell(configuration, choice)
      hooks.tend([])
    }
    try recordProblems()
  }

  package func isAtRest() throws -> Bool {
    guard hooks.isAtRest, director.isAtRest, problems.isEmpty else { return false }
    let reading = store.clock.now()
    let run = try store.database.settledRun(at: reading)
    let wanted = RunWishes(configuration(), try store.told.cueChoice(), of: run?.runID ?? cursor?.runID)
    guard !wanted.events.isEmpty else { return true }
    guard isCursorRead else { return false }
    guard run?.isPaused ?? (cursor == nil || cursor?.place == .ended) else { return false }
    return try stretches(until: run, RunNews(lefts: wanted.lefts), at: reading).allSatisfy(\.events.isEmpty)
  }

  /// Kills what runs, with what that has started.
  package func endAll() {
    hooks.endAll()
    director.endAll()
  }

  /// Nobody wants to be told.
  private func forget(at reading: Reading) {
    (cursor, isCursorRead, nextEvent) = (nil, false, nil)
    director.plan(nil, Cues(), at: reading)
  }

  private func tell(_ configuration: Configuration, _ choice: CueChoice?) throws {
    let look = try store.look()
    if !isCursorRead { cursor = try store.repairing { try store.told.cursor() } }
    isCursorRead = true
    let wanted = RunWishes(configuration, choice, of: look.run?.runID ?? cursor?.runID)
    guard !wanted.events.isEmpty else { return forget(at: look.reading) }
    let news = RunNews(lefts: wanted.lefts)
    let stretches = try store.repairing { try self.stretches(until: look.run, news, at: look.reading) }
    director.begin(look.run, wanted.cues)
    if let last = stretches.last {
      if stretches.contains(where: { !$0.events.isEmpty }) || cursor == nil {
        try tell(stretches, wanted, at: look.reading)
      }
      cursor = last.cursor
    }
    director.plan(look.run, wanted.cues, at: look.reading)
    nextEvent = look.run.flatMap { news.nextEvent(in: $0, at: look.reading, of: wanted.events) }
  }

  /// What happened in one run since it was last told of, and how much has been told then.
  private struct Stretch {
    let run: ActiveRunSnapshot
    let events: [RunEvent]
    let cursor: RunCursor
  }

  /// What has not been told, run by run.
  private func stretches(
    until run: ActiveRunSnapshot?, _ news: RunNews, at reading: Reading
  ) throws -> [Stretch] {
    var stretches: [Stretch] = []
    if let cursor, cursor.place != .ended, cursor.runID != run?.runID {
      // One that neither goes on nor is in the history was lost with a store.
      if let ended = try store.told.endedRun(cursor.runID) {
        stretches.append(stretch(ended, news, at: reading))
      }
    }
    if run == nil || run?.runID != cursor?.runID {
      let earliest = reading.wall.advanced(by: .zero - RunTeller.latest)
      let floor = max(cursor?.startedAt ?? earliest, earliest)
      for ended in try store.told.runs(startedAfter: floor) where ended.snapshot.runID != cursor?.runID {
        stretches.append(stretch(ended, news, at: reading))
      }
    }
    if let run {
      // Of a run that began when nobody was to be told, what has happened so far is not news.
      let isOld = cursor == nil && reading.wall.duration(since: run.startedAt) > RunTeller.latest
      let events = isOld ? [] : news.events(after: cursor, until: run, at: reading)
      stretches.append(Stretch(run: run, events: events, cursor: RunCursor(run, at: reading)))
    }
    return stretches
  }

  private func stretch(_ ended: EndedRun, _ news: RunNews, at reading: Reading) -> Stretch {
    Stretch(
      run: ended.snapshot, events: news.events(after: cursor, until: ended, at: reading),
      cursor: RunCursor(ended))
  }

  /// Writes down that it is told, and then tells it.
  private func tell(_ stretches: [Stretch], _ wanted: RunWishes, at reading: Reading) throws {
    var jobs: [HookJob] = []
    var missed: [(hook: Hook, last: RunEvent, count: Int)] = []
    for stretch in stretches {
      for event in stretch.events {
        for hook in wanted.hooks where hook.isFor(event) {
          if event.late <= event.latestTelling {
            jobs.append(HookJob(hook: hook, words: HookWords(event, in: stretch.run)))
          } else if let index = missed.firstIndex(where: { $0.hook == hook }) {
            missed[index] = (hook, event, missed[index].count + 1)
          } else {
            missed.append((hook, event, 1))
          }
        }
      }
    }
    try store.changeTold { told in
      if let last = stretches.last { try told.store(last.cursor) }
      for (hook, event, count) in missed {
        try told.count(
          .missed, of: hook.name, times: count, event: event.kind.name.rawValue,
          detail: "\(event.late.components.seconds) s late", at: reading.wall)
      }
    }
    for job in jobs { hooks.add(job) }
    for stretch in stretches {
      for event in stretch.events where event.late <= event.latestTelling {
        director.tell(event, in: stretch.run, wanted.cues, at: reading)
      }
    }
  }

  private func recordProblems() throws {
    problems += hooks.takeProblems().map { ($0.job.hook.name, $0.job.words[.event], $0.problem) }
    problems += director.takeProblems().map { ($0.name, "", $0.problem) }
    guard !problems.isEmpty else { return }
    let now = store.clock.now().wall
    try store.changeTold { told in
      for (hook, event, problem) in problems {
        try told.count(problem.kind, of: hook, event: event, detail: problem.detail, at: now)
      }
    }
    problems = []
  }
}

extension RunEvent {
  /// How late it is told at most: that so much is left is not so any more a second later.
  fileprivate var latestTelling: Duration {
    if case .left = kind { .seconds(1) } else { RunTeller.latest }
  }
}

extension RunStore {
  /// Changes what has been told in one transaction.
  func changeTold(_ body: (ToldLedger) throws -> Void) throws {
    try repairing { try database.transaction { try body(told) } }
  }
}
