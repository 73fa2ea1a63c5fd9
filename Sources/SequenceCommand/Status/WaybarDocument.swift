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
    guard let view = RunView(status) else {
      (tooltip, alt, `class`, percentage) = ("", "idle", ["idle"], nil)
      return
    }
    tooltip = (WaybarDocument.tooltip(view) + WaybarDocument.others(status)).map(TextSafety.escapedMarkup)
      .joined(separator: "\n")
    alt = view.position.state.rawValue
    `class` = [alt, CardDocument(view.position.step.card).kind]
    percentage = view.percent
  }

  /// - Parameter text: the text as markup.
  init(_ failure: Failure, text: String) {
    self.text = text
    tooltip = TextSafety.escapedMarkup(TextSafety.sanitised(failure.description))
    (alt, `class`, percentage) = ("error", ["error"], nil)
  }

  /// A line for each other run.
  private static func others(_ status: RunStatus) -> [String] {
    status.statuses.filter { $0.run?.runID != status.run?.runID }.compactMap(RunView.init)
      .map { TextSafety.sanitised("\($0.runName): \($0.line)") }
  }

  private static func tooltip(_ view: RunView) -> [String] {
    let next = view.next.map { "Next: \($0.title), \($0.length)" }
    let left = view.position.totalRemaining.map { "\(ClockText.remaining($0)) left in all" }
    return [
      view.sequence, "\(view.title), \(view.timeInWords)", view.note, view.place.joined(separator: ", "),
      next, left,
    ].compactMap { $0 }
  }
}
