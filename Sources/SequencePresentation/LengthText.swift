import SequenceRunner

/// Lengths as a window shows them: `20 s`, `5 min 50 s`, `1 d 4 h`; sums in hours.
package enum LengthText {
  /// Formats a length; a number and its unit stay in one line.
  package static func format(_ duration: Duration) -> String {
    DurationText.shown(duration).map { $0.isLetter ? "\u{A0}\($0 == "m" ? "min" : "\($0)") " : "\($0)" }
      .joined().trimmingLastSpace
  }

  /// Formats a sum of times in hours and minutes; minutes only below 10 hours, and seconds only below one minute.
  package static func total(_ duration: Duration) -> String {
    let seconds = max(0, ClockText.wholeSecondsDown(duration))
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    guard seconds >= 60 else { return "\(seconds)\u{A0}s" }
    let parts = [
      hours > 0 ? "\(hours)\u{A0}h" : nil, hours < 10 && minutes > 0 ? "\(minutes)\u{A0}min" : nil,
    ]
    return parts.compactMap { $0 }.joined(separator: " ")
  }

  /// Formats elapsed time, rounded down to seconds.
  package static func elapsed(_ duration: Duration) -> String {
    format(.seconds(max(0, ClockText.wholeSecondsDown(duration))))
  }
}

extension String {
  fileprivate var trimmingLastSpace: String { hasSuffix(" ") ? String(dropLast()) : self }
}
