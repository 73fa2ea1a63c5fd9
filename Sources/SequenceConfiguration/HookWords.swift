import FoundationEssentials
import SequencePlatform
package import SequencePresentation
package import SequenceRunner

/// An event as hooks get it: in templates and in the environment; no value has a control character.
package struct HookWords: Equatable, Sendable {
  private let fields: [TemplateField: String]
  private let variables: [HookVariable: String]

  package init(_ event: RunEvent, in run: ActiveRunSnapshot) {
    let view = RunView(run, at: event)
    let position = view.position
    fields = Dictionary(
      uniqueKeysWithValues: TemplateField.allCases.map { field in
        let value = field.value(of: event) ?? field.value(of: view)
        return (field, TextSafety.sanitised(value))
      })
    let seconds = { (duration: Duration, up: Bool) in
      String((duration.nanoseconds + (up ? 999_999_999 : 0)) / 1_000_000_000)
    }
    let outcome = if case .stepEnd(let outcome) = event.kind { outcome.rawValue } else { "" }
    let text = { (number: Int?) in number.map { String($0) } ?? "" }
    variables = [
      .event: event.kind.name.rawValue,
      .at: event.at.wall.description,
      .runID: run.runID.uuidString,
      .runName: run.name,
      .title: view.sequence,
      .cardTitle: view.title,
      .cardNote: view.note ?? "",
      .stepNumber: String(position.step.number),
      .stepCount: text(position.stepCount),
      .round: text(position.step.rounds.last?.round),
      .rounds: text(position.step.rounds.last?.of),
      .nextTitle: view.next?.title ?? "",
      .duration: event.target.map { seconds($0, true) } ?? "",
      .elapsed: seconds(event.elapsed, false),
      .remaining: event.remaining.map { seconds($0, true) } ?? "",
      .outcome: outcome,
    ].mapValues { TextSafety.sanitised($0) }
  }

  package subscript(_ variable: HookVariable) -> String { variables[variable] ?? "" }

  /// The environment variables, each as `NAME=value`.
  package var environment: [String] { HookVariable.allCases.map { "\($0.rawValue)=\(self[$0])" } }

  /// A template with its fields filled, as one argument of a program.
  ///
  /// A value with a hyphen at the beginning gets a space before it: a title must not become an option.
  package func filled(_ template: Template) -> String {
    let value = { (field: TemplateField) in fields[field] ?? "" }
    let text = template.filled(with: value)
    // By bytes, as a program reads it: with an accent on it "-" is another character to Swift.
    let looksLikeOption = text.utf8.first == UInt8(ascii: "-")
    return looksLikeOption && template.beginsWithValue(value) ? " " + text : text
  }
}

package enum HookVariable: String, CaseIterable, Sendable {
  case event = "SEQUENCE_EVENT"
  case at = "SEQUENCE_AT"
  case runID = "SEQUENCE_RUN_ID"
  case runName = "SEQUENCE_RUN_NAME"
  case title = "SEQUENCE_TITLE"
  case cardTitle = "SEQUENCE_CARD_TITLE"
  case cardNote = "SEQUENCE_CARD_NOTE"
  case stepNumber = "SEQUENCE_STEP_NUMBER"
  case stepCount = "SEQUENCE_STEP_COUNT"
  case round = "SEQUENCE_ROUND"
  case rounds = "SEQUENCE_ROUNDS"
  case nextTitle = "SEQUENCE_NEXT_TITLE"
  case duration = "SEQUENCE_DURATION"
  case elapsed = "SEQUENCE_ELAPSED"
  case remaining = "SEQUENCE_REMAINING"
  case outcome = "SEQUENCE_OUTCOME"
}
