import Presentation
import SequenceRunner

/// A block of the protocol of i3bar and swaybar, with the fields beside it that i3status-rust reads in their place.
struct BlockDocument: Encodable {
  let fullText: String
  /// What is shown where there is not enough room for all blocks.
  let shortText: String
  /// How the two are read.
  let markup = "pango"
  /// Whether the step is past its time or its goal and waits for the user.
  let isUrgent: Bool
  /// The same as `fullText`, for i3status-rust.
  let text: String
  /// One of the states by which i3status-rust colours a block.
  let state: String

  private enum CodingKeys: String, CodingKey {
    case markup, text, state
    case fullText = "full_text"
    case shortText = "short_text"
    case isUrgent = "urgent"
  }

  /// - Parameter text: what the bar shows, as markup; where it is empty the bar leaves the block out.
  init(_ status: RunStatus, text: String) {
    self.text = text
    fullText = text
    let position = status.position
    shortText = position?.timeText ?? ""
    isUrgent = position?.state == .overtime
    state =
      switch position?.state {
      case .running: "Info"
      case .overtime: "Warning"
      case .paused, nil: "Idle"
      }
  }
}
