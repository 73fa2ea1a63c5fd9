import NotifierDelivery
public import NotifierLedger
public import SequencePlatform
public import SequenceStore
import Synchronization

/// The notifications in a directory: pending, visible, and the last thousand that have ended.
///
/// Any number of processes may open the same directory, and methods may be called from any thread. Each change is on
/// the disk when the method returns. The store delivers nothing: a ``NotificationScheduler``, in this process or
/// another one, notices changes and delivers.
public final class NotificationStore: Sendable {
  /// The directory.
  public var directory: StateDirectory { store.directory }
  /// The source of all readings.
  public var clock: any ClockSource { store.clock }
  let calendar: LocalCalendar
  private let store: OpenStore
  private let damaged: DamagedStores

  /// Opens the store of a directory, or makes it.
  ///
  /// - Parameter directory: the directory of the notifications, for one application only.
  /// - Throws: `StoreError`, `Problem`; `SchedulerError.directoryOfRuns` if the directory has runs.
  public convenience init(_ directory: StateDirectory) throws {
    try self.init(directory, clock: SystemClock())
  }

  /// Opens a store that takes its time from a clock, such as a test's.
  ///
  /// - Parameters:
  ///   - directory: the directory of the notifications, for one application only.
  ///   - clock: the clock. The time zone of a `ManualClock` takes the place of the system's.
  /// - Throws: `StoreError`; `SchedulerError.directoryOfRuns` if the directory has runs.
  public init(_ directory: StateDirectory, clock: any ClockSource) throws {
    try SchedulerError.requireNoRuns(in: directory)
    calendar = LocalCalendar(of: clock)
    damaged = DamagedStores()
    store = try NotificationStore.open(directory, clock, damaged)
  }

  /// The paths that damaged stores of the directory were moved to by this object or its schedulers, oldest first.
  ///
  /// The notifications and responses that could be read are in the store that took the place of each.
  public var damagedStores: [String] { damaged.paths.withLock { $0 } }

  private final class DamagedStores: Sendable {
    let paths = Mutex<[String]>([])
  }

  private static func open(
    _ directory: StateDirectory, _ clock: any ClockSource, _ damaged: DamagedStores
  ) throws(StoreError) -> OpenStore {
    try OpenStore(in: directory, clock: clock, parts: [NotificationTables()]) { path, _ in
      damaged.paths.withLock { $0.append(path) }
    }
  }

  /// Opens the store once more, for another thread that may wait for it.
  func reopened() throws(StoreError) -> OpenStore {
    try NotificationStore.open(directory, clock, damaged)
  }

  /// Schedules notifications in place of all with the same identifiers that were not shown yet.
  ///
  /// A repeating request with an unchanged trigger keeps its time, so a program may add it at each start. This holds
  /// for an occurrence that waits for a server, too: it gets the new text, and is shown once.
  ///
  /// - Returns: the requests that are left out because they were due too long ago: longer than their own
  ///   `latestDelivery`, or without one longer than 10 s.
  /// - Throws: `StoreError`; `RequestError` for a trigger without any time or with an unknown time zone, actions that
  ///   cannot be distinguished or have no title, and a number that is not finite; `SchedulerError.directoryOfRuns`.
  ///   Nothing is scheduled then.
  /// - Complexity: O(requests · log scheduled).
  @discardableResult
  public func add(_ requests: [NotificationRequest]) throws -> [NotificationRequest] {
    try requests.forEach(RequestError.requireUsableActions)
    try requests.forEach(RequestError.requireFiniteNumbers)
    let reading = clock.now()
    let first = FirstTimes(at: reading, calendar)
    let scheduled = try requests.map { request in
      let due = try first.due(request)
      return ScheduledRequest(request, due: due, offset: calendar.offset(of: request.trigger, at: due.wall))
    }
    func isTooLate(_ scheduled: ScheduledRequest) -> Bool {
      let request = scheduled.request
      let late =
        request.trigger.followsWallClock
        ? reading.wall.duration(since: scheduled.due.wall) : reading.elapsed(since: scheduled.due)
      return late > request.latestDelivery ?? Lateness.request
    }
    let accepted = scheduled.filter { !isTooLate($0) }
    try changeOwn { ledger throws(StoreError) in
      for request in accepted.map(\.request) {
        // A request with the same trigger keeps its time.
        let replaced = try ledger.pendingWithMissed(in: NotificationScope(request.identifier)).filter {
          $0.request.identifier == request.identifier && $0.request.trigger != request.trigger
        }
        try addMissed(of: replaced, to: ledger, at: reading)
      }
      try ledger.schedule(accepted, at: reading)
      try ledger.prune()
    }
    return scheduled.filter(isTooLate).map(\.request)
  }

  /// Schedules one notification, as `add(_:)` does several.
  ///
  /// - Returns: whether it is scheduled; it is left out if it was due too long ago.
  /// - Throws: as `add(_:)` of several.
  @discardableResult
  public func add(_ request: NotificationRequest) throws -> Bool { try add([request]).isEmpty }

  /// Shows a notification again, some time after the user's response to it.
  ///
  /// The snoozed notification has the occurrence of the original, and an identifier of its own in the scope of the
  /// original, so it doesn't end a repetition. If its time has passed, it is shown at once. One notification is snoozed
  /// once: a second call for it has no effect, also after a restart, so a response may be handled twice. Nor has a call
  /// for a repeating notification that was removed.
  ///
  /// - Parameters:
  ///   - response: the response, which has its request and its time.
  ///   - time: the time from the response until the notification is shown again. A clock that is set in between doesn't
  ///     change it, unless the machine is restarted in between.
  /// - Returns: the identifier of the snoozed notification.
  /// - Throws: `StoreError`; `SchedulerError.directoryOfRuns`.
  @discardableResult
  public func snooze(
    _ response: NotificationResponse, for time: Duration
  ) throws -> NotificationIdentifier {
    let reading = clock.now()
    var copy = response.request
    copy.identifier = copy.identifier.snoozed(response.entry)
    copy.trigger = .after(time)
    let request = copy
    try changeOwn { ledger throws(StoreError) in
      let passed = reading.elapsed(since: try ledger.time(of: response))
      let due = reading.advanced(by: max(.zero, time - passed))
      let original = try ledger.entry(response.entry.number)
      let scheduled = ScheduledRequest(
        request, due: due, snoozed: response.meant,
        offset: original?.id == response.entry ? original?.offset : nil)
      guard try ledger.entries(in: NotificationScope(request.identifier)).isEmpty,
        try !ledger.isRemoved(response.request)
      else { return }
      try ledger.schedule([scheduled], at: reading)
      try ledger.prune()
    }
    return request.identifier
  }

  /// Responds to a notification in place of the user, such as with a button of your own window.
  ///
  /// Like a response of the user, it closes the notification if it is visible, and all readers of responses get it, those
  /// of a scheduler in another process, too. A repetition continues. A notification that was missed or is gone takes its
  /// first response.
  ///
  /// - Parameters:
  ///   - entry: the entry of the notification.
  ///   - choice: an action of its request, or the dismissal.
  /// - Returns: the response; `nil` for a notification that is pending or cancelled, or has a response. One that stays on
  ///   screen when a button is pressed takes any number.
  /// - Throws: `RequestError.unknownKey`; `StoreError`; `SchedulerError.directoryOfRuns`.
  @discardableResult
  public func respond(
    to entry: LedgerEntry, with choice: NotificationResponse.Choice
  ) throws -> NotificationResponse? {
    let reason: NotificationReason
    switch choice {
    case .action(let key):
      let request = entry.request
      guard let action = request.actions.first(where: { $0.key == key }) else {
        throw RequestError.unknownKey(key, identifier: request.identifier)
      }
      reason = .pressed(action.title)
    case .dismissed: reason = .dismissed
    }
    return try changeOwn { ledger throws(StoreError) in
      try ledger.respond(choice, because: reason, to: entry.id, at: clock.now())
    }
  }

  /// Removes the pending and the visible notifications of a scope.
  ///
  /// - Returns: the number of removed notifications, by their identifiers.
  /// - Complexity: O(notifications in the scope · log scheduled).
  @discardableResult
  public func remove(_ scope: NotificationScope) throws(StoreError) -> Int {
    let reading = clock.now()
    let removed = try store.changeLedger { ledger throws(StoreError) in
      try addMissed(of: ledger.pendingWithMissed(in: scope), to: ledger, at: reading)
      return try ledger.clear(scope, at: reading, reason: .removed)
    }
    return removed.identifiers
  }

  /// Removes the visible notifications of a scope, and those that a server is to show again, such as after its restart.
  ///
  /// Other pending ones stay, and so does the repetition of a visible one.
  ///
  /// - Returns: the number of removed notifications.
  /// - Complexity: O(notifications in the scope).
  @discardableResult
  public func removeDelivered(in scope: NotificationScope) throws(StoreError) -> Int {
    let reading = clock.now()
    return try store.changeLedger { ledger throws(StoreError) in
      let entries = try ledger.entries(in: scope)
      let visible = entries.filter { $0.isVisible(at: reading) }
      for entry in visible { try ledger.withdraw(entry, at: reading.wall, reason: .removed) }
      let returning = entries.filter { $0.state == .pending && $0.repetition == .shown }
      for entry in returning { try ledger.cancel(entry, at: reading.wall, reason: .removed) }
      return visible.count + returning.count
    }
  }

  /// Adds the entries of occurrences that have passed, before their requests are removed or replaced.
  ///
  /// - Parameter entries: the pending entries of the requests.
  private func addMissed(
    of entries: [LedgerEntry], to ledger: Ledger, at reading: ClockReading
  ) throws(StoreError) {
    for entry in entries {
      let first = entry.due.bootID == reading.bootID ? entry.due : reading.at(entry.due.wall)
      guard first.boot <= reading.boot,
        let last = Recurrence(of: entry.request.trigger, in: calendar)?.last(from: first, at: reading)
      else { continue }
      try Recurrence.addMissed(
        of: entry, to: ledger, from: first, to: last, isLastMissed: true, in: calendar, at: reading)
    }
  }

  /// Returns the notifications that will still be shown, earliest first.
  ///
  /// They include notifications that wait for a server or a scheduler, whose `dueAt` has passed. A repeating request is
  /// listed once.
  public func pending(in scope: NotificationScope = .everything) throws(StoreError) -> [LedgerEntry] {
    let reading = clock.now()
    var listed: Set<NotificationRequest> = []
    return try entries(in: scope).filter { $0.isToCome(at: reading) && listed.insert($0.request).inserted }
  }

  /// Returns the visible notifications, as far as the server has reported, by due time.
  public func delivered(in scope: NotificationScope = .everything) throws(StoreError) -> [LedgerEntry] {
    try entries(in: scope).filter { $0.state == .delivered && !$0.isWithdrawn }
  }

  /// Returns all known notifications, by due time: pending, visible, and the last thousand that have ended.
  ///
  /// A notification that a restarted program shows again has a new entry. The earlier one is `removed`, with the reason
  /// code `program-ended`.
  public func entries(in scope: NotificationScope = .everything) throws(StoreError) -> [LedgerEntry] {
    try store.readLedger { ledger throws(StoreError) in try ledger.entries(in: scope) }
  }

  /// Returns the known occurrences of notifications, by date: each with all its entries and the user's answers.
  ///
  /// - Complexity: O(notifications in the scope + responses).
  public func occurrences(
    in scope: NotificationScope = .everything
  ) throws(StoreError) -> [NotificationOccurrence] {
    try store.readLedger { ledger throws(StoreError) in try ledger.occurrences(in: scope) }
  }

  /// Returns the user's responses after a position, in order, whichever process has received them.
  ///
  /// The store keeps the last thousand responses. After a store that was deleted or damaged, its successor has all of
  /// its own responses after the positions of the former one, if the wall clock wasn't set back in between.
  ///
  /// - Parameter position: that of the last response that was handled.
  /// - Complexity: O(responses).
  public func responses(
    after position: ResponsePosition = .beginning
  ) throws(StoreError) -> [NotificationResponse] {
    try store.readLedger { ledger throws(StoreError) in try ledger.responses(after: position) }
  }

  /// Returns whether a scheduler delivers from the directory now, in this process or another one.
  ///
  /// - Throws: `SystemError`.
  public func hasScheduler() throws(SystemError) -> Bool {
    try FileLock(path: directory.agentLockPath).isHeldByAnother()
  }

  /// Whether notifications can be shown, as the last scheduler of the directory has found out.
  public func desktop() throws(StoreError) -> DesktopState {
    try store.readLedger { ledger throws(StoreError) in try ledger.desktop() }
  }

  /// Starts a stream of entries: all entries in a scope, and then each entry that any process adds or changes.
  ///
  /// Several changes of one entry in quick succession may be reported as one. A store that is busy or replaced doesn't
  /// end the stream. Each stream has a thread of its own, and ends if its reader is cancelled.
  ///
  /// - Complexity: O(entries in the scope) for each change of the store.
  public func changes(in scope: NotificationScope = .everything) -> AsyncThrowingStream<
    LedgerEntry, any Error
  > {
    .ofThread { [self] ending, yield in
      var known: [Int64: LedgerEntry] = [:]
      try follow(until: ending) { store in
        let entries = try store.readLedger { ledger throws(StoreError) in try ledger.entries(in: scope) }
        for entry in entries where known[entry.number] != entry { yield(entry) }
        known = Dictionary(uniqueKeysWithValues: entries.map { ($0.number, $0) })
        return .afterChange(orAt: nil)
      }
    }
  }

  /// Waits until removed notifications are gone from the screen, for programs that are about to exit.
  ///
  /// Only a scheduler of the directory removes them. Without one this returns at once, and notifications that are still
  /// visible are removed by the next one; so are those on a server that does not answer.
  ///
  /// - Parameter limit: the maximum time to wait.
  /// - Returns: whether they are gone.
  /// - Throws: `StoreError`, `SystemError`.
  public func waitUntilRemoved(within limit: Duration = .seconds(5)) async throws -> Bool {
    try await inThread { [self] in try isRemoved(within: limit) }
  }

  /// Waits until no removed notification is on the screen; returns whether that is so.
  private func isRemoved(within limit: Duration) throws -> Bool {
    var isRemoved = false
    try follow(orAt: clock.now().boot + limit) { store in
      // First, because a scheduler may end in between, after it has removed the notifications.
      let hasScheduler = try hasScheduler()
      isRemoved = try store.readLedger { ledger throws(StoreError) in
        try !ledger.live().contains(where: \.isWithdrawn)
      }
      return isRemoved || !hasScheduler ? .never : .afterChange(orAt: nil)
    }
    return isRemoved
  }

  private func follow(
    until ending: Int32? = nil, orAt limit: Duration? = nil, look: (OpenStore) throws -> NextLook
  ) throws {
    try followStore(clock, until: ending, orAt: limit) {
      try reopened()
    } base: {
      $0
    } look: {
      try look($0)
    }
  }

  func position(ofReader name: String) throws(StoreError) -> ResponsePosition {
    try store.readLedger { ledger throws(StoreError) in try ledger.position(ofReader: name) }
  }

  func lastResponse() throws(StoreError) -> ResponsePosition {
    try store.readLedger { ledger throws(StoreError) in try ledger.lastResponse() }
  }

  func known(_ position: ResponsePosition) throws(StoreError) -> ResponsePosition {
    try store.readLedger { ledger throws(StoreError) in try ledger.known(position) }
  }

  func advance(reader name: String, to position: ResponsePosition) throws(StoreError) {
    try store.changeLedger { ledger throws(StoreError) in
      try ledger.advance(reader: name, to: position, at: clock.now())
    }
  }

  /// Changes the notifications in one transaction, unless the store has runs.
  ///
  /// - Throws: `StoreError`; `SchedulerError.directoryOfRuns`.
  private func changeOwn<Changed>(_ body: (Ledger) throws(StoreError) -> Changed) throws -> Changed {
    try store.changeLedger { ledger throws(StoreError) -> Result<Changed, SchedulerError> in
      let components = try ledger.database.componentVersions()
      if components.contains(where: { $0.name == "runs" }) {
        return .failure(.directoryOfRuns(directory.path))
      }
      return .success(try body(ledger))
    }.get()
  }
}
