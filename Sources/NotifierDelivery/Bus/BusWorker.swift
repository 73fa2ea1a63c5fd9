import CSequenceGLib
import Glibc
package import SequencePlatform

/// A thread that carries out orders on a bus: a bus or a service that hangs keeps only this thread waiting.
package struct BusWorker<Order: Sendable>: Sendable {
  /// The orders; `nil` ends the thread.
  private let orders: MessageQueue<Order?>

  package init() throws(SystemError) { orders = try MessageQueue() }

  /// - Parameters:
  ///   - makeServices: makes, in the thread, the services that carry out the orders.
  ///   - onEnd: called in the thread once they are released.
  package func start(
    _ makeServices: @escaping @Sendable (ThreadContext) -> (Order) -> Void,
    onEnd: @escaping @Sendable () -> Void = {}
  ) throws(SystemError) {
    try startThread { [orders] in
      do {
        let context = ThreadContext(wokenBy: orders.descriptor)
        do {
          // Released before the last messages are sent.
          let carryOut = makeServices(context)
          context.serve(orders, carryOut)
        }
        // Sends the last messages of the services, and frees their subscriptions.
        context.drain()
      }
      onEnd()
    }
  }

  package func send(_ order: Order) { orders.put(order) }

  /// Ends the thread after its orders.
  package func end() { orders.put(nil) }
}

/// A main context of GLib that is the default of one thread, and is woken by a queue.
///
/// To be made and used in that thread alone.
@safe package final class ThreadContext {
  private let context: OpaquePointer
  private let source: UnsafeMutablePointer<GSource>?

  fileprivate init(wokenBy descriptor: Int32) {
    unsafe context = g_main_context_new()
    unsafe g_main_context_push_thread_default(context)
    unsafe source = g_unix_fd_source_new(descriptor, G_IO_IN)
    // The waiting thread takes the values from the queue; this source only ends the wait. It resets the descriptor,
    // otherwise draining would never end.
    let reset: GUnixFDSourceFunc = { descriptor, _, _ in
      var count: UInt64 = 0
      // It fails only if the descriptor was reset already.
      _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
      return 1
    }
    unsafe g_source_set_callback(source, unsafeBitCast(reset, to: GSourceFunc.self), nil, nil)
    _ = unsafe g_source_attach(source, context)
  }

  deinit {
    unsafe g_source_destroy(source)
    unsafe g_source_unref(source)
    unsafe g_main_context_pop_thread_default(context)
    unsafe g_main_context_unref(context)
  }

  /// Carries out the values of the queue as they come, until one of them is `nil`.
  fileprivate func serve<Value>(_ queue: MessageQueue<Value?>, _ carryOut: (Value) -> Void) {
    while true {
      wait()
      // A value that comes while others are carried out makes the descriptor readable, but draining may reset it.
      var coming = queue.takeValues()
      while !coming.isEmpty {
        for value in coming {
          guard let value else { return }
          carryOut(value)
          drain()
        }
        coming = queue.takeValues()
      }
    }
  }

  private func wait() { _ = unsafe g_main_context_iteration(context, 1) }

  /// Dispatches pending events; without it each closed notification would leak.
  func drain() {
    while unsafe g_main_context_pending(context) != 0, unsafe g_main_context_iteration(context, 0) != 0 {}
  }
}
