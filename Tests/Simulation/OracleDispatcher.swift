struct OracleDispatcher {
  var configuration = ScenarioHooks()
  var changedAt = OracleMoment(wall: 0, boot: 0, boots: -1)
  /// The number of events of each run that the agent has taken; `nil` before it takes any.
  var taken: [Int: Int]?
  /// The hooks when the agent took events last.
  var known: [ScenarioHook]?
  /// The numbers of taken events as stored, and the moment of that; `nil` while none are stored.
  var stored: (counts: [Int: Int], at: OracleMoment)?
  /// The number of missed events by program.
  var missed: [Int: Int] = [:]

  var isEmpty: Bool { configuration.subscribed.isEmpty }
}

extension ScenarioHooks {
  fileprivate var cued: Set<String> {
    guard sound || speech else { return [] }
    return Set(["step-start", "half", "goal", "overtime", "run-end"] + (speech ? ["remaining"] : []))
  }

  /// The remaining times that are cues, in nanoseconds.
  fileprivate var cuedMarks: Set<Int> {
    speech ? Set([10_000_000_000] + (0..<counted).map { ($0 + 1) * 1_000_000_000 }) : []
  }

  var subscribed: Set<String> { hooks.reduce(into: cued) { $0.formUnion($1.events) } }

  func isCued(_ kind: OracleEvent.Kind) -> Bool {
    if case .remaining(let left) = kind, !cuedMarks.contains(left) { return false }
    return cued.contains(kind.name)
  }

  func isSubscribed(_ kind: OracleEvent.Kind) -> Bool {
    isCued(kind) || hooks.contains { $0.isFor(kind) }
  }
}

extension ScenarioHook {
  func isFor(_ kind: OracleEvent.Kind) -> Bool {
    if case .remaining(let left) = kind, left != remaining * 1_000_000_000 { return false }
    return events.contains(kind.name)
  }
}

extension Oracle {
  struct Dispatch: Equatable, CustomStringConvertible {
    let happening: Happening
    let programs: [Int]
    var description: String { "\(programs) by \(happening)" }
  }

  mutating func storeTaken() { dispatcher.stored = dispatcher.taken.map { ($0, at: now) } }

  mutating func configure(_ hooks: ScenarioHooks) {
    (dispatcher.configuration, dispatcher.changedAt) = (hooks, now)
  }

  /// Takes the events that the agent has not taken yet.
  ///
  /// - Returns: the events to dispatch, and whether their position has to be stored first.
  mutating func take() -> (dispatches: [Dispatch], mustStore: Bool) {
    let new = happenings(after: dispatcher.taken ?? [:])
    let isFirst = dispatcher.taken == nil
    var dispatches: [Dispatch] = []
    var hasMissed = false
    for happening in new where !dispatcher.isEmpty {
      let event = happening.event
      let hooks = dispatcher.configuration.hooks.filter { $0.isFor(event.kind) && begins($0, by: event.at) }
      let late = lateness(of: event)
      // Without a stored position, dispatching begins a moment ago.
      if isFirst, late.map({ $0 >= Oracle.latestDispatch }) ?? true { continue }
      if let late, late <= event.latestDispatch {
        if !hooks.isEmpty || dispatcher.configuration.isCued(event.kind) {
          dispatches.append(Dispatch(happening: happening, programs: hooks.map(\.program)))
        }
      } else if !isFirst {
        for hook in hooks {
          dispatcher.missed[hook.program, default: 0] += 1
          hasMissed = true
        }
      }
    }
    dispatcher.known = dispatcher.configuration.hooks
    dispatcher.taken = new.reduce(into: dispatcher.taken ?? [:]) { $0[$1.run, default: 0] += 1 }
    return (dispatches, hasMissed || !dispatches.isEmpty)
  }

  /// The latest time after an event for its dispatch, in nanoseconds.
  fileprivate static let latestDispatch = 3_000_000_000

  /// Returns the nanoseconds since an event of this boot; `nil` for an event of an earlier boot, which is always too
  /// late.
  private func lateness(of event: OracleEvent) -> Int? {
    event.at.boots == boots ? boot - event.at.boot : nil
  }

  /// Returns whether a hook was there when an event happened.
  ///
  /// The file of a hook that the agent has not seen yet tells only by the wall clock since when it is there.
  private func begins(_ hook: ScenarioHook, by moment: OracleMoment) -> Bool {
    dispatcher.known?.contains(hook) == true || moment.wall > dispatcher.changedAt.wall
  }

  /// The time of the next event with a hook or a cue, on the boot clock.
  var nextEvent: Int? { dispatcher.isEmpty ? nil : runs.compactMap(nextEvent).min() }

  private func nextEvent(of run: OracleRun) -> Int? {
    var run = run
    // A copy of all past events and records for each turn would take longer with each step.
    (run.events, run.records) = ([], [])
    // After a whole endless round the kinds repeat.
    let last = run.endlessAfter.map { max(run.index, $0) + $0 } ?? .max
    while run.isRunning, run.index <= last {
      if let point = run.points.first(where: { dispatcher.configuration.isSubscribed($0.kind) }) {
        return run.event(point).at.boot
      }
      // What stands for endless rounds has an end, which never comes.
      guard let end = run.end, run.endlessAfter == nil || run.index + 1 < run.steps.count else { return nil }
      let before = run.events.count
      run.endStep()
      if run.events[before...].contains(where: { dispatcher.configuration.isSubscribed($0.kind) }) {
        return end.at.boot
      }
    }
    return nil
  }

  var awaitsEvents: Bool { !dispatcher.isEmpty && runs.contains(where: \.isRunning) }
}

extension OracleEvent {
  fileprivate var latestDispatch: Int {
    if case .remaining = kind { 1_000_000_000 } else { Oracle.latestDispatch }
  }
}
