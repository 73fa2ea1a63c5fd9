import Glibc
import Synchronization
// One import of the library is enough.
@_exported public import NotifierDelivery
@_exported public import NotifierLedger
@_exported public import SequencePlatform
@_exported public import SequenceStore

/// Shows the notifications of a store at their time, and reports the user's responses.
///
/// The store outlives the process: the next scheduler shows the notifications that became due in between, and can
/// remove visible ones. Threads of the scheduler show notifications, so a hanging or missing server never blocks the
/// application. A process may have several schedulers and run notifiers, each with a directory of its own. One thread
/// owns libnotify: an application with a scheduler must not call libnotify itself.
public final class NotificationScheduler: Sendable {
  /// The store of the notifications; other processes may open the same directory.
  public let store: NotificationStore
  private let delivery: DeliveryThread
  private let readers: ResponseReaders

  /// Starts to deliver the notifications of a store.
  ///
  /// - Parameters:
  ///   - store: the store, of this application only; one scheduler at a time delivers from its directory.
  ///   - application: the name and the icon of the application.
  ///   - desktop: where the notifications are shown. Tests have a desktop of their own, of the module NotifierTesting.
  ///   - latestDelivery: how late a notification without a limit of its own may be shown, for example after a suspend
  ///     or without a server; a later one is missed. `nil` for no limit.
  ///   - willPresent: decides what is shown of a notification, from its entry, which has the request and the occurrence,
  ///     and from how late it is; called in a thread of the scheduler, up to 50 ms before its time, when it is prepared.
  ///     It may be called several times for one notification, which may still be replaced, removed or missed.
  ///   - onFailure: receives the reason why the store is unusable, once until the reason changes, or why the scheduler
  ///     has ended, or why a changed time zone is noticed only at the next event; called in a thread of the scheduler.
  ///     A missing server is not an error: see ``NotificationStore/desktop()``.
  /// - Throws: `SchedulerError.directoryInUse` if another scheduler delivers from the directory,
  ///   `SchedulerError.otherClock` if the desktop is a test's and has another clock than the store,
  ///   `StoreError`, `SystemError`. A scheduler that was
  ///   released counts until its threads have ended: `shutdown()` waits for that.
  public init(
    _ store: NotificationStore, application: NotifyingApplication, through desktop: Desktop = .session,
    latestDelivery: Duration? = nil,
    willPresent:
      @escaping @Sendable (_ entry: LedgerEntry, _ lateness: Duration) -> NotificationPresentation =
      { _, _ in .show },
    onFailure: @escaping @Sendable (any Error) -> Void
  ) throws {
    self.store = store
    let readers = ResponseReaders(after: try store.lastResponse())
    self.readers = readers
    let (calendar, latestDelivery) = (store.calendar, latestDelivery ?? .seconds(100 * 365 * 86_400))
    delivery = try DeliveryThread(
      in: store.directory, store.clock, application, through: desktop, onFailure: onFailure
    ) { connection, ending in
      let opened = try store.reopened()
      let notifications = ScheduledNotifications(clock: store.clock, willPresent: willPresent) {
        () throws(StoreError) in
        try opened.readLedger(readers.putNew)
      }
      let courier = Courier(
        store: opened, responder: notifications, calendar: calendar, latestDelivery: latestDelivery,
        process: getpid())
      let delivery = try DeliveryLoop(
        opened, courier, connection, delegate: notifications, onFailure: onFailure)
      var zone = store.clock.makeZoneWatch(onFailure: onFailure)
      return try delivery.run(until: ending, or: zone.descriptors) { _ in
        if try zone.hasChanged() { delivery.followClocks() }
      }
    } atEnd: {
      readers.finish()
    }
  }

  /// Ends the scheduler and waits until its threads have ended.
  ///
  /// Due notifications are shown first, and removed ones closed, if a server does that within a second.
  /// Pending notifications stay in the store, visible ones on screen. Afterwards the process can have another
  /// scheduler, and any process can deliver from the directory. A server that hangs delays the end by up to 25 s.
  public func shutdown() async { await delivery.shutdown() }

  /// Starts a stream of the user's responses, in order.
  ///
  /// Each reader has a stream of its own with every response from then on; cancelling one ends no other. Responses
  /// that arrive without any reader are in the next stream, up to a thousand. A stream holds its scheduler, and all
  /// streams end when the scheduler is shut down or has failed.
  ///
  /// A response that was in a stream when the program was killed comes again in `responses(after:)` only.
  public func responses() -> AsyncStream<NotificationResponse> { readers.stream(of: self) }

  /// Handles the user's responses one after the other, each at least once, until the scheduler is shut down.
  ///
  /// The store keeps the position of the reader: a program that was killed, or whose handler has thrown an error, gets
  /// the same response first. A reader that the store doesn't know begins with the first of the last thousand responses.
  ///
  /// - Parameters:
  ///   - reader: the name of the reader, which is one at a time.
  ///   - isolation: the actor in which the responses are handled, which is that of the caller.
  ///   - handle: handles a response. It may get one twice, so it should have no second effect then.
  /// - Throws: what `handle` throws; `StoreError`.
  public func respond(
    as reader: String, isolation: isolated (any Actor)? = #isolation,
    _ handle: (NotificationResponse) async throws -> Void
  ) async throws {
    for await response in try responses(after: store.position(ofReader: reader)) {
      try await handle(response)
      try store.advance(reader: reader, to: response.position)
    }
  }

  /// Starts a stream of the user's responses after a position: those in the store, and then each as it arrives.
  ///
  /// Store the position of each response with the work that it has caused, and the next stream continues there, even if
  /// the program was killed before it had handled a response. ``NotificationStore/responses(after:)`` says how long
  /// responses are kept.
  ///
  /// - Parameter position: that of the last response that was handled, by this program or an earlier one.
  /// - Throws: `StoreError`.
  public func responses(after position: ResponsePosition) throws(StoreError) -> AsyncStream<
    NotificationResponse
  > {
    try readers.stream(
      after: store.known(position), of: self,
      beginningWith: { () throws(StoreError) in try store.responses(after: position) })
  }
}

/// The decisions of a scheduler about the notifications of its application.
package struct ScheduledNotifications: DeliveryDelegate, NotificationPresenter, NotificationResponder,
  Sendable
{
  private let clock: any ClockSource
  private let willPresent: @Sendable (LedgerEntry, Duration) -> NotificationPresentation
  private let passResponses: @Sendable () throws(StoreError) -> Void

  /// - Parameter passResponses: passes the responses that were recorded since the last turn to their readers.
  package init(
    clock: any ClockSource,
    willPresent: @escaping @Sendable (LedgerEntry, Duration) -> NotificationPresentation = { _, _ in .show },
    passResponses: @escaping @Sendable () throws(StoreError) -> Void = {}
  ) {
    self.clock = clock
    self.willPresent = willPresent
    self.passResponses = passResponses
  }

  package func beginTurn() throws(StoreError) -> Turn {
    try passResponses()
    return Turn(reading: clock.now(), presenter: self)
  }

  package func presentation(of entry: LedgerEntry, lateness: Duration) -> Presentation {
    switch willPresent(entry, lateness) {
    case .show: return .show(entry.request)
    case .suppress(let reason): return .suppress(.suppressed(reason))
    case .change(let other):
      var request = entry.request
      (request.summary, request.body, request.style) = (other.summary, other.body, other.style)
      let keys = Set(request.actions.map(\.key))
      request.actions = other.actions.filter { keys.contains($0.key) }
      return .show(request)
    }
  }

  /// A notification is news until the user dismisses it or the application removes it.
  package func isStillNews(_ entry: LedgerEntry) -> Bool { true }

  /// The application receives the response and acts on it.
  package func respond(
    to action: NotificationAction, of entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
  ) -> NotificationReason { .pressed(action.title) }

  package func wasDismissed(_ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading) {}

  package var readsResponses: Bool { true }
}

/// Passes each response that any process records in a store to all readers, and keeps the responses that arrive without
/// any reader for the next one.
package final class ResponseReaders: Sendable {
  private struct State {
    var readers: [Int: Reader] = [:]
    var readerCount = 0
    var unread: [NotificationResponse] = []
    var responseCount = 0
    /// The position of the last response that was put.
    var position: ResponsePosition
    var isFinished = false
  }

  private struct Reader {
    let continuation: AsyncStream<NotificationResponse>.Continuation
    /// The position after the responses that the stream began with.
    ///
    /// Those before it may be put once more, because a response is in the store before it is put.
    var start: ResponsePosition
  }

  private let state: Mutex<State>

  /// - Parameter position: the position of the last response that isn't put.
  package init(after position: ResponsePosition = .beginning) { state = Mutex(State(position: position)) }

  /// How many responses wait for a reader; the store keeps as many.
  private static let mostUnread = 1000

  /// Starts a stream of the responses that no reader has got, and of all that follow.
  ///
  /// - Parameter owner: held as long as the stream is.
  func stream(of owner: (any AnyObject & Sendable)?) -> AsyncStream<NotificationResponse> {
    state.withLock { begin(with: $0.unread, of: owner, &$0) }
  }

  /// Starts a stream of the responses in a store, and of all that follow.
  ///
  /// - Parameters:
  ///   - position: the position after which the stream begins, in the store that is read.
  ///   - owner: held as long as the stream is.
  ///   - read: reads the store, which has each response before it is put here.
  func stream(
    after position: ResponsePosition, of owner: (any AnyObject & Sendable)?,
    beginningWith read: () throws(StoreError) -> [NotificationResponse]
  ) throws(StoreError) -> AsyncStream<NotificationResponse> {
    while true {
      // Not under the lock: the store may be busy, and the thread that puts must never wait for it.
      let count = state.withLock(\.responseCount)
      let recorded = try read()
      let stream = state.withLock {
        $0.responseCount == count ? begin(with: recorded, after: position, of: owner, &$0) : nil
      }
      if let stream { return stream }
    }
  }

  private func begin(
    with first: [NotificationResponse], after position: ResponsePosition = .beginning,
    of owner: (any AnyObject & Sendable)?, _ state: inout State
  ) -> AsyncStream<NotificationResponse> {
    let (stream, continuation) = AsyncStream.makeStream(of: NotificationResponse.self)
    // This stream has no waiting reader yet, so nothing is resumed under the lock.
    for response in first { continuation.yield(response) }
    state.unread = []
    guard !state.isFinished else {
      continuation.finish()
      return stream
    }
    state.readerCount += 1
    let number = state.readerCount
    state.readers[number] = Reader(continuation: continuation, start: first.last?.position ?? position)
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
      // Until here: a program that reads its responses need not hold its scheduler as well.
      withExtendedLifetime(owner) {}
    }
    return stream
  }

  /// Passes on the responses that were recorded since the last call; called by one thread, so that all readers get the
  /// same order.
  func putNew(in ledger: Ledger) throws(StoreError) {
    let last = try ledger.lastResponse()
    let position = state.withLock { state in
      // Another store has taken the place of one with later responses.
      if last < state.position {
        state.position = last
        for reader in state.readers.keys { state.readers[reader]?.start = last }
      }
      return state.position
    }
    guard position < last else { return }
    for response in try ledger.responses(after: position) { put(response) }
  }

  func put(_ response: NotificationResponse) {
    let readers = state.withLock { state in
      state.position = response.position
      state.responseCount += 1
      if state.readers.isEmpty {
        state.unread = state.unread.suffix(ResponseReaders.mostUnread - 1) + [response]
      }
      return Array(state.readers.values)
    }
    for reader in readers where reader.start < response.position { reader.continuation.yield(response) }
  }

  func finish() {
    let readers = state.withLock { state in
      state.isFinished = true
      return Array(state.readers.values)
    }
    for reader in readers { reader.continuation.finish() }
  }
}
