import Glibc
public import NotificationDelivery
public import NotificationLedger
import Platform
public import Store
import Synchronization

/// Schedules desktop notifications, shows them at their time, and reports the user's responses.
///
/// Notifications are kept in a directory of the application, so they outlive the process: the next scheduler of the
/// directory shows those that became due in between, and can remove visible ones. Methods may be called from any
/// thread; each change is on the disk when the method returns. Threads of the scheduler show notifications, so a
/// hanging or missing server never blocks the application. One of these threads owns libnotify: an application with a
/// scheduler must not call libnotify itself.
public final class NotificationScheduler: Sendable {
  private let directory: StateDirectory
  private let clock: any ClockSource
  private let store: Mutex<OpenStore>
  private let ending: MessageQueue<Void>
  private let end: SchedulerEnd
  private let readers: ResponseReaders
  private let calendar = LocalCalendar()
  /// How long after its time a notification is still accepted.
  private let grace: Duration

  /// The maximum grace for a request that has just become due: more than the 5 s for which a busy store may block.
  private static let longestGrace = Duration.seconds(10)

  /// Starts to deliver the notifications of a directory.
  ///
  /// - Parameters:
  ///   - directory: the directory of the notifications, for this application only.
  ///   - application: the name and the icon of the application.
  ///   - latestDelivery: how late a notification may be shown, for example after a suspend or without a server; a later
  ///     one is missed. `nil` for no limit.
  ///   - willPresent: decides whether a notification is shown; called in a thread of the scheduler, up to 50 ms before
  ///     its time, when it is prepared. It may be called several times for one notification, which may still be
  ///     replaced or removed before its time.
  ///   - onFailure: receives the reason why the store is unusable, once until the reason changes, or why the scheduler
  ///     has ended; called in a thread of the scheduler. A missing server is not an error: see `desktop()`.
  /// - Throws: `SchedulerError.directoryInUse` if another scheduler delivers from the directory,
  ///   `SchedulerError.processInUse` if the process has a scheduler of another directory; `StoreError`, `ClockError`,
  ///   `SystemError`. A scheduler that was released counts until its threads have ended: `shutdown()` waits for that.
  public init(
    directory: StateDirectory, application: NotifyingApplication, latestDelivery: Duration? = nil,
    willPresent: @escaping @Sendable (NotificationRequest) -> NotificationPresentation = { _ in .show },
    onFailure: @escaping @Sendable (any Error) -> Void
  ) throws {
    let clock = try SystemClock()
    self.directory = directory
    self.clock = clock
    store = Mutex(
      try OpenStore(directory: directory, clock: clock, parts: [NotificationTables()]))
    ending = try MessageQueue()
    let readers = ResponseReaders()
    self.readers = readers
    grace = min(latestDelivery ?? NotificationScheduler.longestGrace, NotificationScheduler.longestGrace)
    let lock = try FileLock(path: directory.agentLockPath)
    guard try lock.take() else { throw SchedulerError.directoryInUse(directory.path) }
    let holder = LockHolder(lock)
    ignorePortal()
    let desktop = try DesktopThread(application)
    let end = SchedulerEnd()
    self.end = end
    let keeper = SchedulerKeeper(
      directory: directory, clock: clock, desktop: desktop, notifying: application, ending: ending,
      application: ScheduledNotifications(
        latestDelivery: latestDelivery ?? .seconds(100 * 365 * 86_400), willPresent: willPresent,
        responses: readers, calendar: calendar))
    do {
      try startThread {
        do {
          try keeper.deliver(onFailure: onFailure)
        } catch {
          end.begin(because: "\(error)")
          onFailure(error)
        }
        readers.finish()
        // Held until here, so that no other scheduler delivers from the directory before this one has ended.
        do throws(SystemError) { try holder.release() } catch { onFailure(error) }
        end.complete()
      }
    } catch {
      try desktop.end()
      throw error
    }
  }

  deinit { ending.put(()) }

  /// Ends the scheduler and waits until its threads have ended.
  ///
  /// Pending notifications stay in the directory, visible ones on screen. Afterwards the process can have another
  /// scheduler, and anybody can deliver from the directory. A server that hangs delays the end by up to 25 s.
  public func shutdown() async {
    end.begin(because: "it was shut down")
    ending.put(())
    await end.wait()
  }

  /// Starts a stream of the user's responses, in order.
  ///
  /// Each reader has a stream of its own with every response from then on; cancelling one ends no other. Responses
  /// that arrive without any reader are in the next stream, up to a thousand, and in
  /// ``/NotificationLedger/LedgerEntry/response``. All streams end with the scheduler.
  public func responses() -> AsyncStream<NotificationResponse> { readers.stream() }

  /// Schedules notifications; a pending one with the same identifier is replaced.
  ///
  /// A repeating request that is pending with the same trigger keeps its next time, so a program may add it at each
  /// start.
  ///
  /// - Returns: the requests that are left out because they were due more than 10 s ago, or more than
  ///   `latestDelivery`.
  /// - Throws: `StoreError`; `SchedulerError.ended` if the scheduler has ended, `SchedulerError.unusableTrigger` for a
  ///   trigger without any time, and `SchedulerError.unusableKey` for actions that cannot be distinguished. Nothing is
  ///   scheduled then.
  /// - Complexity: O(requests · log scheduled).
  @discardableResult
  public func add(_ requests: [NotificationRequest]) throws -> [NotificationRequest] {
    try requests.forEach(NotificationScheduler.requireUsableKeys)
    let reading = clock.now()
    let first = FirstTimes(at: reading, calendar)
    let scheduled = try requests.map { ScheduledRequest($0, due: try first.due($0)) }
    func isTooLate(_ scheduled: ScheduledRequest) -> Bool {
      let late =
        scheduled.request.trigger.followsWallClock
        ? reading.wall.duration(since: scheduled.due.wall) : reading.elapsed(since: scheduled.due)
      return late > grace
    }
    let accepted = scheduled.filter { !isTooLate($0) }
    try change { ledger in
      try ledger.withdrawComing(accepted.map(\.request.identifier), at: reading)
      try ledger.add(accepted.map { try ledger.keepingTime(of: $0) }, at: reading)
      try ledger.prune()
    }
    return scheduled.filter(isTooLate).map(\.request)
  }

  /// Schedules one notification, as `add(_:)` does several.
  ///
  /// - Returns: the request if it is too late and was left out; `nil` if it is scheduled.
  /// - Throws: as `add(_:)` of several.
  @discardableResult
  public func add(_ request: NotificationRequest) throws -> NotificationRequest? { try add([request]).first }

  private static func requireUsableKeys(_ request: NotificationRequest) throws(SchedulerError) {
    var keys: Set<String> = []
    for action in request.actions {
      // libnotify takes a key up to its first NUL, and refuses an empty one.
      guard !action.key.isEmpty, !action.key.utf8.contains(0), keys.insert(action.key).inserted else {
        throw .unusableKey(action.key, identifier: request.identifier)
      }
    }
  }

  /// Returns the pending notifications, earliest first.
  ///
  /// - Throws: `StoreError`.
  public func pending(in scope: NotificationScope = .everything) throws(StoreError) -> [NotificationRequest] {
    let reading = clock.now()
    return try entries(in: scope).filter { $0.isToCome(at: reading) && !$0.isOccurrence }.map(\.request)
  }

  /// Returns the visible notifications, as far as the server has reported.
  ///
  /// - Throws: `StoreError`.
  public func delivered(in scope: NotificationScope = .everything) throws(StoreError) -> [LedgerEntry] {
    try entries(in: scope).filter { $0.state == .delivered && !$0.isWithdrawn }
  }

  /// Returns all known notifications: pending, visible, and the last thousand that have ended.
  ///
  /// - Throws: `StoreError`.
  public func entries(in scope: NotificationScope = .everything) throws(StoreError) -> [LedgerEntry] {
    try readLedger { ledger throws(StoreError) in try ledger.entries(in: scope) }
  }

  /// Removes the pending and the visible notifications of a scope.
  ///
  /// - Throws: `StoreError`, and `SchedulerError.ended` if the scheduler has ended; nothing is removed then.
  /// - Complexity: O(notifications in the scope · log scheduled).
  public func remove(_ scope: NotificationScope) throws {
    let reading = clock.now()
    try change { _ = try $0.clear(scope, at: reading, reason: .removed) }
  }

  /// Waits until removed notifications are gone from the screen, for programs that are about to exit.
  ///
  /// Notifications on a server that does not answer are removed by the next scheduler of the directory.
  ///
  /// - Parameter limit: the maximum time to wait.
  /// - Returns: whether they are gone.
  /// - Throws: `StoreError`, `SystemError`.
  public func waitUntilRemoved(within limit: Duration = .seconds(5)) throws -> Bool {
    let store = try OpenStore(directory: directory, clock: clock, parts: [NotificationTables()])
    let waiter = try StoreWaiter(store)
    let deadline = clock.now().boot + limit
    while try store.readLedger({ try $0.live().contains(where: \.isWithdrawn) }) {
      guard clock.now().boot < deadline else { return false }
      try waiter.wait(until: deadline)
    }
    return true
  }

  /// Whether notifications can be shown now, as far as that has been found out.
  ///
  /// - Throws: `StoreError`.
  public func desktop() throws(StoreError) -> DesktopState {
    try readLedger { ledger throws(StoreError) in try ledger.agentReport() }?.desktop ?? .unknown
  }

  private func readLedger<Result: Sendable>(
    _ body: @Sendable (Ledger) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try store.withLock { store throws(StoreError) in try store.readLedger(body) }
  }

  private func change(_ body: @Sendable (Ledger) throws -> Void) throws {
    if let reason = end.reason { throw SchedulerError.ended(reason: reason) }
    try store.withLock { store in try store.changeLedger(body) }
  }
}
