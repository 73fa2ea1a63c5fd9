import FoundationEssentials
import Platform
package import SequenceRunner

/// What a template can show of a run, and of an event in it, by the name that stands in its braces.
package enum TemplateField: String, CaseIterable, Sendable {
  case state, sequence, step, note, time, elapsed, remaining, duration, overtime, percent, number, count,
    round,
    rounds, next, paused, event, at
  case runID = "run.id"
  case totalElapsed = "total.elapsed"
  case totalRemaining = "total.remaining"

  /// The names of all fields, as a message lists them.
  package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// What it says where there is no run.
  package var idleValue: String { self == .state ? "idle" : "" }

  /// What it says of a run that stands at a position; nothing where it has no meaning.
  package func value(of run: ActiveRunSnapshot, at position: RunPosition) -> String {
    switch self {
    case .state: position.state.rawValue
    case .sequence: run.sequence.title
    case .step: position.step.card.title
    case .note: position.step.card.note ?? ""
    case .time: position.timeText
    case .elapsed: ClockText.elapsed(position.elapsed)
    case .remaining: position.remaining.map { ClockText.remaining($0) } ?? ""
    case .duration: position.target.map { ClockText.remaining($0) } ?? ""
    case .overtime: position.isPastTarget ? ClockText.elapsed(position.overtime) : ""
    case .percent: position.percent.map { String($0) } ?? ""
    case .number: String(position.step.number)
    case .count: String(position.stepCount)
    case .round: position.step.rounds.last.map { String($0.round) } ?? ""
    case .rounds: position.step.rounds.last.map { String($0.of) } ?? ""
    case .next: position.next?.card.title ?? ""
    case .paused: position.state == .paused ? "paused" : ""
    case .event, .at: ""
    case .runID: run.runID.uuidString
    case .totalElapsed: ClockText.elapsed(position.totalElapsed)
    case .totalRemaining: position.totalRemaining.map { ClockText.remaining($0) } ?? ""
    }
  }

  /// Its value for an event; `nil` if it is about the run.
  package func value(of event: RunEvent) -> String? {
    switch self {
    case .event: event.kind.name.rawValue
    case .at: event.at.description
    case .state, .sequence, .step, .note, .time, .elapsed, .remaining, .duration, .overtime, .percent,
      .number,
      .count,
      .round, .rounds, .next, .paused, .runID, .totalElapsed, .totalRemaining:
      nil
    }
  }

  /// The clock that it changes with while the step goes on; none if it stays as it is.
  package var beats: VisibleClocks {
    switch self {
    case .time, .percent: .time
    case .elapsed: .elapsed
    case .remaining: .remaining
    case .overtime: .overtime
    case .totalElapsed: .totalElapsed
    case .totalRemaining: .totalRemaining
    case .state, .sequence, .step, .note, .duration, .number, .count, .round, .rounds, .next, .paused, .event,
      .at,
      .runID:
      []
    }
  }
}

extension RunPosition {
  /// What the clock of the step shows: what is left, what is over, or what has gone by.
  package var timeText: String {
    guard let remaining else { return ClockText.elapsed(elapsed) }
    return remaining > .zero ? ClockText.remaining(remaining) : "+" + ClockText.elapsed(overtime)
  }

  /// How much of the step is done, from 0 to 100, by the seconds that are shown; `nil` without a duration or goal.
  ///
  /// So it changes with the shown second, and not five times a second in a step of 20 s.
  package var percent: Int? {
    guard let target else { return nil }
    let done =
      remaining.map { target - .seconds(ClockText.wholeSecondsUp($0)) }
      ?? .seconds(ClockText.wholeSecondsDown(elapsed))
    return Int(min(100, max(0, done.seconds / target.seconds * 100)))
  }

  /// Whether the duration or the goal has been reached.
  package var isPastTarget: Bool { target.map { elapsed >= $0 } ?? false }
}
