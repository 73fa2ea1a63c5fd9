import Platform
package import SequenceRunner
import Synchronization

/// Clocks that move only on a test's command.
package final class ManualClock: ClockSource {
  private let reading: Mutex<ClockReading>

  package init(
    wall: Moment = Moment(microseconds: 1_790_000_000_000_000), boot: Duration = .seconds(1000),
    bootID: String = "first-boot"
  ) {
    reading = Mutex(ClockReading(wall: wall, boot: boot, bootID: bootID))
  }

  package func now() -> ClockReading { reading.withLock { $0 } }

  /// Advances all clocks.
  package func advance(by duration: Duration) {
    reading.withLock { $0 = $0.advanced(by: duration) }
  }

  /// Sets the wall clock forward or back; the boot clock is unaffected.
  package func setWall(by duration: Duration) {
    reading.withLock {
      $0 = ClockReading(wall: $0.wall.advanced(by: duration), boot: $0.boot, bootID: $0.bootID)
    }
  }

  /// Reboots the machine after some time switched off.
  package func reboot(after duration: Duration) {
    reading.withLock {
      $0 = ClockReading(wall: $0.wall.advanced(by: duration), boot: .seconds(5), bootID: $0.bootID + "+")
    }
  }
}
