import SequencePlatform
import SequenceRunner

/// The capabilities of a terminal: colors and characters.
struct DisplayStyle: Equatable, Sendable {
  /// The available colors.
  var colors: Colors
  /// The available characters.
  var glyphs: Glyphs

  /// The available colors.
  enum Colors: Equatable, Sendable {
    /// No colors and no bold text: the output has no escape sequences.
    case none
    /// The 16 colors with shades chosen by the user.
    case sixteen
    /// The palette of 256 colors.
    case palette
    /// Red, green and blue, 8 bits each.
    case trueColor
  }

  /// The available characters.
  enum Glyphs: Equatable, Sendable {
    /// All of Unicode.
    case unicode
    /// Only ASCII.
    case ascii
  }

  /// Unicode without colors.
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

  /// Whether a text has a part.
  ///
  /// `contains` makes types at run time, which takes a tenth of the run time of a short command.
  private static func has(_ part: String, in text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: part.utf8) }
  }
}
