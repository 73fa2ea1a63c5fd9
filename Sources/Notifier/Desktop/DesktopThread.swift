import CLibnotify
import Glibc
package import SequenceRunner

/// The one thread that talks to the desktop.
///
/// It may hang for as long as the desktop does: nothing waits for it.
package struct DesktopThread: Sendable {
  private let orders: Mailbox<DesktopOrder>
  /// What the desktop answered, for the thread that decides.
  package let events: Mailbox<DesktopEvent>

  /// Starts the thread.
  ///
  /// - Parameter configuration: what notifications say of the program that shows them.
  package init(_ configuration: DesktopConfiguration) throws(SystemError) {
    let orders = try Mailbox<DesktopOrder>()
    let events = try Mailbox<DesktopEvent>()
    self.orders = orders
    self.events = events
    try startThread {
      // What belongs to the desktop is made here, and not being `Sendable` it cannot leave.
      let desktop = LibnotifyDesktop(configuration, events: events)
      desktop.run(orders)
    }
  }

  /// Asks something of the desktop, and returns at once.
  package func send(_ order: DesktopOrder) { orders.put(order) }
}

/// Starts a thread that nobody joins.
private func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
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
