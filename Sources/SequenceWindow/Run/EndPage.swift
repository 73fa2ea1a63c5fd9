import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceRunner

/// The page of a run that has ended on the full screen, readable from a distance.
final class EndPage {
  let widget: Box
  private let title: Label
  private let result: Label
  private let next: Label

  init() throws(ToolkitError) {
    widget = try Box.make(isVertical: true)
    widget.centerVertically()
    title = try Label.make(classes: "title-1")
    result = try Label.make(classes: "numeric")
    next = try Label.make(translated("Press a key to go on"), classes: "dim-label")
    for label in [title, result, next] {
      label.setWraps(lines: 3)
      label.center()
      widget.append(label)
    }
  }

  /// Shows the end of a run on a screen with a height in pixels.
  func show(_ ended: EndedRun, height: Int) {
    let run = EndedRunSummary(ended)
    title.text = TextSafety.sanitised(run.title)
    let outcome =
      switch run.outcome {
      case .finished: translated("Finished")
      case .stopped: translated("Stopped")
      case .lost: translated("Lost")
      }
    let steps = run.steps == 1 || run.outcome == .lost ? [] : [StepText.completed(run)]
    result.text = ([outcome, LengthText.elapsed(run.active)] + steps).joined(separator: " · ")
    title.setTextSize(max(height / 8, 24))
    result.setTextSize(max(height / 14, 18))
    next.setTextSize(max(height / 30, 14))
    widget.setSpacing(height / 24)
    widget.announce([title.text, result.text].joined(separator: ", "))
  }
}
