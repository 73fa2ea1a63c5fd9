import SequenceClient
import SequencePlatform
import SequencePresentation
import SequenceRunner

enum StatusBar: String, CaseIterable, Sendable {
  /// Waybar's custom module with `"return-type": "json"`.
  case waybar
  /// One block of the protocol of i3bar and swaybar, also for i3blocks and i3status-rust.
  case i3status
  /// Polybar's `custom/script`.
  case polybar
  case tmux
  case plain

  static let usualTemplate = "{step:.30} {time}{paused? paused}"

  /// The clocks that change the line, in addition to those of its template.
  var clocks: VisibleClocks {
    switch self {
    case .waybar: [.time, .totalRemaining]
    case .i3status: .time
    case .polybar, .tmux, .plain: []
    }
  }

  func line(_ status: RunStatus, _ template: Template) throws -> String {
    let text = status.run == nil ? "" : template.filled(with: status, escape: escaped)
    return switch self {
    case .waybar: try JSONText.encode(WaybarDocument(status, text: text))
    case .i3status: try JSONText.encode(BlockDocument(status, text: text))
    case .polybar, .tmux, .plain: text
    }
  }

  func line(_ failure: Failure) throws -> String {
    let text = "sequence: error"
    return switch self {
    case .waybar: try JSONText.encode(WaybarDocument(failure, text: text))
    case .i3status: try JSONText.encode(BlockDocument(failureText: text))
    case .polybar, .tmux, .plain: text
    }
  }

  func escaped(_ text: String) -> String {
    switch self {
    case .waybar, .i3status: TextSafety.escapedMarkup(text)
    case .polybar: BarMarkup.polybar(text)
    case .tmux: BarMarkup.tmux(text)
    case .plain: text
    }
  }
}

/// Escapes text for the markup of status bars, because markup in a title could run a command on a click.
enum BarMarkup {
  /// Escapes a text for Polybar, whose tags begin with `%{`.
  ///
  /// Polybar has no escape for these two characters. An empty tag, which moves the following text by nothing, separates
  /// them, even if one of them is at the end of the text and the other comes from the template.
  static func polybar(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "{" { escaped.append(contentsOf: emptyTag) }
      escaped.append(scalar)
    }
    if text.unicodeScalars.last == "%" { escaped.append(contentsOf: emptyTag) }
    return String(escaped)
  }

  /// Escapes a text for tmux, whose styles begin with `#[`, by doubling the sign.
  ///
  /// By scalars, because a sign with a combining accent is another character to Swift, but not to tmux.
  static func tmux(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { escaped += scalar == "#" ? [scalar, scalar] : [scalar] }
    return String(escaped)
  }

  private static let emptyTag = "%{O}".unicodeScalars
}

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

  private static func others(_ status: RunStatus) -> [String] {
    status.statuses.filter { $0.run?.runID != status.run?.runID }.compactMap(RunView.init)
      .map { "\(TextSafety.isolated($0.runName)): \($0.line)" }
  }

  private static func tooltip(_ view: RunView) -> [String] {
    let next = view.next.map {
      translated("Next: {title}, {length}", ["title": TextSafety.isolated($0.title), "length": $0.length])
    }
    let left = view.position.totalRemaining.map { translated("{} left in all", ClockText.remaining($0)) }
    let times = [left, view.lateness].compactMap { $0 }
    return [
      view.sequence, "\(TextSafety.isolated(view.title)), \(view.timeInWords)", view.note,
      view.place.joined(separator: ", "),
      next, times.isEmpty ? nil : times.joined(separator: ", "),
    ].compactMap { $0 }
  }
}

/// A block of the i3bar protocol, with the additional fields of i3status-rust.
struct BlockDocument: Encodable {
  let fullText: String
  /// The text if there is not enough room for all blocks.
  let shortText: String
  let markup = "pango"
  /// Whether the step is past its duration or goal and waits for the user.
  let isUrgent: Bool
  /// The same as `fullText`, for i3status-rust.
  let text: String
  /// The state that sets the color of the block in i3status-rust.
  let state: String

  private enum CodingKeys: String, CodingKey {
    case markup, text, state
    case fullText = "full_text"
    case shortText = "short_text"
    case isUrgent = "urgent"
  }

  /// - Parameter text: the text as markup; the bar hides the block if it is empty.
  init(_ status: RunStatus, text: String) {
    self.text = text
    fullText = text
    let view = RunView(status)
    shortText = view?.time ?? ""
    isUrgent = view?.position.state == .overtime
    state =
      switch view?.position.state {
      case .running: "Info"
      case .overtime: "Warning"
      case .paused, nil: "Idle"
      }
  }

  /// - Parameter text: the text as markup.
  init(failureText text: String) {
    self.text = text
    (fullText, shortText, isUrgent, state) = (text, text, false, "Critical")
  }
}
