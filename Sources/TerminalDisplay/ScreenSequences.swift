/// The escape sequences that the display writes beside its text.
enum ScreenSequences {
  /// Alternate screen, cursor hidden, no automatic wrap, focus reports, pasted text marked.
  static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1004h\u{1B}[?2004h"
  /// Everything that `enter` and `update(from:to:)` may have changed, as it was, the screen last.
  static let leave =
    "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// What makes a terminal that shows some lines show others; empty if they are the same.
  ///
  /// Without old lines the whole screen is drawn. A line is erased before it is written: erasing after it
  /// would take the last character of a line as wide as the screen. The terminal is asked to show all of it
  /// at once (private mode 2026); those that do not know the mode ignore it.
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
