import Platform
import SequenceRunner
import Synchronization

/// Clocks that move only on command.
final class SimulatedClock: ClockSource {
  private let reading = Mutex(SimulatedClock.first)

  private static let first = ClockReading(
    wall: Moment(microseconds: 1_790_000_000_000_000), boot: .nanoseconds(1_000_000_000_456),
    bootID: "boot 0")

  func now() -> ClockReading { reading.withLock { $0 } }

  /// Resets the clocks for a new scenario.
  func reset() { reading.withLock { $0 = SimulatedClock.first } }

  func advance(by duration: Duration) { reading.withLock { $0 = $0.advanced(by: duration) } }

  func setWall(by duration: Duration) {
    reading.withLock {
      $0 = ClockReading(wall: $0.wall.advanced(by: duration), boot: $0.boot, bootID: $0.bootID)
    }
  }

  /// Reboots the machine after some time switched off; some seconds of the new boot have passed.
  func reboot(after duration: Duration, number: Int) {
    reading.withLock {
      $0 = ClockReading(
        wall: $0.wall.advanced(by: duration), boot: .nanoseconds(5_000_000_123), bootID: "boot \(number)")
    }
  }
}
