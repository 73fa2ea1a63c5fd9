/// The clocks of a run that are shown in whole seconds: each changes at moments of its own.
struct Beats: OptionSet, Sendable {
  let rawValue: UInt8

  static let elapsed = Beats(rawValue: 1)
  static let remaining = Beats(rawValue: 2)
  static let overtime = Beats(rawValue: 4)
  static let totalElapsed = Beats(rawValue: 8)
  static let totalRemaining = Beats(rawValue: 16)
  /// What is left of a countdown; what it is over by; what has gone by of a count-up.
  static let time = Beats(rawValue: 32)

  /// Every clock that a display shows.
  static let all: Beats = [.elapsed, .remaining, .overtime, .totalElapsed, .totalRemaining]
}
