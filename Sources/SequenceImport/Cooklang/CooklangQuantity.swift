/// Numbers in recipes: `10`, `1.5`, `1/2`, `1 1/2`, and ranges of them.
enum CooklangQuantity {
  /// Returns the shortest and the longest time of a quantity with a unit; `nil` if it is not a time.
  static func times(_ quantity: String, unit: String) -> (Duration, Duration)? {
    guard let unit = HumanDuration.unit(unit) else { return nil }
    let parts = quantity.split(maxSplits: 1, omittingEmptySubsequences: false) { "-–—".contains($0) }
    let times = parts.compactMap { time($0.trimming(while: \.isWhitespace), unit) }
    guard times.count == parts.count, let first = times.first, let last = times.last, first <= last else {
      return nil
    }
    return (first, last)
  }

  private static func time(_ text: Substring, _ unit: Duration) -> Duration? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard (1...2).contains(words.count), let last = words.last else { return nil }
    let number: Duration
    let parts = last.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let top = DecimalNumber.duration(parts[0]), let bottom = Int(parts[1]), bottom > 0 else {
        return nil
      }
      number = top / bottom
    } else {
      guard words.count == 1, let whole = DecimalNumber.duration(last) else { return nil }
      number = whole
    }
    guard words.count == 2 else { return scaled(number, unit) }
    return DecimalNumber.duration(words[0]).flatMap { scaled($0 + number, unit) }
  }

  /// Returns a number, given as seconds, times a unit; `nil` if the result is longer than any sequence.
  private static func scaled(_ number: Duration, _ unit: Duration) -> Duration? {
    guard unit >= .seconds(1) else { return number / 1000 }
    let time = number * unit.components.seconds
    return time <= .seconds(1 << 33) ? time : nil
  }
}
