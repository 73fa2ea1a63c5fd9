/// The clocks of a run that are shown in whole seconds: each changes at moments of its own.
package struct Beats: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let elapsed = Beats(rawValue: 1)
  package static let remaining = Beats(rawValue: 2)
  package static let overtime = Beats(rawValue: 4)
  package static let totalElapsed = Beats(rawValue: 8)
  package static let totalRemaining = Beats(rawValue: 16)
  /// What is left of a countdown; what it is over by; what has gone by of a count-up.
  package static let time = Beats(rawValue: 32)

  /// Every clock that a display shows.
  package static let all: Beats = [.elapsed, .remaining, .overtime, .totalElapsed, .totalRemaining]
}
