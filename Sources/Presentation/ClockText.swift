import Platform

/// Durations as a clock shows them: `0:07`, `1:30`, `12:05`, `1:02:03`, and `+0:12` for overtime.
package enum ClockText {
  /// What is left, rounded up; what is left below zero is overtime, with a plus sign.
  ///
  /// `0:00` is shown only when the time is over.
  package static func remaining(_ duration: Duration) -> String {
    let seconds = wholeSecondsUp(duration)
    return seconds < 0 ? "+" + text(seconds: -seconds) : text(seconds: seconds)
  }

  /// What has passed, rounded down; a negative duration shows as none.
  package static func elapsed(_ duration: Duration) -> String {
    text(seconds: max(0, wholeSecondsDown(duration)))
  }

  /// The smallest number of whole seconds that is not less than a duration.
  package static func wholeSecondsUp(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return attoseconds > 0 ? seconds + 1 : seconds
  }

  /// The largest number of whole seconds that is not more than a duration.
  package static func wholeSecondsDown(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return attoseconds < 0 ? seconds - 1 : seconds
  }

  /// Minutes and seconds, with hours in front from one hour on.
  private static func text(seconds: Int64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(minutes):\(padded(rest))"
  }

  private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// A number with zeros before it.
package func padded(_ number: Int, _ digits: Int) -> String {
  let text = String(number)
  let missing = digits - text.utf8.count
  return missing > 0 ? String(repeating: "0", count: missing) + text : text
}

extension Duration {
  /// The seconds that a clock shows that counts down: any begun one counts.
  package var wholeSeconds: Duration {
    .seconds((nanoseconds + 999_999_999) / 1_000_000_000)
  }
}
