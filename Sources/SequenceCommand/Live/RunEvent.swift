import FoundationEssentials
import SequenceRunner

/// Something that happened in a run, for those who read along.
struct RunEvent: Equatable {
  let kind: Kind
  /// When it happened, by the wall clock.
  let at: Moment
  /// The step that it is about; `nil` for the run as a whole.
  let step: Step?

  enum Kind: Equatable {
    case started
    /// A step began.
    case step
    /// The time of a manual card was over, or the goal of a count-up reached.
    case timeOver
    /// The user paused the run, or the machine's going did.
    case paused(Absence.Cause?)
    case resumed
    case extended(to: Duration)
    case ended(RunOutcome)
  }
}

/// Finds out what happened in a run between two looks at it.
struct RunEventReporter {
  let runID: String
  private let startedAt: Moment
  private let timeline: Timeline
  private var last: Last?

  /// What was last reported.
  private struct Last: Equatable {
    var index: Int
    var startedAt: Moment
    var isPaused: Bool
    var target: Duration?
    var isOver: Bool
  }

  /// Reports on a run from its present step on.
  ///
  /// - Parameter fromStart: whether the run has just been started, and that is an event too.
  init(_ run: ActiveRunSnapshot) {
    runID = run.runID.uuidString
    startedAt = run.startedAt
    timeline = run.timeline
  }

  /// What happened until a look at the run, which is active.
  mutating func events(_ run: ActiveRunSnapshot, at reading: Reading) -> [RunEvent] {
    let position = run.position(at: reading)
    let step = position.step
    var now = Last(
      index: step.index, startedAt: run.current.startedAt, isPaused: run.isPaused, target: run.target,
      isOver: position.overtime > .zero || position.target == position.elapsed)
    var events: [RunEvent] = []
    if let last {
      events += started(after: last.index, before: step.index, in: run.log)
    } else {
      events.append(RunEvent(kind: .started, at: run.startedAt, step: nil))
    }
    let isNewStep = last?.index != now.index || last?.startedAt != now.startedAt
    // A paused step that has not begun yet gets another start when it does; that is no other step.
    if isNewStep && !(last?.index == now.index && last?.isPaused == true && !now.isPaused) {
      events.append(RunEvent(kind: .step, at: now.startedAt, step: step))
    } else if let target = now.target, let before = last?.target, before != target {
      events.append(RunEvent(kind: .extended(to: target), at: reading.wall, step: step))
    }
    if now.isPaused != (last?.isPaused ?? false) {
      let kind = now.isPaused ? RunEvent.Kind.paused(run.absence?.cause) : .resumed
      events.append(RunEvent(kind: kind, at: run.absence?.since.wall ?? reading.wall, step: step))
    }
    if now.isOver, !now.isPaused, isNewStep || last?.isOver == false {
      let at = run.targetReachedAt ?? reading.wall
      events.append(RunEvent(kind: .timeOver, at: at, step: step))
    } else if now.isPaused {
      now.isOver = last?.isOver ?? false
    }
    last = now
    return events
  }

  /// What happened until the end of the run.
  mutating func events(_ ended: EndedRun) -> [RunEvent] {
    let after = last?.index ?? -1
    let steps = started(after: after, before: ended.snapshot.log.count, in: ended.snapshot.log)
    return steps + [RunEvent(kind: .ended(ended.outcome), at: ended.endedAt, step: nil)]
  }

  /// The steps that began and are over already.
  private func started(after index: Int, before end: Int, in log: StepLog) -> [RunEvent] {
    guard index + 1 < end else { return [] }
    return log.records(from: index + 1, in: timeline).prefix(end - index - 1).map {
      RunEvent(kind: .step, at: $0.startedAt, step: timeline.step(at: $0.index))
    }
  }

  /// A line for an event: how long after the start it happened, and what.
  func line(_ event: RunEvent) -> String {
    let offset = EventText.offset(event.at.duration(since: startedAt))
    return "\(offset)  \(EventText.what(event, timeline))"
  }

  /// A document for an event.
  func document(_ event: RunEvent) -> EventDocument {
    EventDocument(
      event: EventText.name(event.kind), at: event.at.description, reason: EventText.reason(event.kind),
      offset: event.at.duration(since: startedAt).seconds, run: runID,
      step: event.step.map {
        .init(
          index: $0.index, count: timeline.count, rounds: $0.rounds, card: CardDocument($0.card),
          duration: $0.card.timing.duration?.seconds, goal: $0.card.timing.goal?.duration.seconds)
      })
  }
}

/// What `run --json` prints for each event.
struct EventDocument: Encodable {
  let schema = JSONText.schema
  let event: String
  let at: String
  /// Why the run was paused, unless the user paused it.
  let reason: String?
  let offset: Double
  let run: String
  let step: StepDocument?

  struct StepDocument: Encodable {
    let index: Int
    let count: Int
    let rounds: [Step.Round]
    let card: CardDocument
    let duration: Double?
    let goal: Double?
  }
}

/// How events are named.
enum EventText {
  static func name(_ kind: RunEvent.Kind) -> String {
    switch kind {
    case .started: "started"
    case .step: "step"
    case .timeOver: "time-over"
    case .paused: "paused"
    case .resumed: "resumed"
    case .extended: "extended"
    case .ended(let outcome): outcome.rawValue
    }
  }

  /// Why what happened did, where that has a name.
  static func reason(_ kind: RunEvent.Kind) -> String? {
    guard case .paused(let cause) = kind else { return nil }
    return cause?.rawValue
  }

  static func what(_ event: RunEvent, _ timeline: Timeline) -> String {
    let title = event.step.map { quote($0.card.title) } ?? ""
    switch event.kind {
    case .started:
      let count = timeline.count == 1 ? "1 step" : "\(timeline.count) steps"
      return "started \(quote(timeline.definition.title)), \(count)"
    case .step:
      guard let step = event.step else { return "" }
      let rounds = step.rounds.map { ", round \($0.round) of \($0.of)" }.joined()
      return "step \(step.index + 1) of \(timeline.count): \(title), \(StepText.length(step.card))\(rounds)"
    case .timeOver:
      return event.step?.card.timing.duration == nil ? "goal of \(title) reached" : "time of \(title) is over"
    case .paused(nil): return "paused \(title)"
    case .paused(let cause?): return "paused \(title): \(AbsenceText.goes(cause))"
    case .resumed: return "resumed \(title)"
    case .extended(let target): return "\(title) lasts \(DurationText.format(target)) now"
    case .ended(let outcome): return outcome.rawValue
    }
  }

  /// A duration as `h:mm:ss.mmm`, rounded down.
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
