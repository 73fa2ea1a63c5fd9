import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceFiles
import SequenceRunner

/// The field of the quick timer, with a line below it that says how the text is understood.
final class QuickTimer {
  let widget: Widget
  private let field: Entry
  private let line: Label
  private let clock: any ClockSource
  /// Writes the line again, because its end moves with the clock.
  private var update: LoopSource?
  /// Starts a timer.
  var onStart: (Timeline) -> Void = { _ in }

  init(_ clock: any ClockSource) throws(ToolkitError) {
    self.clock = clock
    let interface = try Interface(PackageResources.quick_ui)
    widget = try interface.object("quick_timer")
    field = try interface.object("quick")
    line = try interface.object("quick_line")
    field.onActivate { [unowned self] in start(field.text) }
    field.onChange { [unowned self] in showLine() }
    try (interface.object("quick_start") as Button).onClicked { [unowned self] in start(field.text) }
  }

  /// Starts the timer that a text means, or shows its mistake.
  func start(_ text: String) {
    do {
      let timeline = try CardSpec.timer(text)
      field.text = ""
      onStart(timeline)
    } catch {
      show(line: Explanation(error).sentence, isMistake: true)
      field.grabFocus()
    }
  }

  /// Shows how the text of the field is understood.
  func showLine() {
    let now = clock.now().wall
    show(line: QuickTimer.line(field.text, at: now), isMistake: false)
    guard line.isVisible else { return }
    let second = Int(now.microseconds / 1_000_000 % 60)
    update = LoopSource.after(seconds: 60 - second) { [unowned self] in showLine() }
  }

  /// Stops the updates of the line while the field is hidden.
  func pause() { update = nil }

  private func show(line text: String?, isMistake: Bool) {
    update = nil
    line.text = text ?? ""
    line.set(class: "error", isMistake)
    line.set(class: "dim-label", !isMistake)
    line.isVisible = text != nil
  }

  /// Returns how a text is understood, such as `“Tea” for 5 min, until 14:35`, or what is missing; `nil` for a blank
  /// text.
  static func line(_ text: String, at now: Moment) -> String? {
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    do throws(CardSpecError) {
      let card = try CardSpec.timer(text).card(at: 0)
      let length = card.timing.duration ?? .zero
      return TextSafety.sanitised(
        "“\(card.title)” for \(LengthText.format(length)), until \(EndText.clock(now, after: length))")
    } catch {
      return Explanation(error).sentence
    }
  }

  func focus() { field.grabFocus() }
}
