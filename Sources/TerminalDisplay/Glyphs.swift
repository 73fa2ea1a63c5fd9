extension DisplayStyle.Glyphs {
  /// What stands for text that was cut off.
  package var ellipsis: Character { self == .unicode ? "…" : "~" }

  /// What stands between things on one line.
  var separator: String { self == .unicode ? " · " : " - " }

  /// A round that is over, the present one, and one to come.
  var rounds: (done: String, now: String, ahead: String) {
    self == .unicode ? ("●", "◉", "○") : ("#", ">", ".")
  }

  /// A bar of a number of columns, filled from the left to a part from 0 to 1.
  ///
  /// The filled part and the track come apart, so that they can have different inks.
  package func bar(_ progress: Double, columns: Int) -> (filled: String, track: String) {
    let part = progress.isFinite ? min(max(progress, 0), 1) : 0
    switch self {
    case .unicode:
      // Rounded down: the bar is full only when the thing is over.
      let eighths = Int(part * Double(columns * 8))
      let (full, rest) = eighths.quotientAndRemainder(dividingBy: 8)
      let filled = String(repeating: "█", count: full) + (rest > 0 ? Self.eighths[rest - 1] : "")
      return (filled, String(repeating: "░", count: columns - full - (rest > 0 ? 1 : 0)))
    case .ascii:
      let full = Int(part * Double(columns))
      return (String(repeating: "#", count: full), String(repeating: "-", count: columns - full))
    }
  }

  private static let eighths = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
