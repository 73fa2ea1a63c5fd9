import CLibnotify
import Glibc
package import Platform
import Synchronization

/// The one thread that talks to the desktop.
///
/// It may hang for as long as the desktop does: nothing waits for it.
package struct DesktopThread: Sendable {
  /// What to do, in order; `nil` ends the thread.
  private let orders: Mailbox<DesktopOrder?>
  /// What the desktop answered, for the thread that decides.
  package let events: Mailbox<DesktopEvent>
  /// The waiting for the time of what is to be shown.
  private let showTime: ShowTime
  /// Something is in it once the thread has ended.
  private let ended: Mailbox<Void>

  /// Whether there is such a thread: libnotify has one state for the whole process.
  private static let isInUse = Mutex(false)

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - application: what notifications say of the program that shows them.
  ///   - mayUseLoginBus: whether the session bus of the user's login takes the place of one that is dead. This changes
  ///     the environment of the process.
  /// - Throws: `SchedulerError.processInUse` if the process has one already; `SystemError`.
  package init(_ application: NotifyingApplication, mayUseLoginBus: Bool = false) throws {
    let orders = try Mailbox<DesktopOrder?>()
    let events = try Mailbox<DesktopEvent>()
    let ended = try Mailbox<Void>()
    let showTime = try ShowTime()
    self.orders = orders
    self.events = events
    self.showTime = showTime
    self.ended = ended
    let wasInUse = DesktopThread.isInUse.withLock { isInUse in
      defer { isInUse = true }
      return isInUse
    }
    guard !wasInUse else { throw SchedulerError.processInUse }
    do throws(SystemError) {
      try startThread {
        // What belongs to the desktop is made here, and not being `Sendable` it cannot leave.
        LibnotifyDesktop(
          application, orders: orders, events: events, showTime, mayUseLoginBus: mayUseLoginBus
        ).run()
        DesktopThread.isInUse.withLock { $0 = false }
        ended.put(())
      }
    } catch {
      DesktopThread.isInUse.withLock { $0 = false }
      throw error
    }
  }

  /// Asks something of the desktop, and returns at once.
  package func send(_ order: DesktopOrder) {
    switch order {
    case .callOff(let entry): showTime.callOff(entry)
    case .closeOnOtherBus(let entry, let shown, let address):
      OtherBus(address: address).close(entry, shown, answeringTo: events)
    case .probe, .status, .show, .close: orders.put(order)
    }
  }

  /// Ends the thread once it has done what it was asked before, and waits for that for as long as it takes.
  package func end() throws(SystemError) {
    orders.put(nil)
    _ = try waitUntilReadable([ended.descriptor])
  }
}

/// Has libnotify talk to the notification server, wherever the program was started.
///
/// Called before the program has other threads where that is possible: one of them may read the environment.
///
/// Some terminals are in the sandbox of a snap, which libnotify would take this program to be in too. It would then show
/// notifications through a portal, which tells nothing of what becomes of them.
package func ignorePortal() {
  // It fails for names that are none, and without memory. Any value counts.
  _ = unsafe setenv("NOTIFY_IGNORE_PORTAL", "1", 0)
}

/// Starts a thread that nobody joins.
func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
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
