package import Platform

/// The thread that talks to logind, and to what sends an unused desktop to sleep.
///
/// It has nothing to do with notifications: a service that hangs keeps only this thread waiting.
package struct SleepThread: Sendable {
  private let orders: Mailbox<SleepOrder>
  /// The answers and signals, for the thread that decides.
  package let events: Mailbox<SleepEvent>

  /// Starts the thread, which ends with the process.
  package init() throws(SystemError) {
    let orders = try Mailbox<SleepOrder>()
    let events = try Mailbox<SleepEvent>()
    self.orders = orders
    self.events = events
    try startThread {
      let context = ThreadContext(wokenBy: orders.descriptor)
      let desk = SleepServices(orders: orders, events: events)
      while true {
        context.wait()
        // An order that comes while others are carried out rings, but draining may quieten that.
        var coming = orders.takeValues()
        while !coming.isEmpty {
          for order in coming {
            desk.carryOut(order)
            context.drain()
          }
          coming = orders.takeValues()
        }
      }
    }
  }

  /// Asks something, and returns at once.
  package func send(_ order: SleepOrder) { orders.put(order) }
}
