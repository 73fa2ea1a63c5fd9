import FoundationEssentials
import Platform
import Presentation
import SequenceRunner

/// Tells those who read along what happened in a run between two looks at it.
struct RunEventReporter {
  let runID: String
  private let startedAt: Moment
  private let timeline: Timeline
  /// The step from which on it tells.
  private let firstStep: Int
  private var cursor: RunCursor?

  /// Reports on a run from its present step on.
  init(_ run: ActiveRunSnapshot) {
    runID = run.runID.uuidString
    startedAt = run.startedAt
    timeline = run.timeline
    firstStep = run.log.count
  }

  /// What happened until a look at the run, which is active.
  mutating func events(_ run: ActiveRunSnapshot, at reading: ClockReading) -> [RunEvent] {
    let known =
      cursor ?? RunCursor(runID: run.runID, startedAt: startedAt, place: .before(step: firstStep))
    let start =
      cursor == nil
      ? [RunEvent(kind: .runStart, step: 0, at: reading.at(startedAt), elapsed: .zero, target: nil)] : []
    cursor = RunCursor(run, at: reading)
    return start + RunNews().events(after: known, until: run, at: reading).filter(\.isReported)
  }

  /// What happened until the end of the run.
  mutating func events(_ ended: EndedRun, at reading: ClockReading) -> [RunEvent] {
    let known =
      cursor ?? RunCursor(runID: ended.snapshot.runID, startedAt: startedAt, place: .before(step: firstStep))
    cursor = RunCursor(ended)
    return RunNews().events(after: known, until: ended, at: reading).filter(\.isReported)
  }

  /// A line for an event: how long after the start it happened, and what.
  func line(_ event: RunEvent) -> String {
    let offset = EventText.offset(event.at.wall.duration(since: startedAt))
    return "\(offset)  \(EventText.what(event, timeline))"
  }

  /// A document for an event.
  func document(_ event: RunEvent) -> EventDocument {
    EventDocument(
      event: event.kind.name.rawValue, at: event.at.wall.description, reason: EventText.reason(event.kind),
      offset: event.at.wall.duration(since: startedAt).seconds, run: runID,
      step: event.isOfStep ? document(timeline.step(at: event.step), target: event.target) : nil)
  }

  /// - Parameter target: the duration or the goal at the event, with what the user added.
  private func document(_ step: Step, target: Duration?) -> EventDocument.StepDocument {
    let timing = step.card.timing
    return .init(
      number: step.number, count: timeline.count, rounds: step.rounds, card: CardDocument(step.card),
      duration: timing.duration == nil ? nil : target?.seconds,
      goal: timing.goal == nil ? nil : target?.seconds)
  }
}

extension RunEvent {
  /// Whether those who read along are told of it.
  fileprivate var isReported: Bool {
    switch kind {
    case .half, .last, .reminder, .stepEnd: false
    case .runStart, .stepStart, .goal, .overtime, .paused, .resumed, .extended, .ended: true
    }
  }

  /// Whether it is about a step, and not about the run as a whole.
  fileprivate var isOfStep: Bool {
    switch kind {
    case .runStart, .ended: false
    case .stepStart, .half, .last, .goal, .reminder, .overtime, .paused, .resumed, .extended, .stepEnd: true
    }
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
    let number: Int
    let count: Int
    let rounds: [Step.Round]
    let card: CardDocument
    let duration: Double?
    let goal: Double?
  }
}

/// The text of events.
enum EventText {
  /// Why what happened did, where that has a name.
  static func reason(_ kind: RunEvent.Kind) -> String? {
    guard case .paused(let cause) = kind else { return nil }
    return cause?.name
  }

  static func what(_ event: RunEvent, _ timeline: Timeline) -> String {
    let step = timeline.step(at: event.step)
    let title = quote(step.card.title)
    switch event.kind {
    case .runStart:
      return "started \(quote(timeline.definition.title)), \(StepText.count(timeline.count))"
    case .stepStart:
      let rounds = StepText.rounds(step).map { ", \($0)" }.joined()
      return "step \(step.number) of \(timeline.count): \(title), \(StepText.length(step.card))\(rounds)"
    case .goal: return "goal of \(title) reached"
    case .overtime: return "time of \(title) is over"
    case .paused(nil): return "paused \(title)"
    case .paused(let cause?): return "paused \(title): \(SuspendText.goes(cause))"
    case .resumed: return "resumed \(title)"
    case .extended(let target): return "\(title) lasts \(DurationText.shown(target)) now"
    case .ended(let outcome): return outcome.rawValue
    case .half, .last, .reminder, .stepEnd: return "\(event.kind.name.rawValue) of \(title)"
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
