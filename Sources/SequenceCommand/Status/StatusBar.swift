import SequencePlatform
import SequencePresentation
import SequenceRunner

/// A status bar and the form of its lines.
enum StatusBar: String, CaseIterable, Sendable {
  /// Waybar's custom module with `"return-type": "json"`.
  case waybar
  /// One block of the protocol of i3bar and swaybar, also for i3blocks and i3status-rust.
  case i3status
  /// Polybar's `custom/script`.
  case polybar
  /// The status line of tmux.
  case tmux
  /// A line of plain text, for bars without markup.
  case plain

  /// The default template.
  static let usualTemplate = "{step:.30} {time}{paused? paused}"

  /// The clocks that change the line, in addition to those of its template.
  var clocks: VisibleClocks {
    switch self {
    case .waybar: [.time, .totalRemaining]
    case .i3status: .time
    case .polybar, .tmux, .plain: []
    }
  }

  /// The line for a status; without a run, a line that makes the bar show nothing.
  func line(_ status: RunStatus, _ template: Template) throws -> String {
    let text = status.run == nil ? "" : template.filled(with: status, escape: escaped)
    return switch self {
    case .waybar: try JSONText.encode(WaybarDocument(status, text: text))
    case .i3status: try JSONText.encode(BlockDocument(status, text: text))
    case .polybar, .tmux, .plain: text
    }
  }

  /// The line for a failure.
  func line(_ failure: Failure) throws -> String {
    let text = "sequence: error"
    return switch self {
    case .waybar: try JSONText.encode(WaybarDocument(failure, text: text))
    case .i3status: try JSONText.encode(BlockDocument(failureText: text))
    case .polybar, .tmux, .plain: text
    }
  }

  /// Escapes a text for the bar.
  func escaped(_ text: String) -> String {
    switch self {
    case .waybar, .i3status: TextSafety.escapedMarkup(text)
    case .polybar: BarMarkup.polybar(text)
    case .tmux: BarMarkup.tmux(text)
    case .plain: text
    }
  }
}
