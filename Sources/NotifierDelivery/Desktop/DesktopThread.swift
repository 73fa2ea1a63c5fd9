import Glibc
package import NotifierBus
package import SequencePlatform
package import SequenceStore
import Synchronization

/// The one thread that talks to the desktop.
///
/// It may hang as long as the desktop does, because no other thread waits for it.
package struct DesktopThread: DesktopConnection {
  /// The orders; `nil` ends the thread.
  private let orders: MessageQueue<DesktopOrder?>
  /// The events of the desktop, for the thread that decides.
  package let events: MessageQueue<DesktopEvent>
  /// The wait for the time of a prepared notification.
  private let showTime: ShowTime
  /// Something is in it once the thread has ended.
  private let ended: MessageQueue<Void>

  /// Whether there is such a thread: libnotify has one state for the whole process.
  private static let isInUse = Mutex(false)

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - application: what notifications say of the program that shows them.
  ///   - clock: the clock of the notifications.
  ///   - directory: the state directory of the notifications; `nil` if there is none.
  ///   - mayUseLoginBus: whether the session bus of the user's login takes the place of one that is dead. This changes
  ///     the environment of the process.
  /// - Throws: `SchedulerError.processInUse` if the process has one already; `SystemError`.
  package init(
    _ application: NotifyingApplication, _ clock: any ClockSource, in directory: StateDirectory?,
    mayUseLoginBus: Bool = false
  ) throws {
    let orders = try MessageQueue<DesktopOrder?>()
    let events = try MessageQueue<DesktopEvent>()
    let ended = try MessageQueue<Void>()
    let showTime = try ShowTime(of: clock)
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
          application, directory, orders: orders, events: events, showTime, mayUseLoginBus: mayUseLoginBus
        ).run()
        DesktopThread.isInUse.withLock { $0 = false }
        ended.put(())
      }
    } catch {
      DesktopThread.isInUse.withLock { $0 = false }
      throw error
    }
  }

  package var descriptor: Int32 { events.descriptor }

  package func takeEvents() throws(SystemError) -> [DesktopEvent] { try events.takeAll() }

  package func send(_ order: DesktopOrder) {
    switch order {
    case .callOff(let entry): showTime.callOff(entry)
    case .closeOnOtherBus(let entry, let shown, let address):
      OtherBus(address: address).close(entry, shown, answeringTo: events)
    case .probe, .status, .show, .close: orders.put(order)
    }
  }

  /// The desktop has a thread of its own, and doesn't wait for the loop.
  package func rest(until wake: Duration?) {}

  package var endingLimit: Duration { .seconds(1) }

  package func connectToSleep() throws(SystemError) -> any SleepConnection { try SleepThread() }

  /// Ends the thread after its orders, and waits for that without a limit.
  package func end() throws(SystemError) {
    orders.put(nil)
    _ = try waitUntilReadable([ended.descriptor])
  }
}

/// Makes libnotify talk to the notification server, wherever the program was started.
///
/// Should be called before the program has other threads, because one of them may read the environment.
///
/// Some terminals run in the sandbox of a snap, and libnotify would assume the same of this program. It would then show
/// notifications through a portal, which reports neither buttons nor closing.
package func ignorePortal() {
  // It fails for names that are none, and without memory. Any value counts.
  _ = unsafe setenv("NOTIFY_IGNORE_PORTAL", "1", 0)
}
