import SequencePlatform

/// Durations as shown by a clock: `0:07`, `1:30`, `12:05`, `1:02:03`, and `+0:12` for overtime.
package enum ClockText {
  /// Formats the time left, rounded up to seconds; a negative duration is overtime, with a plus sign.
  ///
  /// Shows `0:00` only when the time is over.
  package static func remaining(_ duration: Duration) -> String {
    let seconds = wholeSecondsUp(duration)
    return seconds < 0 ? "+" + text(seconds: -seconds) : text(seconds: seconds)
  }

  /// Formats elapsed time, rounded down to seconds; a negative duration is shown as zero.
  package static func elapsed(_ duration: Duration) -> String {
    text(seconds: max(0, wholeSecondsDown(duration)))
  }

  /// Returns a duration in seconds, rounded up.
  package static func wholeSecondsUp(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return attoseconds > 0 ? seconds + 1 : seconds
  }

  /// Returns a duration in seconds, rounded down.
  package static func wholeSecondsDown(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return attoseconds < 0 ? seconds - 1 : seconds
  }

  /// Formats minutes and seconds, with hours from one hour on.
  private static func text(seconds: Int64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(minutes):\(padded(rest))"
  }

  private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Formats a number with leading zeros.
package func padded(_ number: Int, _ digits: Int) -> String {
  let text = String(number)
  let missing = digits - text.utf8.count
  return missing > 0 ? String(repeating: "0", count: missing) + text : text
}

extension Duration {
  /// The duration rounded up to whole seconds, as a clock that counts down shows it.
  package var wholeSeconds: Duration {
    .seconds((nanoseconds + 999_999_999) / 1_000_000_000)
  }
}
