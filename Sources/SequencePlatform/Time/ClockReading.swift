/// The three clocks, read together at one moment.
///
/// Within one boot only the boot clock counts, because it cannot be set and includes suspend. Across boots there is
/// only the wall clock.
public struct ClockReading: Hashable, Sendable {
  /// The wall clock, `CLOCK_REALTIME`.
  public let wall: Moment
  /// The time since the machine was started, suspended time included, `CLOCK_BOOTTIME`.
  public let boot: Duration
  /// The kernel's name for this boot, `/proc/sys/kernel/random/boot_id`.
  public let bootID: String

  /// A reading of the three clocks that were read together.
  public init(wall: Moment, boot: Duration, bootID: String) {
    self.wall = wall
    self.boot = boot
    self.bootID = bootID
  }

  /// The time that went by since an earlier reading; never negative.
  ///
  /// The difference of the boot clocks within one boot, that of the wall clocks across boots.
  public func elapsed(since earlier: ClockReading) -> Duration {
    max(.zero, bootID == earlier.bootID ? boot - earlier.boot : wall.duration(since: earlier.wall))
  }

  /// Returns the reading a duration later, if no clock is set in between.
  public func advanced(by duration: Duration) -> ClockReading {
    ClockReading(wall: wall.advanced(by: duration), boot: boot + duration, bootID: bootID)
  }

  /// Returns the reading at a moment of the wall clock, if no clock is set until then.
  public func at(_ moment: Moment) -> ClockReading {
    ClockReading(wall: moment, boot: boot + moment.duration(since: wall), bootID: bootID)
  }
}

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

/// Durations are whole nanoseconds, from the file that names them to the store and back.
extension Duration {
  /// The whole nanoseconds in this duration, rounded toward zero; the nearest `Int64` past ±292 years.
  public var nanoseconds: Int64 {
    // `components` traps on a duration whose seconds exceed 64 bits.
    guard self > .nanoseconds(Int64.min) else { return .min }
    guard self < .nanoseconds(Int64.max) else { return .max }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// The duration in seconds, as the nearest `Double`.
  public var seconds: Double { Double(nanoseconds) / 1e9 }
}
