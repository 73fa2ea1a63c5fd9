/// The escape sequences that the display writes in addition to its text.
enum ScreenSequences {
  /// The lines and the title that a terminal shows.
  struct Contents: Equatable {
    var lines: [String]
    var title = ""
  }

  /// Starts the display: alternate screen, hidden cursor, no line wrap, focus reports, marked pastes; saves the title,
  /// and asks for the background.
  static func enter(_ style: DisplayStyle) -> String {
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1004h\u{1B}[?2004h"
      + (style.takesStrings ? "\u{1B}[22;2t" : "") + (asks(style) ? question : "")
  }

  /// Undoes all changes of `enter` and `update(from:to:)`; the alternate screen is left last.
  ///
  /// The title is emptied before it is restored, because some terminals keep no former title.
  static func leave(_ style: DisplayStyle) -> String {
    "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?7h\u{1B}[?25h"
      + (style.takesStrings ? title("") + "\u{1B}[23;2t" : "") + "\u{1B}[?1049l"
  }

  /// Whether `enter` asks the terminal a question.
  static func asks(_ style: DisplayStyle) -> Bool { style.takesStrings && style.colors != .none }

  /// The questions for the color of the background, and for the kind of the terminal: every terminal answers the second, so
  /// that its answer is the end of the first one's, or means that there is none.
  private static let question = "\u{1B}]11;?\u{7}\u{1B}[c"

  /// - Parameter text: a text without control characters.
  private static func title(_ text: String) -> String { "\u{1B}]2;\(text)\u{7}" }

  /// Returns the text that changes the screen from some contents to others; empty if they are equal.
  ///
  /// Without old contents the whole screen is drawn. A line is erased before it is written, because erasing
  /// afterwards would remove the last character of a line that is as wide as the screen. The terminal is
  /// asked to show the update at once (private mode 2026); terminals without this mode ignore that.
  static func update(from old: Contents?, to new: Contents) -> String {
    let changed = new.title == (old?.title ?? "") ? "" : title(new.title)
    let lines = update(from: old?.lines, to: new.lines)
    return changed + (lines.isEmpty ? "" : "\u{1B}[?2026h\(lines)\u{1B}[?2026l")
  }

  private static func update(from old: [String]?, to new: [String]) -> String {
    var text = old == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    for row in 0..<max(old?.count ?? 0, new.count) {
      let line = row < new.count ? new[row] : ""
      if let old, row < old.count ? old[row] == line : line.isEmpty { continue }
      text += "\u{1B}[\(row + 1);1H\u{1B}[2K" + line
    }
    return text
  }
}
