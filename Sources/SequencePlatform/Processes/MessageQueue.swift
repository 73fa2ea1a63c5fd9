import CSequenceLinux
import Glibc
import Synchronization

/// A queue of values from one thread to another, with a descriptor to wait on.
package final class MessageQueue<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let event: FileDescriptor

  package init() throws(SystemError) {
    event = FileDescriptor(
      owning: try SystemError.check("eventfd") {
        eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
      })
  }

  /// The descriptor to wait on: readable while there are values.
  package var descriptor: Int32 { event.number }

  package func put(_ value: Value) {
    values.withLock { $0.append(value) }
    wake()
  }

  package var isEmpty: Bool { values.withLock(\.isEmpty) }

  package func wake() {
    var one: UInt64 = 1
    // It fails only if 2^64 - 2 values wait, and then the descriptor is readable.
    _ = unsafe write(event.number, &one, MemoryLayout<UInt64>.size)
  }

  /// Removes and returns all values, and resets the descriptor.
  package func takeAll() throws(SystemError) -> [Value] {
    // The descriptor first: a value that is added in between makes it readable again.
    _ = try event.read(atMost: MemoryLayout<UInt64>.size)
    return takeValues()
  }

  /// Removes and returns all values, and leaves the descriptor unchanged.
  package func takeValues() -> [Value] {
    values.withLock { values in
      defer { values.removeAll() }
      return values
    }
  }
}
