import CSequenceLinux
import Glibc
import Synchronization

/// Starts a detached thread.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let box = unsafe Unmanaged.passRetained(Box(body))
  var thread = pthread_t()
  let status = unsafe pthread_create(
    &thread, nil,
    { argument in
      if let argument = unsafe argument {
        unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      }
      return nil
    }, box.toOpaque())
  guard status == 0 else {
    unsafe box.release()
    throw SystemError(call: "pthread_create", code: status)
  }
  // It fails for threads that do not exist only.
  _ = pthread_detach(thread)
}

/// Runs a function that may block in a thread of its own, and returns its result.
package func inThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    do {
      try startThread { continuation.resume(with: Result { try body() }) }
    } catch {
      continuation.resume(throwing: error)
    }
  }
}

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

/// Turns signals into something to wait on, instead of handlers that run at any moment.
package struct SignalWatch: ~Copyable {
  private let watch: FileDescriptor

  /// Blocks signals in this thread and in threads that it starts later, and queues them here.
  package init(_ signals: [Int32]) throws(SystemError) {
    var set = SignalWatch.set(of: signals)
    _ = try SystemError.check("sigprocmask") { unsafe sigprocmask(SIG_BLOCK, &set, nil) }
    watch = FileDescriptor(
      owning: try SystemError.check("signalfd") {
        unsafe signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
      })
  }

  package var descriptor: Int32 { watch.number }

  package func next() throws(SystemError) -> Int32? {
    let size = MemoryLayout<signalfd_siginfo>.size
    guard let bytes = try watch.read(atMost: size), bytes.count == size else { return nil }
    return unsafe bytes.withUnsafeBytes { unsafe Int32($0.load(as: signalfd_siginfo.self).ssi_signo) }
  }

  private static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    // They fail for numbers that are no signals only.
    _ = unsafe sigemptyset(&set)
    for signal in signals { _ = unsafe sigaddset(&set, signal) }
    return set
  }
}

/// Waits until one of some descriptors is readable or closed.
///
/// - Parameter reader: a descriptor that is written to; closing its other end ends the waiting too.
/// - Returns: the descriptors that are readable or closed, in the order given.
package func waitUntilReadable(
  _ descriptors: [Int32], orGone reader: Int32? = nil
) throws(SystemError) -> [Int32] {
  var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  // Even without events, the kernel reports errors and hang-ups.
  if let reader { entries.append(pollfd(fd: reader, events: 0, revents: 0)) }
  _ = try SystemError.check("poll") { unsafe poll(&entries, nfds_t(entries.count), -1) }
  return entries.filter { $0.revents != 0 }.map(\.fd)
}
