import CSequenceLinux
import Glibc

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
