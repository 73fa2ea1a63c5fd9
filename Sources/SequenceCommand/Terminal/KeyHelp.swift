import SequencePresentation

/// The line with the help on keys.
enum KeyHelp {
  /// Returns help on as many keys as fit, the most useful keys first.
  static func line(_ view: RunView, columns: Int) -> StyledLine {
    let inFull = line(entries(view, isShort: false), gap: 3)
    guard inFull.columns > columns else { return inFull }
    var entries = entries(view, isShort: true)
    while entries.count > 1, line(entries, gap: 2).columns > columns {
      // The last key leaves the display, so keys before it are dropped first.
      entries.remove(at: entries.count - 2)
    }
    return line(entries, gap: 2)
  }

  private static func line(_ entries: [(key: String, meaning: String)], gap: Int) -> StyledLine {
    var line = StyledLine()
    for (key, meaning) in entries {
      if line.columns > 0 { line.append(String(repeating: " ", count: gap)) }
      line.append(key, .strong)
      line.append(" \(meaning)", .dim)
    }
    return line
  }

  private static func entries(
    _ view: RunView, isShort: Bool
  ) -> [(key: String, meaning: String)] {
    let moves = [("n", "next"), ("s", "skip"), ("b", "back"), ("+ -", "time")]
    guard view.isPaused else {
      return [("space", "pause")] + moves + [("q", isShort ? "leave" : "leave it running")]
    }
    let count = view.canCountSuspend ? [("c", "count it")] : []
    return [("space", "resume")] + count + moves + [("q", isShort ? "leave" : "leave it paused")]
  }
}
