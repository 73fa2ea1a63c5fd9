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

extension ClockReading: Encodable {
  private enum CodingKeys: String, CodingKey { case wall, boot, bootID }

  /// Writes whole numbers, which come back exactly.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(wall, forKey: .wall)
    try container.encode(boot.nanoseconds, forKey: .boot)
    try container.encode(bootID, forKey: .bootID)
  }
}
