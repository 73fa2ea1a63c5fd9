import Glibc
public import NotificationLedger
public import Platform
public import Store
import Synchronization

/// Schedules desktop notifications, shows them at their time, and tells how the user responds.
///
/// Everything that is added is kept in a directory of the application's, so it outlives the process: what became due
/// in between is shown by the next scheduler of the directory, and what is on screen can be taken away by it. Calls
/// may come from any thread; each is done, on the disk, when it returns. Notifications are shown by threads of the
/// scheduler's own, so neither a server that hangs nor one that is missing keeps the application waiting. libnotify
/// belongs to one of them: an application that has a scheduler calls nothing of libnotify itself.
public final class NotificationScheduler: Sendable {
  private let directory: StateDirectory
  private let clock: any ClockSource
  private let store: Mutex<OpenStore>
  private let ending: Mailbox<Void>
  private let end: SchedulerEnd
  private let readers: ResponseReaders
  /// How long after its time a notification is still accepted.
  private let grace: Duration

  /// The grace for what has just become due, at most: more than the 5 s that the store may keep a call waiting.
  private static let longestGrace = Duration.seconds(10)

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
  /// - Throws: `SchedulerError.directoryInUse` if another scheduler delivers from the directory,
  ///   `SchedulerError.processInUse` if the process has a scheduler of another directory; `StoreError`, `ClockError`,
  ///   `SystemError`. A scheduler that was released counts until its threads have ended: `shutdown()` waits for that.
  public init(
    directory: StateDirectory, application: NotifyingApplication, latestDelivery: Duration? = nil,
    styles: [NotificationKind: NotificationStyle] = [:],
    willPresent: @escaping @Sendable (NotificationRequest) -> NotificationPresentation = { _ in .show },
    onFailure: @escaping @Sendable (any Error) -> Void
  ) throws {
    let clock = try SystemClock()
    self.directory = directory
    self.clock = clock
    store = Mutex(
      try OpenStore(directory: directory, clock: clock, parts: [NotificationTables()]))
    ending = try Mailbox()
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
        latestDelivery: latestDelivery ?? .seconds(100 * 365 * 86_400), styles: styles,
        willPresent: willPresent, responses: readers))
    do {
      try startThread {
        do {
          try keeper.deliver(onFailure: onFailure)
        } catch {
          end.begin(because: "\(error)")
          onFailure(error)
        }
        readers.finish()
        // Held until here: nobody else delivers from the directory before this has ended.
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
  /// that arrive without any reader are in the next stream, up to a thousand, and in ``/NotificationLedger/LedgerEntry/response``.
  /// All streams end with the scheduler.
  public func responses() -> AsyncStream<NotificationResponse> { readers.stream() }

  /// The present moment, from which the moments are counted at which notifications are due.
  public func now() -> ClockReading { clock.now() }

  /// Schedules notifications; one of the same identifier that is still to come is replaced.
  ///
  /// A notification that has just become due is shown at once: `due: now()` is allowed.
  ///
  /// - Returns: the requests that are left out because they were due more than 10 s ago, or more than
  ///   `latestDelivery`.
  /// - Throws: `StoreError`; `SchedulerError.ended` if nobody delivers any more, and `SchedulerError.unusableKey` for
  ///   actions that cannot be told apart. Nothing is scheduled then.
  /// - Complexity: O(requests · log scheduled).
  @discardableResult
  public func add(_ requests: [NotificationRequest]) throws -> [NotificationRequest] {
    try requests.forEach(NotificationScheduler.requireUsableKeys)
    let reading = now()
    func isTooLate(_ request: NotificationRequest) -> Bool {
      let late =
        request.followsWallClock
        ? reading.wall.duration(since: request.due.wall) : reading.elapsed(since: request.due)
      return late > grace
    }
    // The moments of those that follow the wall clock may have been read before it was set.
    let accepted = requests.filter { !isTooLate($0) }.map {
      $0.followsWallClock ? $0.due(at: reading.at($0.due.wall)) : $0
    }
    try change { ledger in
      try ledger.withdrawComing(accepted.map(\.identifier), at: reading)
      try ledger.add(accepted, at: reading)
      try ledger.prune()
    }
    return requests.filter(isTooLate)
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

  /// What is to come, in the order in which it is due.
  ///
  /// - Throws: `StoreError`.
  public func pending(in scope: NotificationScope = .everything) throws(StoreError) -> [NotificationRequest] {
    let reading = now()
    return try entries(in: scope).filter { $0.isToCome(at: reading) }.map(\.request)
  }

  /// What is on screen, as far as the server has told.
  ///
  /// - Throws: `StoreError`.
  public func delivered(in scope: NotificationScope = .everything) throws(StoreError) -> [LedgerEntry] {
    try entries(in: scope).filter { $0.state == .delivered && !$0.isWithdrawn }
  }

  /// All that is known: what is to come, what is on screen, and what became of the last thousand of the rest.
  ///
  /// - Throws: `StoreError`.
  public func entries(in scope: NotificationScope = .everything) throws(StoreError) -> [LedgerEntry] {
    try readLedger { ledger throws(StoreError) in try ledger.entries(in: scope) }
  }

  /// Takes away what is to come in a scope, and what is on screen.
  ///
  /// - Throws: `StoreError`, and `SchedulerError.ended` if nobody delivers any more; nothing is taken away then.
  /// - Complexity: O(notifications in the scope · log scheduled).
  public func remove(_ scope: NotificationScope) throws {
    let reading = now()
    try change { _ = try $0.clear(scope, at: reading, reason: .removed) }
  }

  /// Waits until what was removed is gone from the screen, for programs that end then.
  ///
  /// What a server that does not answer still shows is taken away by the next scheduler of the directory.
  ///
  /// - Parameter limit: how long to wait, at most.
  /// - Returns: whether it is gone.
  /// - Throws: `StoreError`, `SystemError`.
  public func waitUntilRemoved(within limit: Duration = .seconds(5)) throws -> Bool {
    let store = try OpenStore(directory: directory, clock: clock, parts: [NotificationTables()])
    let waiter = try StoreWaiter(store)
    let deadline = now().boot + limit
    while try store.readLedger({ try $0.live().contains(where: \.isWithdrawn) }) {
      guard now().boot < deadline else { return false }
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

/// Why a scheduler cannot do what it was asked to.
public enum SchedulerError: ExplainedError, Equatable, Sendable {
  /// Another process, or another scheduler of this one, delivers from the directory of this path.
  case directoryInUse(String)
  /// The process has a scheduler already, and libnotify serves only one.
  case processInUse
  /// Nothing is delivered any more: after `shutdown()`, or for a reason that `onFailure` was told.
  case ended(reason: String)
  /// The key of an action is empty, contains a NUL or is used twice in the request of this identifier.
  case unusableKey(String, identifier: NotificationIdentifier)

  /// Why the scheduler cannot be used.
  public var problem: String {
    switch self {
    case .directoryInUse(let path): "another scheduler or agent delivers from \(path)"
    case .processInUse: "this process has another scheduler"
    case .ended(let reason): "the scheduler has ended: \(reason)"
    case .unusableKey("", let identifier): "an action of \(identifier) has an empty key"
    case .unusableKey(let key, let identifier) where key.utf8.contains(0):
      "an action of \(identifier) has a key with a NUL"
    case .unusableKey(let key, let identifier): "two actions of \(identifier) have the key \(quoted(key))"
    }
  }

  /// What would be possible.
  public var remedy: String? {
    switch self {
    case .directoryInUse: "use another directory, or shut the other one down"
    case .processInUse: "wait for shutdown() of the other one first"
    case .ended: "make a new one"
    case .unusableKey: "give each action a key of its own"
    }
  }
}
