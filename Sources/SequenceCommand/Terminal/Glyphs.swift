extension DisplayStyle.Glyphs {
  /// The mark for text that was cut off.
  var ellipsis: Character { self == .unicode ? "…" : "~" }

  /// The separator between items on one line.
  var separator: String { self == .unicode ? " · " : " - " }

  /// The marks for a past round, the current round and an upcoming round.
  var rounds: (done: String, now: String, ahead: String) {
    self == .unicode ? ("●", "◉", "○") : ("#", ">", ".")
  }

  /// Returns a progress bar that is filled from the left.
  ///
  /// The filled part and the track are separate, so that they can have different inks.
  ///
  /// - Parameters:
  ///   - progress: the filled part, from 0 to 1.
  ///   - columns: the width of the bar.
  func bar(_ progress: Double, columns: Int) -> (filled: String, track: String) {
    let part = progress.isFinite ? min(max(progress, 0), 1) : 0
    switch self {
    case .unicode:
      // Rounded down, so that the bar is full only at the end.
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
