import SequenceRunner

/// Durations in words, such as `1h 47m` or `90 minutes`.
enum HumanDuration {
  /// Parses whole numbers with units, with or without spaces between; `nil` if invalid or too long.
  static func parse(_ text: String) -> Duration? {
    var rest = text[...].trimming(while: \.isWhitespace)
    var total = Duration.zero
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix(while: \.isNumber)
      rest = rest.dropFirst(digits.count).drop(while: \.isWhitespace)
      let name = rest.prefix(while: \.isLetter)
      rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
      guard let number = DecimalNumber.duration(digits), let unit = unit(name) else { return nil }
      // The number is below 2^33, so the product cannot overflow, and the sum stays below the limit.
      total += unit * number.components.seconds
      guard total <= SequenceLimits.longestTotal else { return nil }
    }
    return total
  }

  /// Returns the length of a unit; `nil` for an unknown name.
  static func unit(_ name: some StringProtocol) -> Duration? {
    // "M" is a month, the only unit that differs from another in case alone.
    guard name != "M" else { return nil }
    switch name.lowercased() {
    case "ms", "msec", "millisecond", "milliseconds": return .milliseconds(1)
    case "s", "sec", "secs", "second", "seconds": return .seconds(1)
    case "m", "min", "mins", "minute", "minutes": return .seconds(60)
    case "h", "hr", "hrs", "hour", "hours": return .seconds(3600)
    case "d", "day", "days": return .seconds(86_400)
    case "w", "week", "weeks": return .seconds(7 * 86_400)
    default: return nil
    }
  }
}
