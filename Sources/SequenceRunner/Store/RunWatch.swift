public import SequencePlatform

/// The active runs for an event loop that waits on descriptors, such as that of GLib.
///
/// A thread of its own reads the runs, as for ``RunStore/statuses()``, until the watch is released.
public final class RunWatch: Sendable {
  private let updates: MessageQueue<Result<RunStatus, any Error>>
  private let ending: MessageQueue<Void>

  /// Starts to watch the runs of a store.
  ///
  /// - Throws: `SystemError` without descriptors or threads.
  public init(_ store: RunStore) throws(SystemError) {
    let (updates, ending) = (try MessageQueue<Result<RunStatus, any Error>>(), try MessageQueue<Void>())
    self.updates = updates
    self.ending = ending
    try startThread {
      do {
        try store.followStatuses(until: ending.descriptor) { updates.put(.success($0)) }
      } catch {
        updates.put(.failure(error))
      }
    }
  }

  deinit { ending.put(()) }

  /// The descriptor to wait on: readable at once, and after each change until `take()`.
  public var descriptor: Int32 { updates.descriptor }

  /// Returns the latest status; `nil` if nothing has changed since the last call.
  ///
  /// - Throws: the error that has ended the watch, once: a `StoreError` that doesn't pass, or a `SystemError`.
  public func take() throws -> RunStatus? { try updates.takeAll().last?.get() }
}
