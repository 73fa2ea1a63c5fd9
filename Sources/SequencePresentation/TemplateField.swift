import FoundationEssentials
import SequencePlatform
package import SequenceRunner

/// The fields of a run or an event that a template can contain; the raw value is the name in braces.
package enum TemplateField: String, CaseIterable, Sendable {
  case state, sequence, step, note, time, elapsed, remaining, duration, overtime, percent, number, count,
    round,
    rounds, next, paused, until, event, at
  case runID = "run.id"
  case runName = "run.name"
  case totalElapsed = "total.elapsed"
  case totalRemaining = "total.remaining"

  /// The names of all fields, for messages.
  package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// The value while no run is active.
  package var idleValue: String { self == .state ? "idle" : "" }

  /// Returns the value for a run; empty if the field does not apply.
  package func value(of view: RunView) -> String {
    let position = view.position
    return switch self {
    case .state: position.state.rawValue
    case .sequence: view.sequence
    case .step: view.title
    case .note: view.note ?? ""
    case .time: view.time
    case .elapsed: ClockText.elapsed(position.elapsed)
    case .remaining: position.remaining.map { ClockText.remaining($0) } ?? ""
    case .duration: position.target.map { ClockText.remaining($0) } ?? ""
    case .overtime: position.isPastTarget ? ClockText.elapsed(position.overtime) : ""
    case .percent: view.percent.map { String($0) } ?? ""
    case .number: String(position.step.number)
    case .count: position.stepCount.map { String($0) } ?? ""
    case .round: position.step.rounds.last.map { String($0.round) } ?? ""
    case .rounds: position.step.rounds.last?.of.map { String($0) } ?? ""
    case .next: view.next?.title ?? ""
    case .paused: view.isPaused ? "paused" : ""
    case .until: view.stepEnd ?? ""
    case .event, .at: ""
    case .runID: view.runID.uuidString
    case .runName: view.runName
    case .totalElapsed: ClockText.elapsed(position.totalElapsed)
    case .totalRemaining: position.totalRemaining.map { ClockText.remaining($0) } ?? ""
    }
  }

  /// Returns the value for an event; `nil` for a field of the run.
  package func value(of event: RunEvent) -> String? {
    switch self {
    case .event: event.kind.name.rawValue
    case .at: event.at.wall.description
    case .state, .sequence, .step, .note, .time, .elapsed, .remaining, .duration, .overtime, .percent,
      .number,
      .count,
      .round, .rounds, .next, .paused, .until, .runID, .runName, .totalElapsed, .totalRemaining:
      nil
    }
  }

  /// The clock that changes the value within a step; empty if no clock does.
  package var clocks: VisibleClocks {
    switch self {
    case .time, .percent: .time
    case .elapsed: .elapsed
    case .remaining: .remaining
    case .overtime: .overtime
    case .totalElapsed: .totalElapsed
    case .totalRemaining: .totalRemaining
    case .state, .sequence, .step, .note, .duration, .number, .count, .round, .rounds, .next, .paused, .until,
      .event, .at,
      .runID, .runName:
      []
    }
  }
}

extension RunPosition {
  /// Whether the step has reached its duration or goal.
  package var isPastTarget: Bool { target.map { elapsed >= $0 } ?? false }
}
