import NotifierLedger
import SequenceStore
import Synchronization

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
