package import Platform
import SequenceRunner

/// What a terminal can show: how many colours, and which characters.
package struct DisplayStyle: Equatable, Sendable {
  /// How colours are written.
  package var colours: Colours
  /// Which characters there are.
  package var glyphs: Glyphs

  /// How colours are written.
  package enum Colours: Equatable, Sendable {
    /// Not at all, and nothing bold either: the text has no escape sequences.
    case none
    /// The 16 colours whose shades the user chose.
    case sixteen
    /// The palette of 256.
    case palette
    /// Red, green and blue, 8 bits each.
    case trueColour
  }

  /// Which characters there are.
  package enum Glyphs: Equatable, Sendable {
    /// All of Unicode.
    case unicode
    /// Only ASCII.
    case ascii
  }

  /// Unicode without colours.
  package static let plain = DisplayStyle(colours: .none, glyphs: .unicode)

  /// What the environment of a process says about its terminal.
  ///
  /// `NO_COLOR` (no-color.org) counts if it is not empty. A locale that is not UTF-8 gets ASCII, and so does
  /// the Linux console, whose fonts have too few block characters.
  package static func detect(environment: EnvironmentVariables) -> DisplayStyle {
    DisplayStyle(colours: colours(environment), glyphs: glyphs(environment))
  }

  private static func colours(_ environment: EnvironmentVariables) -> Colours {
    let terminal = environment["TERM"] ?? ""
    guard (environment["NO_COLOR"] ?? "").isEmpty, !["", "dumb"].contains(terminal) else { return .none }
    switch environment["COLORTERM"] {
    case "truecolor", "24bit": return .trueColour
    default: break
    }
    if terminal.hasSuffix("-direct") { return .trueColour }
    return terminal.contains("256color") ? .palette : .sixteen
  }

  private static func glyphs(_ environment: EnvironmentVariables) -> Glyphs {
    guard !["linux", "dumb"].contains(environment["TERM"]) else { return .ascii }
    // The first of these that is set and not empty decides, as in setlocale(3).
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let codeset = (locale ?? "").lowercased().filter { $0 != "-" }
    return codeset.contains("utf8") ? .unicode : .ascii
  }
}
