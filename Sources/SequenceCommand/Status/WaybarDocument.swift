import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The document of a custom module of Waybar; `text` and `tooltip` are Pango markup.
struct WaybarDocument: Encodable {
  let text: String
  let tooltip: String
  /// The name of the icon in the module's `format-icons`.
  let alt: String
  let `class`: [String]
  /// The completed part of the step; absent without a duration or a goal.
  let percentage: Int?

  /// - Parameter text: the text as markup; the bar hides the module if it is empty.
  init(_ status: RunStatus, text: String) {
    self.text = text
    guard let run = status.run, let position = status.position else {
      (tooltip, alt, `class`, percentage) = ("", "idle", ["idle"], nil)
      return
    }
    tooltip = (WaybarDocument.tooltip(run, position) + WaybarDocument.others(status)).map { BarMarkup.pango(TextSafety.sanitised($0)) }
      .joined(separator: "\n")
    alt = position.state.rawValue
    `class` = [position.state.rawValue, CardDocument(position.step.card).kind]
    percentage = position.percent
  }

  /// A line for each other run.
  private static func others(_ status: RunStatus) -> [String] {
    status.runs.filter { $0.runID != status.run?.runID }.map { run in
      "\(run.name): \(StepText.line(run.position(at: status.reading)))"
    }
  }

  private static func tooltip(_ run: ActiveRunSnapshot, _ position: RunPosition) -> [String] {
    let card = position.step.card
    let next = position.next.map { "Next: \($0.card.title), \(StepText.length($0.card))" }
    let left = position.totalRemaining.map { "\(ClockText.remaining($0)) left in all" }
    return [
      run.sequence.title, "\(card.title), \(StepText.time(position))", card.note,
      StepText.place(position.step, of: position.stepCount).joined(separator: ", "), next, left,
    ].compactMap { $0 }
  }
}
