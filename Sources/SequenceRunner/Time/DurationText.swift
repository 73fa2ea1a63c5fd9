import Platform

/// How durations are written by people: `20s`, `1m30s`, `90`, `1:30`, `PT1M30S`.
public enum DurationText {
  /// The duration that a text means.
  ///
  /// Accepted are numbers with the units `d`, `h`, `m` and `s` in that order, a plain number of seconds,
  /// `m:ss` and `h:mm:ss`, and ISO 8601 as in `PT1M30S`. The last number may have a fraction, down to a
  /// nanosecond.
  ///
  /// - Returns: a duration longer than zero and at most `SequenceLimits.longestDuration`.
  /// - Throws: `DurationTextError`.
  public static func parse(_ text: String) throws(DurationTextError) -> Duration {
    if text.hasPrefix("-"), (try? magnitude(String(text.dropFirst()))) != nil { throw .negative }
    if ["inf", "+inf", "infinity", ".inf", "+.inf", "∞", "forever"].contains(text.lowercased()) {
      throw .infinite
    }
    let nanoseconds = try magnitude(text)
    guard nanoseconds > 0 else { throw .zero }
    guard nanoseconds <= SequenceLimits.longestDuration.nanoseconds else { throw .tooLong }
    return .nanoseconds(nanoseconds)
  }

  /// The duration that a text with a sign means, as `extend` takes it; without a sign it is positive.
  ///
  /// - Throws: `DurationTextError`.
  public static func parseSigned(_ text: String) throws(DurationTextError) -> Duration {
    if text.hasPrefix("-") || text.hasPrefix("−") { return .zero - (try parse(String(text.dropFirst()))) }
    return try parse(text.hasPrefix("+") ? String(text.dropFirst()) : text)
  }

  /// The shortest text that means a duration, as in `1m30s`; `0s` for none.
  public static func format(_ duration: Duration) -> String {
    let nanoseconds = duration.nanoseconds
    guard nanoseconds > 0 else { return nanoseconds == 0 ? "0s" : "-" + format(.zero - duration) }
    var (seconds, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var text = ""
    for (unit, length) in [("d", Int64(86_400)), ("h", 3600), ("m", 60)] where seconds >= length {
      text += "\(seconds / length)\(unit)"
      seconds %= length
    }
    guard seconds > 0 || fraction > 0 else { return text }
    text += "\(seconds)"
    if fraction > 0 {
      var digits = String(fraction)
      digits = String(repeating: "0", count: 9 - digits.count) + digits
      while digits.hasSuffix("0") { digits.removeLast() }
      text += ".\(digits)"
    }
    return text + "s"
  }

  /// The text of a duration that people are shown: what is finer than a millisecond comes of a clock, and not of
  /// somebody who wrote it, and is shown in whole seconds.
  ///
  /// They are rounded down, as the time is that has gone by, but to one second at least.
  package static func shown(_ duration: Duration) -> String {
    guard duration.nanoseconds % 1_000_000 != 0 else { return format(duration) }
    return format(.seconds(max(1, duration.components.seconds)))
  }

  /// The nanoseconds that a text without a sign means.
  private static func magnitude(_ text: String) throws(DurationTextError) -> Int64 {
    if text.hasPrefix("PT") || text.hasPrefix("P") && text.hasSuffix("D") {
      let isTimeOnly = text.hasPrefix("PT")
      let rest = text.dropFirst(isTimeOnly ? 2 : 1)
      return try sum(of: rest, units: isTimeOnly ? [("H", 3600), ("M", 60), ("S", 1)] : [("D", 86_400)])
    }
    if text.contains(":") { return try clock(text) }
    if text.last?.isASCII == true, text.last?.isNumber == true { return try number(text[...], unit: 1) }
    return try sum(of: text[...], units: [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)])
  }

  /// The sum of numbers with units, each unit at most once and in order.
  private static func sum(
    of text: Substring, units: [(name: Character, seconds: Int64)]
  ) throws(DurationTextError) -> Int64 {
    var rest = text
    var total: Int64 = 0
    var units = units[...]
    guard !rest.isEmpty else { throw .notADuration }
    while !rest.isEmpty {
      guard let place = rest.firstIndex(where: { !$0.isASCII || !($0.isNumber || $0 == ".") }),
        let unit = units.firstIndex(where: { $0.name == rest[place] })
      else { throw .notADuration }
      let digits = rest[..<place]
      rest = rest[rest.index(after: place)...]
      // A fraction in the middle, as in 1.5m30s, is more likely a slip than meant.
      guard rest.isEmpty || !digits.contains(".") else { throw .notADuration }
      total = try added(total, try number(digits, unit: units[unit].seconds))
      units = units[(unit + 1)...]
    }
    return total
  }

  /// `m:ss` or `h:mm:ss`, where all but the first have two digits below 60.
  private static func clock(_ text: String) throws(DurationTextError) -> Int64 {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { throw .notADuration }
    var total: Int64 = 0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let whole = isLast ? part.prefix { $0 != "." } : part
      guard index == 0 || whole.count == 2 && whole < "60", isLast || !part.contains(".") else {
        throw .notADuration
      }
      total = try added(total, try number(part, unit: isLast ? 1 : parts.count - index == 2 ? 60 : 3600))
    }
    return total
  }

  /// A number, maybe with a fraction, of a unit of whole seconds, in nanoseconds.
  private static func number(_ text: Substring, unit: Int64) throws(DurationTextError) -> Int64 {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { throw .notADuration }
    let fraction = parts.count == 2 ? parts[1] : ""
    guard fraction.count <= 9 else { throw .tooFine }
    guard let whole = Int64(parts[0]), whole <= 1 << 32 else { throw .tooLong }
    // At most nine digits, so both products are far from overflowing.
    let nanoseconds = Int64(fraction + String(repeating: "0", count: 9 - fraction.count)) ?? 0
    return try added(whole * unit >= 1 << 32 ? Int64.max : whole * unit * 1_000_000_000, nanoseconds * unit)
  }

  private static func added(_ left: Int64, _ right: Int64) throws(DurationTextError) -> Int64 {
    let (sum, overflowed) = left.addingReportingOverflow(right)
    guard !overflowed else { throw .tooLong }
    return sum
  }
}

/// Why a text is not the duration of a card.
public enum DurationTextError: ExplainedError, Equatable, Sendable {
  /// It is not written like one.
  case notADuration
  /// It is zero.
  case zero
  /// It is below zero.
  case negative
  /// It never ends.
  case infinite
  /// It is longer than `SequenceLimits.longestDuration`.
  case tooLong
  /// It has a fraction that is finer than a nanosecond.
  case tooFine

  /// The problem of a text that is not repeated.
  public var problem: String { problem(with: "the text") }

  /// The problem of a text, which is repeated as it is given.
  public func problem(with text: String) -> String {
    switch self {
    case .notADuration: "\(text) is not a duration"
    case .zero: "\(text) is no time at all"
    case .negative: "\(text) is below zero"
    case .infinite: "\(text) never ends"
    case .tooLong: "\(text) is too long"
    case .tooFine: "\(text) is finer than a nanosecond"
    }
  }

  /// What would be right.
  public var remedy: String? {
    switch self {
    case .notADuration: "write it like 2m or 1m30s"
    case .zero, .negative: "write a duration that is longer than zero"
    case .infinite: "write a duration of at most 30d, or a countUp"
    case .tooLong: "write a duration of at most 30d"
    case .tooFine: "write at most nine digits after the point"
    }
  }
}
