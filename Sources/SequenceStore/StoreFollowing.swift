package import SequencePlatform

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
