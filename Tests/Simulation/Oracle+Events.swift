extension Oracle {
  struct Happening: Equatable, CustomStringConvertible {
    let run: Int
    let event: OracleEvent
    var description: String { "run \(run): \(event)" }
  }

  /// All runs with their events until now, in the order of their starts; also those that have ended, if nobody has
  /// noticed that.
  private var observed: [OracleRun] { (archive + active.map(present)).sorted { $0.number < $1.number } }

  /// The events of all runs until now, as one who reads them at once.
  var happenings: [Happening] { happenings(after: [:]) }

  /// Returns the events until now that a reader has not read yet: each run's own in their order, and those of several
  /// in the order of their moments, then of the entries that they follow from.
  ///
  /// - Parameters:
  ///   - counts: the number of events that were read of each run.
  ///   - only: the run whose events are read; `nil` for all.
  func happenings(after counts: [Int: Int], of only: Int? = nil) -> [Happening] {
    var left = observed.filter { only == nil || $0.number == only }.map { run in
      (run: run.number, events: run.events.dropFirst(counts[run.number] ?? 0))
    }
    var merged: [Happening] = []
    func isEarlier(_ one: OracleEvent, _ other: OracleEvent) -> Bool {
      (one.at.boots, one.at.boot, one.entry) < (other.at.boots, other.at.boot, other.entry)
    }
    while true {
      var next: (place: Int, event: OracleEvent)?
      for (place, run) in left.enumerated() {
        guard let event = run.events.first else { continue }
        if next.map({ isEarlier(event, $0.event) }) ?? true { next = (place, event) }
      }
      guard let next else { return merged }
      merged.append(Happening(run: left[next.place].run, event: next.event))
      left[next.place].events.removeFirst()
    }
  }

  /// Whether the agent has yet to handle the beginning of a suspend, which pauses the run.
  ///
  /// A reader between the two sees more than happens in the end.
  var isAboutToLeave: Bool {
    agent?.heard.contains { news, _ in
      switch news {
      case .goes, .isLocked(now: true): true
      case .isBack, .isLocked, .isUnlocked, .isAnother: false
      }
    } ?? false
  }

  /// Returns how many events of a run have happened until the last sign of life, which a reboot cannot undo.
  func lastingEvents(of number: Int) -> Int {
    guard let run = active.first(where: { $0.stored.number == number }), run.isUnanchored,
      run.stored.isRunning
    else { return observed.first { $0.number == number }?.events.count ?? 0 }
    var stored = run.stored
    stored.goOn(until: lastSignOfLife(of: stored))
    return stored.events.count
  }
}

extension OracleEvent.Kind {
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

  var isReported: Bool {
    switch self {
    case .half, .remaining, .reminder, .stepEnd: false
    case .runStart, .stepStart, .overtime, .goal, .runEnd, .pause, .resume, .extend, .return, .stop: true
    }
  }
}
