package import Platform

/// Looks at a store at once, after each change of it, and at each time that the last look has returned, until a
/// descriptor is readable.
///
/// A store that cannot be opened or read for a reason that may pass is looked at again after a second. A store that was
/// removed is not made again.
///
/// - Parameters:
///   - ending: the descriptor that ends the following.
///   - open: opens the store.
///   - base: returns the opened store that is watched.
///   - look: reads the store; returns when to look again though nothing has changed, on the boot clock.
/// - Throws: any error that does not pass.
package func followStore<Opened>(
  _ clock: any ClockSource, until ending: Int32, opening open: () throws -> Opened,
  base: (Opened) -> OpenStore, look: (Opened) throws -> Duration?
) throws {
  let timer = try DeadlineTimer(of: clock)
  var opened: (store: Opened, waiter: StoreWaiter)?
  var isEnding = false
  while !isEnding {
    var deadline: Duration?
    do {
      if opened == nil {
        let store = try open()
        base(store).makesRemovedAgain = false
        opened = (store, try StoreWaiter(base(store)))
      }
      if let opened { deadline = try look(opened.store) }
    } catch let error as StoreError where error.mayPass {
      deadline = clock.now().boot + .seconds(1)
    }
    if let opened {
      isEnding = try !opened.waiter.wait(until: deadline, or: [ending]).isEmpty
    } else {
      try timer.arm(deadline)
      isEnding = try waitUntilReadable([timer.descriptor, ending]).contains(ending)
    }
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
