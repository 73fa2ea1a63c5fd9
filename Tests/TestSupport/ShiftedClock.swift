package import SequencePlatform
import Synchronization

/// A clock that is three days ahead of another one, and counts its readings.
package final class ShiftedClock: ClockSource {
  private let base: any ClockSource
  private let count = Mutex(0)

  package init(_ base: any ClockSource) { self.base = base }

  package func now() -> ClockReading {
    count.withLock { $0 += 1 }
    return base.now().advanced(by: .seconds(3 * 86_400))
  }

  package var manualClock: ManualClock? { base.manualClock }

  package var readings: Int { count.withLock { $0 } }
}
