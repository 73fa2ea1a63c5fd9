import NotificationLedger
import Store
import Synchronization

/// Passes each response to all readers, and keeps the responses that arrive without any reader for the next one.
package final class ResponseReaders: Sendable {
  private struct State {
    var readers: [Int: Reader] = [:]
    var readerCount = 0
    var unread: [NotificationResponse] = []
    var isFinished = false
  }

  private struct Reader {
    let continuation: AsyncStream<NotificationResponse>.Continuation
    /// The last response that the stream began with.
    ///
    /// It may be put once more, because a response is in the store before it is put.
    let last: NotificationResponse?
  }

  private let state = Mutex(State())

  package init() {}

  /// How many responses wait for a reader; the store keeps as many ended notifications.
  private static let mostUnread = 1000

  /// Starts a stream of the responses that no reader has got, and of all that follow.
  func stream() -> AsyncStream<NotificationResponse> { stream { $0.unread } }

  /// Starts a stream of the responses in a store, and of all that follow.
  ///
  /// - Parameter read: reads the store, which has each response before it is put here.
  func stream(
    beginningWith read: () throws(StoreError) -> [NotificationResponse]
  ) throws(StoreError) -> AsyncStream<NotificationResponse> {
    try stream { _ throws(StoreError) in try read() }
  }

  private func stream<Failure: Error>(
    _ first: (State) throws(Failure) -> [NotificationResponse]
  ) throws(Failure) -> AsyncStream<NotificationResponse> {
    let (stream, continuation) = AsyncStream.makeStream(of: NotificationResponse.self)
    let number = try state.withLock { state throws(Failure) -> Int? in
      let first = try first(state)
      // This stream has no waiting reader yet, so nothing is resumed under the lock.
      for response in first { continuation.yield(response) }
      state.unread = []
      guard !state.isFinished else { return nil }
      state.readerCount += 1
      state.readers[state.readerCount] = Reader(
        continuation: continuation, last: first.last)
      return state.readerCount
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
    }
    return stream
  }

  /// Passes a response on; called by one thread, so that all readers get the same order.
  func put(_ response: NotificationResponse) {
    let readers = state.withLock { state in
      if state.readers.isEmpty {
        state.unread = state.unread.suffix(ResponseReaders.mostUnread - 1) + [response]
      }
      return Array(state.readers.values)
    }
    for reader in readers where reader.last != response { reader.continuation.yield(response) }
  }

  /// Ends all streams.
  func finish() {
    let readers = state.withLock { state in
      state.isFinished = true
      return Array(state.readers.values)
    }
    for reader in readers { reader.continuation.finish() }
  }
}
