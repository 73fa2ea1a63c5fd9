import Glibc

/// Waits until a moment comes, the store changes, or something else happens.
///
/// The moment has a timer of its own: whatever else comes or does not come, time goes on.
package final class StoreWaiter {
  private let clock: any ReadingClock
  private let timer: DeadlineTimer
  private let watch: Watch

  /// How often to look where the kernel cannot tell of changes, since a limit of its is reached.
  private static let lookInterval = Duration.seconds(1)

  private enum Watch: ~Copyable {
    case directory(DirectoryWatch)
    case none
  }

  /// Waits for changes of the store in a directory, which must be there.
  package init(directory: StateDirectory, clock: any ReadingClock) throws(SystemError) {
    self.clock = clock
    timer = try DeadlineTimer()
    do throws(SystemError) {
      watch = .directory(try DirectoryWatch(path: directory.path))
    } catch {
      guard error.code == ENOSPC || error.code == EMFILE || error.code == ENOMEM else { throw error }
      watch = .none
    }
  }

  /// Waits until a time on the boot clock, a change of the store, or one of some descriptors is readable.
  ///
  /// - Returns: those of the descriptors that are.
  @discardableResult
  package func wait(until deadline: Duration?, or descriptors: [Int32] = []) throws(SystemError) -> [Int32] {
    var waited = [timer.descriptor] + descriptors
    switch watch {
    case .directory(let watch):
      try timer.arm(deadline)
      waited.append(watch.descriptor)
    case .none:
      let look = clock.now().boot + StoreWaiter.lookInterval
      try timer.arm(deadline.map { min($0, look) } ?? look)
    }
    let ready = try waitUntilReadable(waited)
    if ready.contains(timer.descriptor) { try timer.acknowledge() }
    switch watch {
    case .directory(let watch): if ready.contains(watch.descriptor) { try watch.drain() }
    case .none: break
    }
    return ready.filter(descriptors.contains)
  }
}
