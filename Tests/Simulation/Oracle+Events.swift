/// The events of all runs, in order.
extension Oracle {
  /// An event and its run.
  struct Happening: Equatable, CustomStringConvertible {
    let run: Int
    let event: OracleEvent
    var description: String { "run \(run): \(event)" }
  }

  /// The active run with the events until now; also one that has ended, if nobody has noticed that.
  var observed: OracleRun? { isUnanchored ? stored.map(found) : ticking }

  /// The events of all runs until now.
  var happenings: [Happening] {
    (archive + (observed.map { [$0] } ?? [])).flatMap { run in
      run.events.map { Happening(run: run.number, event: $0) }
    }
  }

  /// Whether the agent has yet to handle the beginning of a suspend, which pauses the run.
  ///
  /// A reader between the two sees more than happens in the end.
  var isAboutToLeave: Bool {
    agent?.heard.contains { if case .goes = $0.0 { true } else { false } } ?? false
  }

  /// Returns the number of events until the last sign of life, which a reboot cannot undo.
  var lastingEvents: Int {
    guard isUnanchored, let stored, stored.isRunning else { return happenings.count }
    var run = stored
    run.goOn(until: lastSignOfLife(of: stored))
    return archive.reduce(run.events.count) { $0 + $1.events.count }
  }
}

extension OracleEvent.Kind {
  /// The name in the configuration.
  var name: String {
    switch self {
    case .runStart: "run-start"
    case .stepStart: "step-start"
    case .half: "half"
    case .remaining: "remaining"
    case .overtime: "overtime"
    case .goal: "goal"
    case .reminder: "reminder"
    case .stepEnd: "step-end"
    case .runEnd: "run-end"
    case .pause: "pause"
    case .resume: "resume"
    case .extend: "extend"
    case .return: "return"
    case .stop: "stop"
    }
  }

  /// Whether `run` prints the event.
  var isReported: Bool {
    switch self {
    case .half, .remaining, .reminder, .stepEnd: false
    case .runStart, .stepStart, .overtime, .goal, .runEnd, .pause, .resume, .extend, .return, .stop: true
    }
  }
}
