import Platform
import SequenceRunner

/// Numbers as other programs write them, read without a loss.
enum DecimalNumber {
  /// The duration that a decimal number of some unit means, exact to 18 digits after the point.
  ///
  /// A `Duration` counts attoseconds in 128 bits, so neither a fraction nor a sum of them drifts as binary ones do.
  ///
  /// - Parameters:
  ///   - text: digits, maybe with a point; with an exponent it is read as the nearest binary number.
  ///   - unit: how many seconds one is.
  /// - Returns: `nil` if it is not a number of zero or more, or longer than any sequence may be.
  static func duration(_ text: some StringProtocol, unit: Int = 1) -> Duration? {
    guard let value = exact(text) ?? binary(text) else { return nil }
    let duration = value * unit
    return duration <= SequenceLimits.longestTotal ? duration : nil
  }

  /// The finite number that a text means.
  static func number(_ text: some StringProtocol) -> Double? {
    guard let number = Double(String(text)), number.isFinite else { return nil }
    return number
  }

  /// A number with at most one digit after the point, and none that is zero.
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
    // What is longer than any sequence is not counted up, whatever its digits are.
    guard let seconds = parts[0].isEmpty ? 0 : Int64(parts[0]), seconds <= 1 << 33 else { return nil }
    let digits = parts.count == 2 ? parts[1].prefix(18) : ""
    let attoseconds = Int64(digits + String(repeating: "0", count: 18 - digits.count)) ?? 0
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  private static func binary(_ text: some StringProtocol) -> Duration? {
    guard text.contains(where: { "eE".contains($0) }), let number = number(text) else { return nil }
    return duration(number)
  }

  /// The duration of a binary number of seconds, to the nearest nanosecond; `nil` as for a text.
  static func duration(_ seconds: Double) -> Duration? {
    guard seconds >= 0, seconds <= SequenceLimits.longestTotal.seconds else { return nil }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
