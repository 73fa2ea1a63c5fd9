import Glibc
package import SequencePlatform

/// Waits for a deadline, a change of the store, or other descriptors.
///
/// The deadline has its own timer, so nothing else can delay it.
package final class StoreWaiter {
  private let store: OpenStore
  private let timer: DeadlineTimer
  /// The time of the next reading of the store without a report, on the machine's clock.
  private let lookTimer: DeadlineTimer
  /// Reports changes; `nil` if the kernel does not.
  private var watch: DirectoryWatch?
  private var watched: FileIdentity?
  /// Whether the store was written and could not be read yet.
  private var isChangeUnread = false

  /// The interval of reading the store if changes are not reported: the kernel's limit of watches is reached, or
  /// another process holds a lock on the store.
  private static let lookInterval = Duration.seconds(1)

  package init(_ store: OpenStore) throws(SystemError) {
    self.store = store
    timer = try store.clock.makeTimer()
    lookTimer = try DeadlineTimer()
    watched = FileIdentity(path: store.directory.path)
    watch = try StoreWaiter.watch(store)
    // If it fails, the store is read again soon, and that reports the error.
    do throws(StoreError) { try readBegunChange() } catch { isChangeUnread = true }
  }

  /// Waits for a change that was begun before the watch: the last of it is written to memory, which is not reported.
  private func readBegunChange() throws(StoreError) {
    isChangeUnread = true
    try readChange()
  }

  private var changeDescriptor: Int32? {
    switch watch {
    case .some(let watch): watch.descriptor
    case nil: nil
    }
  }

  private static func watch(_ store: OpenStore) throws(SystemError) -> DirectoryWatch? {
    do throws(SystemError) {
      return try store.clock.makeStoreWatch(of: store.directory.path)
    } catch {
      // A directory that was removed is looked for too.
      guard [ENOSPC, EMFILE, ENOMEM, ENOENT].contains(error.code) else { throw error }
      return nil
    }
  }

  private func followDirectory() throws {
    let present = FileIdentity(path: store.directory.path)
    guard present != watched else { return }
    watched = present
    watch = try StoreWaiter.watch(store)
    try readBegunChange()
  }

  /// Waits until a time on the boot clock, a change of the store, or until one of some descriptors is readable.
  ///
  /// When it returns because of a change, the change can be read.
  ///
  /// - Parameters:
  ///   - reader: a descriptor that is written to; closing its other end ends the waiting too.
  ///   - isBlind: whether a change of the store doesn't end the waiting.
  /// - Returns: the readable descriptors of `descriptors`, and `reader` if it was closed.
  @discardableResult
  package func wait(
    until deadline: Duration?, or descriptors: [Int32] = [], orGone reader: Int32? = nil,
    ignoringChanges isBlind: Bool = false
  ) throws -> [Int32] {
    let own = try prepare(until: deadline)
    let ready = try waitUntilReadable((isBlind ? [timer.descriptor] : own) + descriptors, orGone: reader)
    try acknowledge(ready)
    return ready.filter { descriptors.contains($0) || $0 == reader }
  }

  /// Prepares the waiting in a loop that polls by itself.
  ///
  /// - Returns: the descriptors to poll. Once one is readable, call `acknowledge` and then `prepare` again, which may return
  ///   other descriptors.
  package func prepare(until deadline: Duration?) throws(SystemError) -> [Int32] {
    var waited = [timer.descriptor]
    var mustLook = isChangeUnread
    if let descriptor = changeDescriptor { waited.append(descriptor) } else { mustLook = true }
    try timer.arm(deadline)
    if mustLook {
      try lookTimer.arm(SystemClock.sinceBoot() + StoreWaiter.lookInterval)
      waited.append(lookTimer.descriptor)
    }
    return waited
  }

  /// Records the descriptors of `prepare` that are readable; a change of the store can be read afterwards.
  package func acknowledge(_ ready: [Int32]) throws {
    if ready.contains(timer.descriptor) { try timer.acknowledge() }
    if ready.contains(lookTimer.descriptor) { try lookTimer.acknowledge() }
    switch watch {
    case .some(let watch):
      if ready.contains(watch.descriptor) {
        try watch.drain()
        isChangeUnread = true
      }
    case nil: break
    }
    if isChangeUnread {
      try readChange()
      // What happens in it before it is watched is seen by the look that comes after this.
      try followDirectory()
    }
  }

  private func readChange() throws(StoreError) {
    do throws(StoreError) {
      try store.repairing { () throws(StoreError) in try store.database.awaitWriter() }
      isChangeUnread = false
    } catch  where error.mayPass {
      // The deadline counts, and the store is read again soon.
    }
  }
}

/// The time of the next look at a store.
package enum NextLook {
  /// Another look after the next change, or at a time on the boot clock if nothing changes before.
  case afterChange(orAt: Duration?)
  case never
}

/// Looks at a store at once, after each change of it, and at each time that the last look has asked for.
///
/// A store that cannot be opened or read for a reason that may pass is looked at again later. A store that was removed
/// is not made again.
///
/// - Parameters:
///   - ending: the descriptor that ends the following once it is readable.
///   - limit: the time on the boot clock that ends the following; `nil` for none.
/// - Throws: any error that does not pass.
package func followStore<Opened>(
  _ clock: any ClockSource, until ending: Int32? = nil, orAt limit: Duration? = nil,
  retryInterval: Duration = .seconds(1), opening open: () throws -> Opened, base: (Opened) -> OpenStore,
  look: (Opened) throws -> NextLook
) throws {
  let descriptors = ending.map { [$0] } ?? []
  let timer = try clock.makeTimer()
  var opened: (store: Opened, waiter: StoreWaiter)?
  while true {
    var deadline: Duration?
    do {
      if opened == nil {
        let store = try open()
        base(store).makesRemovedAgain = false
        opened = (store, try StoreWaiter(base(store)))
      }
      if let opened {
        switch try look(opened.store) {
        case .afterChange(let time): deadline = time
        case .never: return
        }
      }
    } catch let error as StoreError where error.mayPass {
      deadline = clock.now().boot + retryInterval
    }
    if let limit, clock.now().boot >= limit { return }
    let next = [deadline, limit].compactMap { $0 }.min()
    let ready: [Int32]
    if let opened {
      ready = try opened.waiter.wait(until: next, or: descriptors)
    } else {
      try timer.arm(next)
      ready = try waitUntilReadable(descriptors + [timer.descriptor]).filter { $0 != timer.descriptor }
    }
    guard ready.isEmpty else { return }
  }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// Starts a stream whose elements a thread of its own makes, until the reader is cancelled or the stream is released.
  ///
  /// - Parameters:
  ///   - policy: which elements are kept for a slow reader.
  ///   - make: runs in the thread until a descriptor is readable, and passes each element to a closure.
  package static func ofThread(
    keeping policy: Continuation.BufferingPolicy = .unbounded,
    _ make: @escaping @Sendable (_ ending: Int32, _ yield: (Element) -> Void) throws -> Void
  ) -> AsyncThrowingStream {
    let (stream, continuation) = makeStream(of: Element.self, throwing: Failure.self, bufferingPolicy: policy)
    do {
      let ending = try MessageQueue<Void>()
      continuation.onTermination = { _ in ending.put(()) }
      try startThread {
        let result = Result { try make(ending.descriptor) { continuation.yield($0) } }
        switch result {
        case .success: continuation.finish()
        case .failure(let error): continuation.finish(throwing: error)
        }
      }
    } catch {
      continuation.finish(throwing: error)
    }
    return stream
  }
}
