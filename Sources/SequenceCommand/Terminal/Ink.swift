import Glibc
import SequencePresentation

/// The meaning of a text on the display, which determines its color.
enum Ink: Equatable, Sendable {
  /// The terminal's default.
  case normal
  case dim
  case strong
  case tone(Tone)

  enum Tone: Equatable, Sendable {
    case running, rest, lastSeconds, paused, overtime
  }

  /// Returns the escape sequence that begins the ink; empty if the ink needs none.
  func start(_ style: DisplayStyle) -> String {
    guard style.colors != .none else { return "" }
    let weight =
      switch self {
      case .normal, .dim: [String]()
      case .strong, .tone: ["1"]
      }
    let codes = weight + [color(style)?.code].compactMap { $0 }
    return codes.isEmpty ? "" : "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  static let end = "\u{1B}[0m"

  /// The least contrast of text that must be read (WCAG 2.2, success criterion 1.4.3).
  static let leastContrast = 4.5

  /// The color of the ink; `nil` for the terminal's own, if no other is known to be legible.
  ///
  /// A background that isn't known can be black or white.
  func color(_ style: DisplayStyle) -> TerminalColor? {
    guard let shades else { return nil }
    let numbers: [Int?] =
      switch (style.colors, style.background) {
      case (.none, _), (.sixteen, nil): []
      case (.sixteen, _?): [shades.basic]
      case (.palette, nil): [shades.onAny]
      case (.palette, _?): [shades.onDark, shades.onLight]
      }
    return numbers.compactMap { $0.map(TerminalColor.init(palette:)) }
      .first { color in style.background.map { color.contrast(with: $0) >= Ink.leastContrast } ?? true }
  }

  /// The numbers of a color in the palette for backgrounds that are dark, light and unknown, and among the first 16 for
  /// a dark one.
  private typealias Shades = (onDark: Int, onLight: Int, onAny: Int, basic: Int?)

  // The window and the example of a bar show a pause in gray and overtime in amber, too. No amber of the palette is legible
  // on both black and white.
  private var shades: Shades? {
    switch self {
    case .normal, .strong: nil
    case .dim: (248, 240, 243, nil)
    case .tone(.running): (78, 22, 29, 10)
    case .tone(.rest): (111, 25, 63, 14)
    case .tone(.lastSeconds): (210, 124, 131, 9)
    case .tone(.paused): (248, 240, 243, nil)
    case .tone(.overtime): (214, 94, 163, 11)
    }
  }
}

extension Ink.Tone {
  init(_ view: RunView) {
    switch view.activity {
    case _ where view.isPaused: self = .paused
    case .countdown where view.isInLastSeconds: self = .lastSeconds
    case .countdown, .countUp: self = view.isRest ? .rest : .running
    case .overtime, .goalReached: self = .overtime
    }
  }
}

/// A color of a terminal, in parts from 0 to 1.
struct TerminalColor: Equatable, Sendable {
  let red: Double
  let green: Double
  let blue: Double
  /// The escape code of the color as that of text; `nil` for a color that isn't from the palette.
  private(set) var code: String?

  static let black = TerminalColor(red: 0, green: 0, blue: 0)

  private init(red: Double, green: Double, blue: Double) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Creates a color from its number in xterm's palette: 9 to 15, whose shades can be others, or 16 to 255.
  init(palette number: Int) {
    let levels: [Int] =
      switch number {
      case ..<16: (0..<3).map { number >> $0 & 1 == 1 ? 255 : 0 }
      case 232...: Array(repeating: 8 + 10 * (number - 232), count: 3)
      default: [36, 6, 1].map { (number - 16) / $0 % 6 }.map { $0 == 0 ? 0 : 55 + 40 * $0 }
      }
    self.init(
      red: Double(levels[0]) / 255, green: Double(levels[1]) / 255, blue: Double(levels[2]) / 255)
    code = number < 16 ? "\(82 + number)" : "38;5;\(number)"
  }

  /// Reads a color as terminals report it: `rgb:` or `rgba:` with one to four hexadecimal digits for each part.
  init?(report: String) {
    let parts = report.drop { $0 != ":" }.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard report.hasPrefix("rgb:") && parts.count == 3 || report.hasPrefix("rgba:") && parts.count == 4 else {
      return nil
    }
    let levels = parts.compactMap { part -> Double? in
      guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit) else { return nil }
      return UInt16(part, radix: 16).map { Double($0) / Double(1 << (4 * part.utf8.count) - 1) }
    }
    guard levels.count == parts.count else { return nil }
    self.init(red: levels[0], green: levels[1], blue: levels[2])
  }

  /// The relative luminance of WCAG 2.2.
  private var luminance: Double {
    0.2126 * TerminalColor.linear(red) + 0.7152 * TerminalColor.linear(green)
      + 0.0722 * TerminalColor.linear(blue)
  }

  private static func linear(_ part: Double) -> Double {
    part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
  }

  /// Returns the contrast ratio of WCAG 2.2, from 1 to 21.
  func contrast(with other: TerminalColor) -> Double {
    let (light, dark) = (max(luminance, other.luminance), min(luminance, other.luminance))
    return (light + 0.05) / (dark + 0.05)
  }
}
