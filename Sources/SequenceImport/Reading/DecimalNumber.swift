import SequencePlatform
import SequenceRunner

/// Exact conversion of the numbers in other programs' files.
enum DecimalNumber {
  /// Returns the duration of a decimal number of some unit, exact to 18 decimal places.
  ///
  /// A `Duration` counts attoseconds in 128 bits, so fractions and sums do not drift like binary numbers.
  ///
  /// - Parameters:
  ///   - text: digits with an optional point. With an exponent the nearest binary number is used.
  ///   - unit: the unit in seconds.
  /// - Returns: `nil` if the text is not a number of zero or more, or exceeds the longest sequence.
  static func duration(_ text: some StringProtocol, unit: Int = 1) -> Duration? {
    guard let value = exact(text) ?? binary(text) else { return nil }
    let duration = value * unit
    return duration <= SequenceLimits.longestTotal ? duration : nil
  }

  /// Returns a time in minutes to the precision of its digits.
  ///
  /// With two digits after the point, such as 0.67, it is the nearest second, and with more digits the second that they
  /// can mean, such as 40 s for 0.667. Any other time stays.
  static func minutes(_ time: Duration, writtenAs text: Substring) -> Duration {
    let digits = text.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0
    guard digits >= 2 else { return time }
    let second = Duration.seconds((time + .milliseconds(500)).components.seconds)
    var precision = Duration.seconds(30)
    for _ in 0..<min(digits, 18) { precision /= 10 }
    return digits == 2 || time - second <= precision && second - time <= precision ? second : time
  }

  /// Parses a finite number.
  static func number(_ text: some StringProtocol) -> Double? {
    guard let number = Double(String(text)), number.isFinite else { return nil }
    return number
  }

  /// Formats a number with one decimal place, or none if that is zero.
  static func short(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e9 else { return "\(number)" }
    let tenths = Int((number * 10).rounded())
    let (whole, tenth) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return (tenths < 0 ? "-" : "") + (tenth == 0 ? "\(whole)" : "\(whole).\(tenth)")
  }

  private static func exact(_ text: some StringProtocol) -> Duration? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.contains(where: { !$0.isEmpty }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } })
    else { return nil }
    // Longer than any sequence; also prevents an overflow.
    guard let seconds = parts[0].isEmpty ? 0 : Int64(parts[0]), seconds <= 1 << 33 else { return nil }
    let digits = parts.count == 2 ? parts[1].prefix(18) : ""
    let attoseconds = Int64(digits + String(repeating: "0", count: 18 - digits.count)) ?? 0
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  private static func binary(_ text: some StringProtocol) -> Duration? {
    guard text.contains(where: { "eE".contains($0) }), let number = number(text) else { return nil }
    return duration(number)
  }

  /// Returns the duration of a number of seconds, to the nearest millisecond; `nil` like `duration(_:unit:)`.
  static func duration(_ seconds: Double) -> Duration? {
    guard seconds >= 0, seconds <= SequenceLimits.longestTotal.seconds else { return nil }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }
}
