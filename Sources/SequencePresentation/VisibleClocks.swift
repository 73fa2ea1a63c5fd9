/// The clocks of a run that are shown in whole seconds; each changes at different moments.
package struct VisibleClocks: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let elapsed = VisibleClocks(rawValue: 1)
  package static let remaining = VisibleClocks(rawValue: 2)
  package static let overtime = VisibleClocks(rawValue: 4)
  package static let totalElapsed = VisibleClocks(rawValue: 8)
  package static let totalRemaining = VisibleClocks(rawValue: 16)
  /// The time left of a countdown, its overtime, or the elapsed time of a count-up.
  package static let time = VisibleClocks(rawValue: 32)

  /// All clocks of a display.
  package static let all: VisibleClocks = [.elapsed, .remaining, .overtime, .totalElapsed, .totalRemaining]
}
