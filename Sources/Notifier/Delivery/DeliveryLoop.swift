import NotificationLedger
package import Platform
import Store

/// The loop of whoever delivers: does what there is to do, and waits for what comes.
package final class DeliveryLoop {
  private let store: OpenStore
  private let courier: Courier
  private let desktop: DesktopThread
  private let companion: (any DeliveryCompanion)?
  private let waiter: StoreWaiter
  private let clockSet: ClockSetWatch
  private let onFailure: (any Error) -> Void
  private var events: [DesktopEvent] = []
  private var hasTakenOver = false
  private var isClockSet = false
  private var failure: StoreError?
  /// What was readable when the last waiting ended.
  private var ready: [Int32] = []

  /// How long to wait before a store that could not be used is tried again.
  package static let retryInterval = Duration.seconds(1)

  /// How a turn of the loop ended.
  package enum Turn {
    /// Something happened; these of the descriptors that were waited for are readable.
    case ready([Int32])
    /// Nothing is left to wait for.
    case nothingToDo
    /// The store was replaced by another one.
    case storeReplaced
  }

  /// - Parameters:
  ///   - companion: what else is done in the same loop.
  ///   - onFailure: told of a failure of the store that may pass, once until another one comes.
  package init(
    _ store: OpenStore, _ courier: Courier, _ desktop: DesktopThread,
    companion: (any DeliveryCompanion)? = nil, onFailure: @escaping (any Error) -> Void
  ) throws(SystemError) {
    self.store = store
    self.courier = courier
    self.desktop = desktop
    self.companion = companion
    self.onFailure = onFailure
    waiter = try StoreWaiter(store)
    clockSet = try ClockSetWatch()
  }

  /// Does what there is to do, and waits until there is more, or one of some descriptors is readable.
  ///
  /// - Parameter isDone: asked when nothing is left to do; whether that ends the loop.
  package func turn(or descriptors: [Int32], isDone: () throws -> Bool) throws -> Turn {
    guard store.isInPlace else { return .storeReplaced }
    events += try desktop.events.takeAll()
    var wakes: [Duration?] = []
    do {
      if !hasTakenOver {
        try courier.takeOver()
        hasTakenOver = true
      }
      if isClockSet {
        try courier.clockWasSet()
        isClockSet = false
      }
      // An event is done with once it is recorded.
      while let event = events.first {
        try courier.handle(event)
        events.removeFirst()
      }
      if let order = try courier.advance() { desktop.send(order) }
      // What is to be shown is on its way; nothing of what follows can delay it.
      try companion?.tend(ready)
      if try courier.isAtRest(), try companion?.isAtRest() ?? true, try isDone() { return .nothingToDo }
      wakes = [try courier.nextWake(), companion?.nextWake]
      failure = nil
    } catch let error as StoreError where error.mayPass {
      if failure != error { onFailure(error) }
      failure = error
      wakes = [store.clock.now().boot + DeliveryLoop.retryInterval]
    }
    let own = [desktop.events.descriptor, clockSet.descriptor] + (companion?.descriptors ?? [])
    ready = try waiter.wait(until: wakes.compactMap { $0 }.min(), or: descriptors + own)
    if ready.contains(clockSet.descriptor) {
      try clockSet.acknowledge()
      isClockSet = true
    }
    return .ready(ready)
  }
}
