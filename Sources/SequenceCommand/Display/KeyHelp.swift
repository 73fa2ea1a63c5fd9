/// The line that tells which keys do what.
enum KeyHelp {
  /// As many keys as fit, those that matter now before the others.
  static func line(_ state: DisplayModel.State, columns: Int, glyphs: DisplayStyle.Glyphs) -> StyledLine {
    var entries = entries(state)
    while entries.count > 1, line(entries).columns > columns {
      // The last key is the way out: what stands before it goes first.
      entries.remove(at: entries.count - 2)
    }
    return line(entries)
  }

  private static func line(_ entries: [(key: String, meaning: String)]) -> StyledLine {
    var line = StyledLine()
    for (key, meaning) in entries {
      if line.columns > 0 { line.append("   ") }
      line.append(key, .strong)
      line.append(" \(meaning)", .dim)
    }
    return line
  }

  private static func entries(_ state: DisplayModel.State) -> [(key: String, meaning: String)] {
    let moves = [("n", "next"), ("s", "skip"), ("b", "back"), ("+ -", "time")]
    switch state {
    case .running: return [("space", "pause")] + moves + [("q", "leave it running")]
    case .paused: return [("space", "resume")] + moves + [("q", "leave it paused")]
    case .finished, .stopped: return [("q", "close")]
    }
  }
}
