import FoundationEssentials
import Glibc
import SequenceClient
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore

enum LineFollowing {
  /// - Parameter pausesOnInterrupt: whether SIGINT and SIGTERM pause the run, or only end this program.
  static func follow(
    _ follower: RunFollower, asJSON: Bool, pausesOnInterrupt: Bool, _ context: CommandContext
  ) throws -> ExitStatus {
    var reporter = try RunEventReporter(follower.run, in: follower.client.store)
    func tell(_ events: [RunEvent]) throws {
      for rounds in reporter.skipped {
        context.say(Problem("\(rounds.count * rounds.steps) steps are not listed"))
      }
      for event in events {
        try context.print(asJSON ? JSONText.encode(reporter.document(event)) : reporter.line(event))
      }
    }
    while true {
      switch try follower.state() {
      case .over(let ended):
        try tell(reporter.events(until: context.clock.now()))
        follower.client.ensureAgent()
        return ExitStatus(ended)
      case .active(_, let status):
        try tell(reporter.events(until: status.reading))
        if let notice = try follower.desktopNotice() {
          context.printError("sequence: \(TextSafety.sanitised(notice))")
        }
        let event = try follower.wait(until: status.nextChange)
        let status = try LineFollowing.status(
          after: event, pausesOnInterrupt: pausesOnInterrupt, follower, context)
        if let status { return status }
      }
    }
  }

  static func word(_ follower: RunFollower) throws -> String {
    let isAlone = try !follower.client.store.peek().runs.contains { $0.runID != follower.run.runID }
    return isAlone ? "" : " \(follower.run.name)"
  }

  /// The exit status if a signal ends the program; `nil` if it continues.
  static func status(
    after event: RunFollower.Event, pausesOnInterrupt: Bool, _ follower: RunFollower,
    _ context: CommandContext
  ) throws -> ExitStatus? {
    switch event {
    case .signal(SIGHUP): return .hangup
    case .signal(SIGINT), .signal(SIGTERM):
      if pausesOnInterrupt {
        if try follower.pause() {
          let word = try word(follower)
          context.printError(
            "sequence: "
              + translated(
                "paused {name}; to continue it, run {command}",
                ["name": follower.run.name, "command": "sequence resume\(word)"]))
        }
      }
      return event == .signal(SIGINT) ? .interrupted : .terminated
    case .signal(SIGTSTP):
      _ = raise(SIGSTOP)
      return nil
    case .signal, .input, .other: return nil
    }
  }
}

struct RunEventReporter {
  let runID: String
  private let store: RunStore
  private let run: ActiveRunSnapshot
  private var timeline: Timeline { run.timeline }
  private var startedAt: Moment { run.startedAt }
  private var position: EventPosition
  private var hasBegun = false
  private var startsPaused = false
  /// The endless rounds whose events are not reported, because they have passed unread.
  private(set) var skipped: [SkippedRounds] = []

  init(_ run: ActiveRunSnapshot, in store: RunStore) throws(StoreError) {
    self.store = store
    self.run = run
    runID = run.runID.uuidString
    position = try store.eventPosition(beforeStepOf: run)
  }

  mutating func events(until reading: ClockReading) throws(StoreError) -> [RunEvent] {
    let found = try store.events(after: position, until: reading)
    let ofRun = found.runs.filter { $0.run.runID == run.runID }
    skipped = ofRun.flatMap(\.skipped)
    var events = ofRun.flatMap(\.events).filter(RunEventReporter.isReported)
    if !hasBegun, events.first?.kind != .runStart {
      let at = reading.at(startedAt)
      events.insert(
        RunEvent(kind: .runStart, step: run.firstStep, at: at, elapsed: .zero, target: nil), at: 0)
    }
    if let start = events.first, start.kind == .runStart {
      startsPaused = events.contains { $0.kind == .paused(nil) && $0.at == start.at }
    }
    (position, hasBegun) = (found.end, true)
    return events
  }

  func line(_ event: RunEvent) -> String {
    let offset = EventText.offset(event.at.wall.duration(since: startedAt))
    return "\(offset)  \(EventText.what(event, of: run, startsPaused: startsPaused))"
  }

  func document(_ event: RunEvent) -> EventDocument {
    EventDocument(
      event: event.kind.name.rawValue, at: event.at.wall.description, reason: EventText.reason(event.kind),
      offset: event.at.wall.duration(since: startedAt).seconds, run: runID,
      step: RunEventReporter.isOfStep(event) ? document(run.step(of: event), target: event.target) : nil)
  }

  /// - Parameter target: the duration or the goal at the event, with the time the user added.
  private func document(_ step: Step, target: Duration?) -> EventDocument.StepDocument {
    let timing = step.timing
    return .init(
      number: step.number, count: timeline.count, rounds: step.rounds, card: CardDocument(step.card),
      duration: timing.duration == nil ? nil : target?.seconds,
      goal: timing.goal == nil ? nil : target?.seconds)
  }

  private static func isReported(_ event: RunEvent) -> Bool {
    switch event.kind {
    case .half, .remaining, .reminder, .stepEnd: false
    default: true
    }
  }

  private static func isOfStep(_ event: RunEvent) -> Bool {
    switch event.kind {
    case .runStart, .ended: false
    default: true
    }
  }
}

struct EventDocument: Encodable {
  let schema = JSONText.schema
  let event: String
  let at: String
  /// The reason of a pause, unless the user paused the run.
  let reason: String?
  let offset: Double
  let run: String
  let step: StepDocument?

  struct StepDocument: Encodable {
    let number: Int
    let count: Int?
    let rounds: [Step.Round]
    let card: CardDocument
    let duration: Double?
    let goal: Double?
  }
}

enum EventText {
  static func reason(_ kind: RunEvent.Kind) -> String? {
    guard case .paused(let cause) = kind else { return nil }
    return cause?.rawValue
  }

  /// - Parameter startsPaused: whether the end isn't known at the start, because the clock is stopped.
  static func what(_ event: RunEvent, of run: ActiveRunSnapshot, startsPaused: Bool) -> String {
    let timeline = run.timeline
    let step = run.step(of: event)
    let title = quote(step.card.title)
    switch event.kind {
    case .runStart: return started(run, isPaused: startsPaused)
    case .stepStart:
      let rounds = StepText.rounds(step).map { ", \($0)" }.joined()
      return
        "\(StepText.number(step.number, of: timeline.count)): \(title), \(StepText.length(step, DurationText.shown))\(rounds)"
    case .goal: return translated("goal of {} reached", title)
    case .overtime: return translated("time of {} is up", title)
    case .paused(nil): return translated("paused {}", title)
    case .paused(let cause?): return translated("paused {}", title) + ": " + SuspendText.goes(cause)
    case .resumed: return translated("resumed {}", title)
    case .extended(let target):
      return translated(
        "{title} now lasts {time}", ["title": title, "time": DurationText.shown(target)])
    case .returned: return translated("back from the suspend, and {} is paused", title)
    case .ended(let outcome): return StepText.name(outcome)
    default: return "\(event.kind.name.rawValue) of \(title)"
    }
  }

  /// The start of a run, such as `started "Tabata" as tabata, 17 steps, until 10:04`.
  ///
  /// - Parameter isPaused: whether its clock is stopped, so that the end isn't known.
  static func started(_ run: ActiveRunSnapshot, isPaused: Bool) -> String {
    let (timeline, first) = (run.timeline, run.firstStep)
    let parts: KeyValuePairs = [
      "title": quote(run.sequence.title), "name": run.name, "number": String(first + 1),
    ]
    let begin =
      first == 0
      ? translated("started {title} as {name}", parts)
      : translated("started {title} as {name} at step {number}", parts)
    let length = timeline.count.map { StepText.count($0 - first) } ?? translated("endless")
    let waits = timeline.firstStop(from: first) != nil
    var end = ""
    if case .running(let since, _) = run.current.clock, !isPaused, timeline.count != nil,
      !waits || run.deadline != nil || timeline.hasEstimates
    {
      let clock = EndText.clock(since.wall, after: run.plannedLeft(at: since), isAbout: waits)
      let late = run.late(at: since).flatMap(EndText.lateness).map { ", \($0)" } ?? ""
      end = ", " + translated("until {}", clock) + late
    }
    return "\(begin), \(length)\(end)"
  }

  /// Formats a duration as `h:mm:ss.mmm`, rounded down.
  static func offset(_ duration: Duration) -> String {
    let milliseconds = max(0, duration.nanoseconds / 1_000_000)
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].enumerated().map { index, part in
      index > 0 && part < 10 ? "0\(part)" : "\(part)"
    }
    let fraction = String(rest)
    return parts.joined(separator: ":") + "." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
