import SequencePresentation

/// The meaning of a text on the display, which determines its color.
enum Ink: Equatable, Sendable {
  /// The terminal's default.
  case normal
  /// Less important.
  case dim
  /// More important.
  case strong
  /// The tone of a state.
  case tone(Tone)

  /// The colors that distinguish states.
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

  /// The escape sequence that ends every ink.
  static let end = "\u{1B}[0m"
}

extension Ink.Tone {
  /// Returns the tone for the state of a run.
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
