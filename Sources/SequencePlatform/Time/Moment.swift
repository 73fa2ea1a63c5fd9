/// A moment of the wall clock: a whole number of microseconds since 1970 in UTC.
///
/// Moments are stored and compared exactly. A `Date` is a floating-point number of seconds, and JSON does not return
/// it unchanged.
public struct Moment: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z; negative before.
  public let microseconds: Int64

  /// The moment that lies `microseconds` after 1970-01-01T00:00:00Z.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Whether one moment is earlier than another.
  public static func < (left: Moment, right: Moment) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The moment a duration later (earlier, if it is negative), rounded down to a microsecond.
  public func advanced(by duration: Duration) -> Moment {
    let nanoseconds = duration.nanoseconds
    let whole = nanoseconds / 1000 - (nanoseconds % 1000 < 0 ? 1 : 0)
    let (sum, overflowed) = microseconds.addingReportingOverflow(whole)
    return Moment(microseconds: overflowed ? (whole < 0 ? .min : .max) : sum)
  }

  /// The duration from another moment to this one; negative if this one is earlier.
  public func duration(since other: Moment) -> Duration {
    .microseconds(microseconds) - .microseconds(other.microseconds)
  }
}

extension Moment {
  /// The moment of a time in the form of the kernel, rounded down to a microsecond.
  ///
  /// - Parameters:
  ///   - seconds: whole seconds since 1970, negative before.
  ///   - nanoseconds: the rest, from 0 to 999,999,999.
  package init(seconds: Int, nanoseconds: Int) {
    self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(nanoseconds) / 1000)
  }
}

extension Moment: Codable {
  /// Reads the whole number that `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes whole numbers, which come back exactly.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}
