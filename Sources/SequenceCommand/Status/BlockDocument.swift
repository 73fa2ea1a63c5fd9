import SequencePresentation
import SequenceRunner

/// A block of the i3bar protocol, with the additional fields of i3status-rust.
struct BlockDocument: Encodable {
  let fullText: String
  /// The text if there is not enough room for all blocks.
  let shortText: String
  /// The markup of both texts.
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
