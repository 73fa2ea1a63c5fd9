package import SequencePlatform

/// The thread that talks to logind, and to what sends an unused desktop to sleep.
///
/// It has nothing to do with notifications: a service that hangs keeps only this thread waiting.
package struct SleepThread: SleepConnection {
  /// The orders; `nil` ends the thread.
  private let orders: MessageQueue<SleepOrder?>
  package let events: MessageQueue<SleepEvent>

  /// Starts the thread.
  package init(_ text: InhibitorText) throws(SystemError) {
    let orders = try MessageQueue<SleepOrder?>()
    let events = try MessageQueue<SleepEvent>()
    self.orders = orders
    self.events = events
    try startThread {
      let context = ThreadContext(wokenBy: orders.descriptor)
      SleepThread.serve(orders, events, text, in: context)
    }
  }

  /// Carries orders out until the last one.
  private static func serve(
    _ orders: MessageQueue<SleepOrder?>, _ events: MessageQueue<SleepEvent>, _ text: InhibitorText,
    in context: ThreadContext
  ) {
    let services = SleepServices(orders: orders, events: events, text)
    context.serve(orders) { services.carryOut($0) }
  }

  package func send(_ order: SleepOrder) { orders.put(order) }

  package func end() { orders.put(nil) }
}
