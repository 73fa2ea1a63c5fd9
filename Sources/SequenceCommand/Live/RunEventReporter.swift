import FoundationEssentials
import Platform
import Presentation
import SequenceRunner

/// Reports the events of a run between two statuses.
struct RunEventReporter {
  let runID: String
  private let startedAt: Moment
  private let timeline: Timeline
  /// The first step whose events are reported.
  private let firstStep: Int
  private var cursor: RunCursor?

  /// A reporter that starts with the current step of a run.
  init(_ run: ActiveRunSnapshot) {
    runID = run.runID.uuidString
    startedAt = run.startedAt
    timeline = run.timeline
    firstStep = run.log.count
  }

  /// The events until a status of the active run.
  mutating func events(_ run: ActiveRunSnapshot, at reading: ClockReading) -> [RunEvent] {
    let known =
      cursor ?? RunCursor(runID: run.runID, startedAt: startedAt, place: .before(step: firstStep))
    let start =
      cursor == nil
      ? [RunEvent(kind: .runStart, step: 0, at: reading.at(startedAt), elapsed: .zero, target: nil)] : []
    cursor = RunCursor(run, at: reading)
    return start + RunNews().events(after: known, until: run, at: reading).filter(\.isReported)
  }

  /// The events until the end of the run.
  mutating func events(_ ended: EndedRun, at reading: ClockReading) -> [RunEvent] {
    let known =
      cursor ?? RunCursor(runID: ended.snapshot.runID, startedAt: startedAt, place: .before(step: firstStep))
    cursor = RunCursor(ended)
    return RunNews().events(after: known, until: ended, at: reading).filter(\.isReported)
  }

  /// A line for an event: its time after the start of the run, and its text.
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

  /// - Parameter target: the duration or the goal at the event, with the time the user added.
  private func document(_ step: Step, target: Duration?) -> EventDocument.StepDocument {
    let timing = step.card.timing
    return .init(
      number: step.number, count: timeline.count, rounds: step.rounds, card: CardDocument(step.card),
      duration: timing.duration == nil ? nil : target?.seconds,
      goal: timing.goal == nil ? nil : target?.seconds)
  }
}

extension RunEvent {
  /// Whether `run` prints the event.
  fileprivate var isReported: Bool {
    switch kind {
    case .half, .last, .reminder, .stepEnd: false
    case .runStart, .stepStart, .goal, .overtime, .paused, .resumed, .extended, .ended: true
    }
  }

  /// Whether the event belongs to a step, and not to the run as a whole.
  fileprivate var isOfStep: Bool {
    switch kind {
    case .runStart, .ended: false
    case .stepStart, .half, .last, .goal, .reminder, .overtime, .paused, .resumed, .extended, .stepEnd: true
    }
  }
}

/// The document of an event in `run --json`.
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
    let count: Int
    let rounds: [Step.Round]
    let card: CardDocument
    let duration: Double?
    let goal: Double?
  }
}

/// The text of events.
enum EventText {
  /// The name of the reason of a pause; `nil` if the user paused the run.
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
    case .overtime: return "time of \(title) is up"
    case .paused(nil): return "paused \(title)"
    case .paused(let cause?): return "paused \(title): \(SuspendText.goes(cause))"
    case .resumed: return "resumed \(title)"
    case .extended(let target): return "\(title) now lasts \(DurationText.shown(target))"
    case .ended(let outcome): return outcome.rawValue
    case .half, .last, .reminder, .stepEnd: return "\(event.kind.name.rawValue) of \(title)"
    }
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
