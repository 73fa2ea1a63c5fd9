import Glibc
public import NotificationLedger
public import SequenceRunner
import Synchronization

/// Schedules desktop notifications, shows them at their time, and tells how the user responds.
///
/// Everything that is added is kept in a directory of the application's, so it outlives the process: what became due
/// in between is shown by the next scheduler of the directory, and what is on screen can be taken away by it. Calls
/// may come from any thread; each is done, on the disk, when it returns. Notifications are shown by threads of the
/// scheduler's own, so neither a server that hangs nor one that is missing keeps the application waiting. libnotify
/// belongs to one of them: an application that has a scheduler calls nothing of libnotify itself.
public final class NotificationScheduler: Sendable {
  /// How the user responds, in order.
  ///
  /// It is for one reader: a second one would take responses from the first. It ends when the scheduler does.
  public let responses: AsyncStream<NotificationResponse>

  private let directory: StateDirectory
  private let clock: any ReadingClock
  private let store: Mutex<RunStore>
  private let ending: Mailbox<Void>
  private let end: SchedulerEnd

  /// Starts to deliver what is and will be scheduled in a directory.
  ///
  /// - Parameters:
  ///   - directory: where notifications are kept, for this application alone.
  ///   - application: what notifications say of the application.
  ///   - latestDelivery: how late one may be shown, because the machine slept or no server was there; one that is
  ///     later is missed. `nil` for however late.
  ///   - styles: how notifications of a kind look and sound.
  ///   - willPresent: asked whether a notification is shown, up to 50 ms before its time, which is how long before it is
  ///     made ready; called in a thread of the scheduler's. It may be asked anew of the same one, and one that is to be
  ///     shown may still be replaced or removed before its time.
  ///   - onFailure: told why the store cannot be used for a while, once until the reason changes, or why the scheduler
  ///     has ended; called in a thread of the scheduler's. That there is no server is no failure: `desktop()` tells.
  /// - Throws: `SchedulerError.directoryInUse` if somebody else delivers from the directory, as a scheduler that is
  ///   gone does until its threads have ended; `SystemError` with `EBUSY` if the process has another scheduler;
  ///   `StoreError`, `ClockError`.
  public init(
    directory: StateDirectory, application: NotifyingApplication, latestDelivery: Duration? = nil,
    styles: [NotificationKind: NotificationStyle] = [:],
    willPresent: @escaping @Sendable (NotificationRequest) -> NotificationPresentation = { _ in .show },
    onFailure: @escaping @Sendable (any Error) -> Void
  ) throws {
    let clock = try SystemClock()
    self.directory = directory
    self.clock = clock
    store = Mutex(try RunStore.withNotifications(in: directory, clock: clock))
    ending = try Mailbox()
    let (responses, continuation) = AsyncStream.makeStream(of: NotificationResponse.self)
    self.responses = responses
    let lock = try FileLock(path: directory.agentLockPath)
    guard try lock.take() else { throw SchedulerError.directoryInUse(directory.path) }
    let holder = LockHolder(lock)
    let desktop = try DesktopThread(application)
    let end = SchedulerEnd()
    self.end = end
    let keeper = SchedulerKeeper(
      directory: directory, clock: clock, desktop: desktop, notifying: application, ending: ending,
      application: ScheduledNotifications(
        latestDelivery: latestDelivery ?? .seconds(100 * 365 * 86_400), styles: styles,
        willPresent: willPresent, responses: continuation))
    do {
      try startThread {
        do {
          try keeper.deliver(onFailure: onFailure)
        } catch {
          end.reason.withLock { $0 = "\(error)" }
          onFailure(error)
        }
        continuation.finish()
        // Held until here: nobody else delivers from the directory before this has ended.
        withExtendedLifetime(holder) {}
      }
    } catch {
      try desktop.end()
      throw error
    }
  }

  deinit { ending.put(()) }

  /// The present moment, from which the moments are counted at which notifications are due.
  public func now() -> Reading { clock.now() }

  /// Schedules notifications; one of the same identifier that is still to come is replaced.
  ///
  /// - Returns: those whose time is past already; they are left out.
  /// - Throws: `StoreError`, and `SchedulerError.ended` if nobody delivers any more; nothing is scheduled then.
  /// - Complexity: O(requests · log scheduled).
  @discardableResult
  public func add(_ requests: [NotificationRequest]) throws -> [NotificationRequest] {
    let reading = now()
    func isPast(_ request: NotificationRequest) -> Bool {
      if request.followsWallClock { return request.due.wall <= reading.wall }
      return request.due.elapsed(since: reading) == .zero
    }
    // The moments of those that follow the wall clock may have been read before it was set.
    let coming = requests.filter { !isPast($0) }.map {
      $0.followsWallClock ? $0.due(at: reading.at($0.due.wall)) : $0
    }
    try change { ledger in
      try ledger.withdrawComing(coming.map(\.identifier), at: reading)
      try ledger.add(coming, at: reading)
      try ledger.prune()
    }
    return requests.filter(isPast)
  }

  /// Schedules one notification, as `add(_:)` does several.
  ///
  /// - Returns: whether its time is still to come.
  /// - Throws: `StoreError`.
  @discardableResult
  public func add(_ request: NotificationRequest) throws -> Bool { try add([request]).isEmpty }

  /// What is to come, in the order in which it is due.
  ///
  /// - Throws: `StoreError`.
  public func pending(in scope: NotificationScope = .everything) throws -> [NotificationRequest] {
    let reading = now()
    return try entries(in: scope).filter { $0.isToCome(at: reading) }.map(\.request)
  }

  /// What is on screen, as far as the server has told.
  ///
  /// - Throws: `StoreError`.
  public func delivered(in scope: NotificationScope = .everything) throws -> [LedgerEntry] {
    try entries(in: scope).filter { $0.state == .delivered && !$0.isWithdrawn }
  }

  /// All that is known: what is to come, what is on screen, and what became of the last thousand of the rest.
  ///
  /// - Throws: `StoreError`.
  public func entries(in scope: NotificationScope = .everything) throws -> [LedgerEntry] {
    try store.withLock { store in try store.repairing { try store.ledger.entries(in: scope) } }
  }

  /// Takes away what is to come in a scope, and what is on screen.
  ///
  /// - Throws: `StoreError`, and `SchedulerError.ended` if nobody delivers any more; nothing is taken away then.
  /// - Complexity: O(notifications in the scope · log scheduled).
  public func remove(_ scope: NotificationScope) throws {
    let reading = now()
    try change { _ = try $0.clear(scope, at: reading, reason: "it was removed") }
  }

  /// Waits until what was removed is gone from the screen, for programs that end then.
  ///
  /// What a server that does not answer still shows is taken away by the next scheduler of the directory.
  ///
  /// - Parameter limit: how long to wait, at most.
  /// - Returns: whether it is gone.
  /// - Throws: `StoreError`, `SystemError`.
  public func waitUntilRemoved(within limit: Duration = .seconds(5)) throws -> Bool {
    let store = try RunStore.withNotifications(in: directory, clock: clock)
    let waiter = try StoreWaiter(store)
    let deadline = now().boot + limit
    while try store.repairing({ try store.ledger.live().contains(where: \.isWithdrawn) }) {
      guard now().boot < deadline else { return false }
      try waiter.wait(until: deadline)
    }
    return true
  }

  /// Whether notifications can be shown now, as far as that has been found out.
  ///
  /// - Throws: `StoreError`.
  public func desktop() throws -> DesktopState {
    try store.withLock { store in try store.repairing { try store.ledger.agentReport()?.desktop ?? .unknown }
    }
  }

  private func change(_ body: @Sendable (Ledger) throws -> Void) throws {
    if let reason = end.reason.withLock({ $0 }) { throw SchedulerError.ended(reason: reason) }
    try store.withLock { store in try store.changeLedger(body) }
  }
}

/// Why a scheduler cannot be had.
public enum SchedulerError: Error, Equatable, Sendable {
  /// Another process, or another scheduler of this one, delivers from the directory of this path.
  case directoryInUse(String)
  /// What delivers had to give up, for a reason that `onFailure` was told.
  case ended(reason: String)
}

/// Why a scheduler has ended, though it is still there.
private final class SchedulerEnd: Sendable {
  let reason = Mutex<String?>(nil)
}
