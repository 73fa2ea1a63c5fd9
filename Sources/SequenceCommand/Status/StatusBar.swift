import Platform
import Presentation
import SequenceRunner

/// A program that shows the status in a line of the screen, and takes each line of text in a form of its own.
enum StatusBar: String, CaseIterable, Sendable {
  /// Waybar's custom module with `"return-type": "json"`.
  case waybar
  /// One block of the protocol of i3bar and swaybar, as i3blocks and i3status-rust read it too.
  case i3status
  /// Polybar's `custom/script`.
  case polybar
  /// The status line of tmux.
  case tmux
  /// A line of text, for bars that read nothing into it.
  case plain

  /// What is shown unless the user says otherwise.
  static let usualTemplate = "{step:.30} {time}{paused? paused}"

  /// The clocks that the line changes with, besides those of its template.
  var clocks: VisibleClocks {
    switch self {
    case .waybar: [.time, .totalRemaining]
    case .i3status: .time
    case .polybar, .tmux, .plain: []
    }
  }

  /// The line for a look; without a run it is one with which the bar shows nothing.
  func line(_ status: RunStatus, _ template: Template) throws -> String {
    let text = status.run == nil ? "" : template.filled(with: status, escape: escaped)
    return switch self {
    case .waybar: try JSONText.encode(WaybarDocument(status, text: text))
    case .i3status: try JSONText.encode(BlockDocument(status, text: text))
    case .polybar, .tmux, .plain: text
    }
  }

  /// A text from outside as the bar shows it literally.
  func escaped(_ text: String) -> String {
    switch self {
    case .waybar, .i3status: BarMarkup.pango(text)
    case .polybar: BarMarkup.polybar(text)
    case .tmux: BarMarkup.tmux(text)
    case .plain: text
    }
  }
}
