import SequenceRunner

/// Lengths as a window shows them: `20 s`, `5 min 50 s`, `1 d 4 h`.
package enum LengthText {
  /// Formats a length; a number and its unit stay in one line.
  package static func format(_ duration: Duration) -> String {
    DurationText.shown(duration).map { $0.isLetter ? "\u{A0}\($0 == "m" ? "min" : "\($0)") " : "\($0)" }
      .joined().trimmingLastSpace
  }

  /// Formats elapsed time, rounded down to seconds.
  package static func elapsed(_ duration: Duration) -> String {
    format(.seconds(max(0, ClockText.wholeSecondsDown(duration))))
  }
}

extension String {
  fileprivate var trimmingLastSpace: String { hasSuffix(" ") ? String(dropLast()) : self }
}
