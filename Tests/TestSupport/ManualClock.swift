public import SequenceRunner
import Synchronization

/// Clocks that stand still until a test moves them.
public final class ManualClock: ReadingClock {
  private let reading: Mutex<Reading>

  public init(
    wall: Moment = Moment(microseconds: 1_790_000_000_000_000), boot: Duration = .seconds(1000),
    bootID: String = "first-boot"
  ) {
    reading = Mutex(Reading(wall: wall, boot: boot, bootID: bootID))
  }

  public func now() -> Reading { reading.withLock { $0 } }

  /// Lets time go by.
  public func advance(by duration: Duration) {
    reading.withLock { $0 = $0.advanced(by: duration) }
  }

  /// Sets the wall clock forwards or backwards; the boot clock does not notice.
  public func setWall(by duration: Duration) {
    reading.withLock {
      $0 = Reading(wall: $0.wall.advanced(by: duration), boot: $0.boot, bootID: $0.bootID)
    }
  }

  /// Restarts the machine, which is off for a while.
  public func reboot(after duration: Duration) {
    reading.withLock {
      $0 = Reading(wall: $0.wall.advanced(by: duration), boot: .seconds(5), bootID: $0.bootID + "+")
    }
  }
}
