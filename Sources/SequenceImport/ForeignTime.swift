import SequencePlatform
import SequenceFiles
import SequenceRunner

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

/// The boundaries of steps, rounded to milliseconds.
///
/// Programs write 90 s as `90.00001`. Durations that are rounded one by one would add up to a
/// drift; rounded boundaries do not.
struct Boundaries {
  /// The exact end of the steps so far, from the file.
  private(set) var exact: Duration = .zero
  /// The rounded end of the steps so far.
  private var written: Duration = .zero

  /// Adds a step and returns its rounded duration; zero if it is shorter than half a millisecond.
  mutating func step(of duration: Duration, line: Int? = nil) throws(ImportError) -> Duration {
    try pass(duration, line: line)
    let end = Boundaries.rounded(exact)
    let step = end - written
    try Boundaries.check(step, line)
    written = end
    return step
  }

  /// Adds rounds of the same steps, and returns the rounded durations of one round.
  mutating func rounds(
    _ count: Int, of durations: [Duration], line: Int? = nil
  ) throws(ImportError) -> [Duration] {
    var round = Boundaries()
    var steps: [Duration] = []
    for duration in durations { steps.append(try round.step(of: duration, line: line)) }
    // All rounds have the rounded durations, so the steps after them begin at their sum.
    try pass(round.written * count, line: line)
    written += round.written * count
    return steps
  }

  private mutating func pass(_ duration: Duration, line: Int?) throws(ImportError) {
    exact += duration
    guard exact <= SequenceLimits.longestTotal else {
      throw ImportError("the workout is longer than 36500 days", line: line)
    }
  }

  private static func check(_ duration: Duration, _ line: Int?) throws(ImportError) {
    guard duration <= SequenceLimits.longestDuration else {
      throw ImportError(
        "a step of \(DurationText.format(duration)) is too long", remedy: "a card can last 30d at most",
        line: line
      )
    }
  }

  static func rounded(_ duration: Duration) -> Duration {
    .milliseconds((duration + .microseconds(500)).nanoseconds / 1_000_000)
  }
}
