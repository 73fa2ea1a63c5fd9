/// Whole numbers of a small unit as decimal texts of a larger one: nanoseconds as seconds.
enum DecimalText {
  /// The text of a number of units, such as `0.25` for 250 of three digits.
  static func text(_ units: Int64, digits: Int) -> String {
    let text = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    let fraction = padded.suffix(digits)
    let significant = fraction.lastIndex { $0 != "0" }.map { fraction[...$0] } ?? ""
    return (units < 0 ? "-" : "") + padded.dropLast(digits)
      + (significant.isEmpty ? "" : "." + significant)
  }

  /// Reads a text; `nil` if it is not a number, has more digits, or is out of range.
  static func number(_ text: some StringProtocol, digits: Int) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? String(parts[1]) : "0"
    guard !parts[0].isEmpty, (1...digits).contains(fraction.count),
      fraction.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(String(parts[0]) + String(fraction) + String(repeating: "0", count: digits - fraction.count))
  }
}
