import SequencePlatform
import SequencePresentation
import SequenceRunner

struct DisplayStyle: Equatable, Sendable {
  var colors: Colors
  var glyphs: Glyphs

  enum Colors: Equatable, Sendable {
    /// No colors and no bold text: the output has no escape sequences.
    case none
    /// The 16 colors with shades chosen by the user.
    case sixteen
    case palette
    case trueColor
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
    DisplayStyle(colors: colors(environment), glyphs: glyphs(environment))
  }

  private static func colors(_ environment: EnvironmentVariables) -> Colors {
    let terminal = environment["TERM"] ?? ""
    guard (environment["NO_COLOR"] ?? "").isEmpty, !["", "dumb"].contains(terminal) else { return .none }
    switch environment["COLORTERM"] {
    case "truecolor", "24bit": return .trueColor
    default: break
    }
    if terminal.hasSuffix("-direct") { return .trueColor }
    return has("256color", in: terminal) ? .palette : .sixteen
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

/// The meaning of a text on the display, which determines its color.
enum Ink: Equatable, Sendable {
  /// The terminal's default.
  case normal
  case dim
  case strong
  case tone(Tone)

  enum Tone: Equatable, Sendable {
    case running, lastSeconds, paused, overtime
  }

  /// Returns the escape sequence that begins the ink; empty if the ink needs none.
  func start(_ colors: DisplayStyle.Colors) -> String {
    switch (self, colors) {
    case (_, .none), (.normal, _): ""
    case (.strong, _): "\u{1B}[1m"
    // Faint is relative to the user's colors; a gray is legible on both light and dark backgrounds.
    case (.dim, .sixteen): "\u{1B}[2m"
    case (.dim, .palette): "\u{1B}[38;5;245m"
    case (.dim, .trueColor): "\u{1B}[38;2;138;138;138m"
    case (.tone(let tone), .sixteen): "\u{1B}[1;\(tone.basic)m"
    case (.tone(let tone), .palette): "\u{1B}[1;38;5;\(tone.palette)m"
    case (.tone(let tone), .trueColor): "\u{1B}[1;38;2;\(tone.trueColor)m"
    }
  }

  static let end = "\u{1B}[0m"
}

extension Ink.Tone {
  init(_ view: RunView) {
    switch view.activity {
    case _ where view.isPaused: self = .paused
    case .countdown: self = view.isInLastSeconds ? .lastSeconds : .running
    case .countUp: self = .running
    case .overtime, .goalReached: self = .overtime
    }
  }

  // Medium shades, which are legible on black and on white; the theme of the terminal decides on the sixteen colors.
  // The window and the example of a bar show a pause in gray and overtime in amber, too.

  fileprivate var basic: Int {
    switch self {
    case .running: 32
    case .lastSeconds: 31
    case .paused: 37
    case .overtime: 33
    }
  }

  fileprivate var palette: Int {
    switch self {
    case .running: 41
    case .lastSeconds: 203
    case .paused: 247
    case .overtime: 178
    }
  }

  fileprivate var trueColor: String {
    switch self {
    case .running: "46;196;110"
    case .lastSeconds: "255;92;87"
    case .paused: "158;158;158"
    case .overtime: "230;168;23"
    }
  }
}
