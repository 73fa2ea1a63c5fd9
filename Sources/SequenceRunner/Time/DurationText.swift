import FoundationEssentials
public import SequencePlatform
import SequenceStore

/// The notations for durations: `20s`, `1m30s`, `5 min`, `90`, `1:30`, `PT1M30S`.
public enum DurationText {
  /// Parses a duration.
  ///
  /// Accepts numbers with units in the order days, hours, minutes, seconds, with or without spaces, such as
  /// `1h30m`, `5 min` or `1 hour 30 minutes`, a plain number of seconds, `m:ss` and `h:mm:ss`, and ISO 8601 such
  /// as `PT1M30S`. The last number may have a fraction, down to a nanosecond.
  ///
  /// - Returns: a duration above zero and at most 30 days.
  /// - Throws: `Problem`, with the text and the notation to use.
  public static func parse(_ text: String) throws(Problem) -> Duration {
    do throws(DurationTextError) {
      return try parseWritten(text)
    } catch {
      throw error.problem(with: "\(quoted(text))")
    }
  }

  /// Parses a duration in the notations of `parse(_:)`, which are those of files.
  package static func parseWritten(_ text: String) throws(DurationTextError) -> Duration {
    let nanoseconds: Int64
    do throws(DurationTextError) {
      nanoseconds = try magnitude(text)
    } catch {
      if text.hasPrefix("-"), isMagnitude(String(text.dropFirst())) { throw .negative }
      if ["inf", "+inf", "infinity", ".inf", "+.inf", "∞", "forever"].contains(text.lowercased()) {
        throw .infinite
      }
      let pointed = String(text.map { $0 == "," ? "." : $0 })
      throw pointed != text && isMagnitude(pointed) ? .comma : error
    }
    guard nanoseconds > 0 else { throw .zero }
    guard nanoseconds <= SequenceLimits.longestDuration.nanoseconds else { throw .tooLong }
    return .nanoseconds(nanoseconds)
  }

  /// Parses a duration with an optional sign; without a sign it is positive.
  ///
  /// - Throws: `DurationTextError`.
  package static func parseSigned(_ text: String) throws(DurationTextError) -> Duration {
    try signed(text, parseWritten)
  }

  /// Parses a sign and a duration in a notation.
  static func signed(
    _ text: String, _ parse: (String) throws(DurationTextError) -> Duration
  ) throws(DurationTextError) -> Duration {
    if text.hasPrefix("-") || text.hasPrefix("−") { return .zero - (try parse(String(text.dropFirst()))) }
    return try parse(text.hasPrefix("+") ? String(text.dropFirst()) : text)
  }

  /// Formats a duration exactly and in the shortest notation, such as `1m30s` or `0.25s`; `0s` for zero.
  ///
  /// `shown(_:)` is for people, who don't read nanoseconds.
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

  /// Formats a change of a duration, such as `+5s` or `-5s`.
  package static func formatSigned(_ duration: Duration) -> String {
    (duration > .zero ? "+" : "") + format(duration)
  }

  /// Formats a duration for people.
  ///
  /// A fraction finer than a millisecond comes from a clock and not from a user. Such a duration is rounded
  /// down to whole seconds, like elapsed time, but to at least one second.
  public static func shown(_ duration: Duration) -> String {
    guard duration.nanoseconds % 1_000_000 != 0 else { return format(duration) }
    return format(.seconds(max(1, duration.components.seconds)))
  }

  /// Whether a text without a sign is in one of the notations.
  private static func isMagnitude(_ text: String) -> Bool {
    do throws(DurationTextError) {
      _ = try magnitude(text)
      return true
    } catch {
      return false
    }
  }

  /// Parses a text without a sign, in nanoseconds.
  private static func magnitude(_ text: String) throws(DurationTextError) -> Int64 {
    if text.hasPrefix("PT") || text.hasPrefix("P") && text.hasSuffix("D") {
      let isTimeOnly = text.hasPrefix("PT")
      let rest = text.dropFirst(isTimeOnly ? 2 : 1)
      return try sum(of: rest, units: isTimeOnly ? [("H", 3600), ("M", 60), ("S", 1)] : [("D", 86_400)])
    }
    if text.utf8.contains(UInt8(ascii: ":")) { return try clock(text) }
    if isPlainNumber(text) { return try number(text[...], unit: 1) }
    return try sum(of: text)
  }

  /// The units by length; a single letter must be in lower case, as in ISO 8601 an `M` may be a month.
  static let units: [(names: [String], seconds: Int64)] = [
    (["d", "day", "days"], 86_400), (["h", "hr", "hrs", "hour", "hours"], 3600),
    (["m", "min", "mins", "minute", "minutes"], 60), (["s", "sec", "secs", "second", "seconds"], 1),
  ]

  static func unit(_ name: Substring) -> Int? {
    let name = unitName(name)
    return units.firstIndex { $0.names.contains(name) }
  }

  static func unitName(_ name: Substring) -> String { name.count == 1 ? String(name) : name.lowercased() }

  /// Parses numbers with the units of people, each unit at most once and in order.
  private static func sum(of text: String) throws(DurationTextError) -> Int64 {
    var rest = text.unicodeScalars.drop(while: \.properties.isWhitespace)
    var total: Int64 = 0
    var last = -1
    guard !rest.isEmpty else { throw .notADuration }
    while !rest.isEmpty {
      let digits = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
      rest = rest[digits.endIndex...].drop(while: \.properties.isWhitespace)
      guard !rest.isEmpty || last < 0 || digits.first ?? "." == "." else { throw .noUnit }
      let name = rest.prefix { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
      guard let index = unit(Substring(name)), index > last else { throw .notADuration }
      rest = rest[name.endIndex...]
      if rest.first == ".", rest.dropFirst().first?.properties.isWhitespace != false {
        rest = rest.dropFirst()
      }
      rest = rest.drop(while: \.properties.isWhitespace)
      // A fraction in the middle, such as 1.5m30s, is more likely a mistake than intended.
      guard rest.isEmpty || !digits.contains(".") else { throw .notADuration }
      total = try added(total, try number(Substring(digits), unit: units[index].seconds))
      last = index
    }
    return total
  }

  /// Parses numbers with the units of ISO 8601, each unit at most once and in order.
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
      guard rest.isEmpty || !digits.contains(".") else { throw .notADuration }
      total = try added(total, try number(digits, unit: units[unit].seconds))
      units = units[(unit + 1)...]
    }
    return total
  }

  /// Parses `m:ss` or `h:mm:ss`; every part after the first has two digits below 60.
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

  /// Parses a number with an optional fraction, in a unit of whole seconds; returns nanoseconds.
  private static func number(_ text: Substring, unit: Int64) throws(DurationTextError) -> Int64 {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) })
    else { throw .notADuration }
    let fraction = parts.count == 2 ? String(Substring(parts[1])) : ""
    guard fraction.count <= 9 else { throw .tooFine }
    guard let whole = Int64(Substring(parts[0])), whole <= 1 << 32 else { throw .tooLong }
    // There are at most nine digits, so neither product can overflow.
    let nanoseconds =
      fraction.isEmpty ? 0 : Int64(fraction + String(repeating: "0", count: 9 - fraction.count)) ?? 0
    return try added(whole * unit >= 1 << 32 ? Int64.max : whole * unit * 1_000_000_000, nanoseconds * unit)
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func added(_ left: Int64, _ right: Int64) throws(DurationTextError) -> Int64 {
    let (sum, overflowed) = left.addingReportingOverflow(right)
    guard !overflowed else { throw .tooLong }
    return sum
  }
}

/// The reason why a text is not a valid duration of a card.
package enum DurationTextError: ExplainedError, LocalizedError, Equatable, Sendable {
  /// The text is not in any notation for durations.
  case notADuration
  /// The last number has no unit, although others have.
  case noUnit
  /// The fraction begins with a comma.
  case comma
  /// The duration is zero.
  case zero
  /// The duration is negative.
  case negative
  /// The duration is infinite.
  case infinite
  /// The duration is longer than 30 days.
  case tooLong
  /// The duration has a fraction finer than a nanosecond.
  case tooFine

  /// The problem without the text itself, and the accepted notation or range.
  package var problem: Problem { problem(with: "the text") }

  /// Returns the problem with the text inserted as given.
  package func problem(with text: LocalizedText) -> Problem {
    switch self {
    case .notADuration: Problem("\(text) is not a duration", remedy: "write it like 2m or 1m30s")
    case .noUnit:
      Problem("the last number of \(text) has no unit", remedy: "add it, as in 1h30m or 1m30s")
    case .comma: Problem("\(text) has a comma", remedy: "write a point, as in 0.5h")
    case .zero: Problem("\(text) is zero", remedy: "write a duration longer than zero")
    case .negative: Problem("\(text) is negative", remedy: "write a duration longer than zero")
    case .infinite: Problem("\(text) never ends", remedy: "write at most 30d, or use a countUp")
    case .tooLong: Problem("\(text) is too long", remedy: "write at most 30d")
    case .tooFine:
      Problem(
        "\(text) is more precise than a nanosecond", remedy: "write at most nine digits after the point")
    }
  }
}
