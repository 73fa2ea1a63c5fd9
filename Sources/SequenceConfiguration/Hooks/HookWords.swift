import FoundationEssentials
import Platform
package import SequenceRunner

/// What a hook is told of something that happened, field by field; none has a control character.
package struct HookWords: Equatable, Sendable {
  private let values: [HookField: String]

  /// - Parameter run: the run that it happened in, at any time.
  package init(_ event: RunEvent, in run: ActiveRunSnapshot) {
    let timeline = run.timeline
    let step = timeline.step(at: event.step)
    let isOver = if case .ended = event.kind { true } else { false }
    let hasNext = !isOver && step.index + 1 < timeline.count
    let seconds = { (duration: Duration, up: Bool) in
      String((duration.nanoseconds + (up ? 999_999_999 : 0)) / 1_000_000_000)
    }
    values = [
      .event: event.kind.name.rawValue,
      .at: event.at.description,
      .runID: run.runID.uuidString,
      .sequenceTitle: run.sequence.title,
      .cardTitle: step.card.title,
      .cardNote: step.card.note ?? "",
      .stepIndex: String(step.index + 1),
      .stepCount: String(timeline.count),
      .round: step.rounds.last.map { String($0.round) } ?? "",
      .rounds: step.rounds.last.map { String($0.of) } ?? "",
      .nextTitle: hasNext ? timeline.card(at: step.index + 1).title : "",
      .duration: event.target.map { seconds($0, true) } ?? "",
      .elapsed: seconds(event.elapsed, false),
      .remaining: event.remaining.map { seconds($0, true) } ?? "",
    ].mapValues(TextSafety.sanitised)
  }

  package subscript(_ field: HookField) -> String { values[field] ?? "" }

  /// The environment variables that say the same, each as `NAME=value`.
  package var environment: [String] { HookField.allCases.map { "\($0.variable)=\(self[$0])" } }
}
