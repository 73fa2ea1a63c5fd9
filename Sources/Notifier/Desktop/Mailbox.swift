import CSequenceLinux
import Glibc
package import Platform
import Synchronization

/// Values that one thread leaves for another, taken in the order in which they came.
package final class Mailbox<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let bell: FileDescriptor

  package init() throws(SystemError) {
    bell = FileDescriptor(
      owning: try SystemError.check("eventfd") {
        eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
      })
  }

  /// What to wait on: readable once there are values.
  package var descriptor: Int32 { bell.number }

  /// Leaves a value.
  package func put(_ value: Value) {
    values.withLock { $0.append(value) }
    var one: UInt64 = 1
    // It fails only once 2^64 - 2 values wait, and then the bell rings already.
    _ = unsafe write(bell.number, &one, MemoryLayout<UInt64>.size)
  }

  /// Takes all values that are there, and quietens the bell.
  package func takeAll() throws(SystemError) -> [Value] {
    // First the bell, then the values: one that comes in between rings again.
    _ = try bell.read(atMost: MemoryLayout<UInt64>.size)
    return takeValues()
  }

  /// Takes all values that are there, and leaves the bell as it is.
  package func takeValues() -> [Value] {
    values.withLock { values in
      defer { values.removeAll() }
      return values
    }
  }
}
