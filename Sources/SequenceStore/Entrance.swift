import Glibc
import Synchronization

/// Lets one thread in at a time, which may pass again while it is inside.
final class Entrance: Sendable {
  private let gate = Mutex<Void>(())
  /// The thread that is inside; 0 for none.
  private let thread = Atomic<UInt>(0)

  /// Runs a block as soon as no other thread is inside.
  func pass<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let own = UInt(pthread_self())
    // Only this thread stores its own number.
    if thread.load(ordering: .relaxed) == own { return try body() }
    // Swift makes the type of each generic value at run time, so there is one and no more.
    var result: Result?
    try gate.withLock { _ throws(Failure) in
      thread.store(own, ordering: .relaxed)
      defer { thread.store(0, ordering: .relaxed) }
      result = try body()
    }
    guard let result else { preconditionFailure("a block under a lock has run") }
    return result
  }
}
