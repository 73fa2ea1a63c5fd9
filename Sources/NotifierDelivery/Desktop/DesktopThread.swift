import Glibc
package import SequencePlatform
package import SequenceStore
import Synchronization

/// A connection of a scheduler, a notifier or an agent to the desktop, in the one thread of the process that talks to it.
///
/// The thread may hang as long as the desktop does, because no other thread waits for it.
package struct DesktopThread: DesktopConnection {
  private let thread: SharedThread
  private let client: Int
  package let events: MessageQueue<DesktopEvent>
  private let showTime: ShowTime
  private let name: String

  /// Starts the thread if the process has none.
  ///
  /// - Parameter mayUseLoginBus: whether the session bus of the user's login takes the place of one that is dead. This
  ///   changes the environment of the process. The first connection of the process decides.
  package init(
    _ application: NotifyingApplication, _ clock: any ClockSource, in directory: StateDirectory?,
    mayUseLoginBus: Bool = false
  ) throws(SystemError) {
    events = try MessageQueue<DesktopEvent>()
    showTime = try ShowTime(of: clock)
    name = application.name
    let member = DesktopClients.Client(
      application: application, tagSuffix: directory.map(DesktopThread.tagSuffix) ?? "", events: events,
      showTime: showTime)
    (thread, client) = try SharedThread.join(member, mayUseLoginBus: mayUseLoginBus)
  }

  package var descriptor: Int32 { events.descriptor }

  package func takeEvents() throws(SystemError) -> [DesktopEvent] { try events.takeAll() }

  package func send(_ order: DesktopOrder) {
    switch order {
    case .callOff(let entry): showTime.callOff(entry)
    case .probe, .startServer, .status: thread.worker.send(.carryOut(order))
    case .show(let entry, let content, let shown):
      let ticket = thread.clients.ticket(for: entry, of: client)
      thread.worker.send(.carryOut(.show(entry: ticket, content, as: shown)))
    case .close(let entry, let shown):
      thread.worker.send(.carryOut(.close(entry: thread.clients.ticket(for: entry, of: client), shown)))
    }
  }

  /// The desktop has a thread of its own, and doesn't wait for the loop.
  package func rest(until wake: Duration?) {}

  package var endingLimit: Duration { .seconds(1) }

  package func connectToSleep(
    why: @escaping @Sendable (InhibitorRequest) -> String
  ) throws(SystemError) -> SleepConnection { try SleepServices.connect(InhibitorText(name, why: why)) }

  /// Leaves the thread after the orders of this connection, and waits for that without a limit; the last connection
  /// waits for the end of the thread.
  package func end() throws(SystemError) {
    let left = try MessageQueue<Void>()
    thread.worker.send(.leave(client, left))
    _ = try waitUntilReadable([left.descriptor, thread.ended.descriptor])
  }

  /// A short hash of the path of a state directory without links.
  private static func tagSuffix(of directory: StateDirectory) -> String {
    let path = resolvedPath(directory.path) ?? directory.path
    return "@" + String(UInt32(truncatingIfNeeded: StableHash.fnv1a128(Array(path.utf8))), radix: 16)
  }
}

/// The one thread of the process that talks to the desktop: libnotify has one state for the whole process.
private final class SharedThread: Sendable {
  enum Order: Sendable {
    /// Carry an order out whose entry is a ticket.
    case carryOut(DesktopOrder)
    /// Forget a client, and put something into its queue then; the last one ends the thread.
    case leave(Int, MessageQueue<Void>)
  }

  let worker: BusWorker<Order>
  let clients = DesktopClients()
  /// Something is in it once the thread has ended.
  let ended: MessageQueue<Void>

  private struct State {
    var current: SharedThread?
    /// The thread before, which may not have ended yet.
    var former: SharedThread?
  }

  private static let state = Mutex(State())

  static func join(
    _ client: DesktopClients.Client, mayUseLoginBus: Bool
  ) throws(SystemError) -> (SharedThread, Int) {
    try state.withLock { state throws(SystemError) in
      if let thread = state.current { return (thread, thread.clients.add(client)) }
      // libnotify is used by one thread after the other.
      if let former = state.former { _ = try waitUntilReadable([former.ended.descriptor]) }
      let thread = try SharedThread()
      let number = thread.clients.add(client)
      try thread.start(mayUseLoginBus: mayUseLoginBus)
      state.current = thread
      return (thread, number)
    }
  }

  private init() throws(SystemError) {
    worker = try BusWorker<Order>()
    ended = try MessageQueue<Void>()
  }

  private func start(mayUseLoginBus: Bool) throws(SystemError) {
    try worker.start { [self] context in
      // What belongs to the desktop is made here, and not being `Sendable` it cannot leave.
      let desktop = LibnotifyDesktop(clients, in: context, mayUseLoginBus: mayUseLoginBus)
      return { [self] order in
        switch order {
        case .carryOut(let order): desktop.carryOut(order)
        case .leave(let client, let left): if !leave(client) { left.put(()) }
        }
      }
    } onEnd: { [ended] in
      ended.put(())
    }
  }

  private func leave(_ client: Int) -> Bool {
    SharedThread.state.withLock { state in
      guard clients.remove(client) else { return false }
      (state.current, state.former) = (nil, self)
      worker.end()
      return true
    }
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
