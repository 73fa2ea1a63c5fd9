import CSequenceAdwaita
import Synchronization

/// Work that would hold up the main loop.
enum Background {
  /// Does work on a thread of its own, and hands the result over in the main loop.
  static func run<Result: Sendable>(
    _ name: String, _ work: @escaping @Sendable () -> Result, then deliver: @escaping (Result) -> Void
  ) {
    let job = Job(work, deliver)
    // The thread runs detached; GLib ends the program if it cannot start one.
    let thread = unsafe g_thread_new(
      name, { unsafe Background.perform($0) }, Unmanaged.passRetained(job).toOpaque())
    unsafe g_thread_unref(thread)
  }

  /// Runs on the thread of the work.
  private static func perform(_ data: gpointer?) -> gpointer? {
    guard let data = unsafe data else { return nil }
    unsafe Unmanaged<AnyJob>.fromOpaque(data).takeUnretainedValue().work()
    let call: GSourceFunc = { data in
      guard let data = unsafe data else { return 0 }
      // The closures belong to the main loop, and end there.
      unsafe Unmanaged<AnyJob>.fromOpaque(data).takeRetainedValue().deliver()
      return 0
    }
    unsafe g_idle_add(call, data)
    return nil
  }
}

/// Work and what follows it, without the type of the result.
private class AnyJob {
  func work() {}
  func deliver() {}
}

private final class Job<Result: Sendable>: AnyJob {
  private let body: @Sendable () -> Result
  private let receiver: (Result) -> Void
  private let result = Mutex<Result?>(nil)

  init(_ body: @escaping @Sendable () -> Result, _ receiver: @escaping (Result) -> Void) {
    self.body = body
    self.receiver = receiver
  }

  override func work() {
    let made = body()
    result.withLock { $0 = made }
  }

  override func deliver() {
    if let made = result.withLock({ $0 }) { receiver(made) }
  }
}
