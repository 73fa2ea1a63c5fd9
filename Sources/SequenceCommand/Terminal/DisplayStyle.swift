import SequencePlatform
import SequencePresentation
import SequenceRunner

struct DisplayStyle: Equatable, Sendable {
  var colors: Colors
  var glyphs: Glyphs
  /// Whether the terminal takes a title and questions about itself, or at least skips them; others print them.
  var takesStrings = false
  /// The color of the background; `nil` if the terminal hasn't told.
  var background: TerminalColor?

  enum Colors: Equatable, Sendable {
    /// No colors and no bold text: the output has no escape sequences.
    case none
    /// The 16 colors, whose shades the terminal chooses.
    case sixteen
    case palette
  }

  enum Glyphs: Equatable, Sendable {
    case unicode
    case ascii
  }

  static let plain = DisplayStyle(colors: .none, glyphs: .unicode)

  /// Detects the capabilities from the environment of a process.
  ///
  /// `NO_COLOR` (no-color.org) counts if it is not empty. ASCII is used for a locale that is not UTF-8 and
  /// for the Linux console, because its fonts have too few block characters.
  static func detect(environment: EnvironmentVariables) -> DisplayStyle {
    let terminal = environment["TERM"] ?? ""
    return DisplayStyle(
      colors: colors(environment), glyphs: glyphs(environment), takesStrings: takesStrings(terminal),
      // The Linux console doesn't answer questions about its colors.
      background: terminal == "linux" ? .black : nil)
  }

  /// Whether a terminal doesn't print control strings: old versions of the Linux console, Emacs and terminals from before
  /// xterm do.
  private static func takesStrings(_ terminal: String) -> Bool {
    !["", "dumb", "ansi"].contains(terminal)
      && !["linux", "eterm", "vt", "cons", "sun"].contains { terminal.hasPrefix($0) }
  }

  private static func colors(_ environment: EnvironmentVariables) -> Colors {
    let terminal = environment["TERM"] ?? ""
    guard (environment["NO_COLOR"] ?? "").isEmpty, !["", "dumb"].contains(terminal) else { return .none }
    // Terminals with 24 bits, and tmux in every terminal, take the numbers of the palette.
    let hasPalette =
      ["truecolor", "24bit"].contains(environment["COLORTERM"]) || environment["TMUX"]?.isEmpty == false
      || terminal.hasSuffix("-direct") || has("256color", in: terminal)
    return hasPalette ? .palette : .sixteen
  }

  private static func glyphs(_ environment: EnvironmentVariables) -> Glyphs {
    guard !["linux", "dumb"].contains(environment["TERM"]) else { return .ascii }
    // The first of these that is set and not empty decides, as in setlocale(3).
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.compactMap { environment[$0] }.first { !$0.isEmpty }
    let codeset = (locale ?? "").lowercased().filter { $0 != "-" }
    return has("utf8", in: codeset) ? .unicode : .ascii
  }

  /// `contains` makes types at run time, which takes a tenth of the run time of a short command.
  private static func has(_ part: String, in text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: part.utf8) }
  }
}

extension DisplayStyle.Glyphs {
  var ellipsis: Character { self == .unicode ? "…" : "~" }

  var separator: String { self == .unicode ? " · " : " - " }

  var rounds: (done: String, now: String, ahead: String) {
    self == .unicode ? ("●", "◉", "○") : ("#", ">", ".")
  }

  /// The levels of a day in a map, from none to the highest.
  var levels: [String] {
    self == .unicode ? ["·", "░", "▒", "▓", "█"] : [".", "-", "+", "*", "#"]
  }

  /// The filled part and the track are separate, so that they can have different inks.
  ///
  /// - Parameters:
  ///   - progress: the filled part, from 0 to 1.
  ///   - columns: the width of the bar.
  ///   - isThin: whether it is a line, as for a rest.
  func bar(_ progress: Double, columns: Int, isThin: Bool = false) -> (filled: String, track: String) {
    let part = progress.isFinite ? min(max(progress, 0), 1) : 0
    switch self {
    case .unicode where isThin:
      let (full, rest) = Int(part * Double(columns * 2)).quotientAndRemainder(dividingBy: 2)
      let filled = String(repeating: "━", count: full) + (rest > 0 ? "╸" : "")
      return (filled, String(repeating: "─", count: columns - full - rest))
    case .unicode:
      // Rounded down, so that the bar is full only at the end.
      let eighths = Int(part * Double(columns * 8))
      let (full, rest) = eighths.quotientAndRemainder(dividingBy: 8)
      let filled = String(repeating: "█", count: full) + (rest > 0 ? Self.eighths[rest - 1] : "")
      return (filled, String(repeating: "░", count: columns - full - (rest > 0 ? 1 : 0)))
    case .ascii:
      let full = Int(part * Double(columns))
      let (mark, track) = isThin ? ("=", ".") : ("#", "-")
      return (String(repeating: mark, count: full), String(repeating: track, count: columns - full))
    }
  }

  private static let eighths = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
