/// The escape sequences that the display writes in addition to its text.
enum ScreenSequences {
  /// Starts the display: alternate screen, hidden cursor, no line wrap, focus reports, marked pastes.
  static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1004h\u{1B}[?2004h"
  /// Undoes all changes of `enter` and `update(from:to:)`; the alternate screen is left last.
  static let leave =
    "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Returns the text that changes the screen from some lines to others; empty if they are equal.
  ///
  /// Without old lines the whole screen is drawn. A line is erased before it is written, because erasing
  /// afterwards would remove the last character of a line that is as wide as the screen. The terminal is
  /// asked to show the update at once (private mode 2026); terminals without this mode ignore that.
  static func update(from old: [String]?, to new: [String]) -> String {
    var text = old == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    for row in 0..<max(old?.count ?? 0, new.count) {
      let line = row < new.count ? new[row] : ""
      if let old, row < old.count ? old[row] == line : line.isEmpty { continue }
      text += "\u{1B}[\(row + 1);1H\u{1B}[2K" + line
    }
    return text.isEmpty ? "" : "\u{1B}[?2026h\(text)\u{1B}[?2026l"
  }
}
