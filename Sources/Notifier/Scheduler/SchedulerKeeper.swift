import Glibc
import NotificationDelivery
import NotificationLedger
import Platform
import Store

/// The thread of a scheduler that keeps time, reads the store and decides.
struct SchedulerKeeper: Sendable {
  let directory: StateDirectory
  let clock: any ClockSource
  let desktop: Desktop
  /// The first of its connections to the desktop.
  let connection: any DesktopConnection
  /// What notifications say of the application.
  let notifying: NotifyingApplication
  /// Something is in it once the scheduler is gone.
  let ending: MessageQueue<Void>
  let application: ScheduledNotifications

  /// Delivers until the scheduler is gone.
  func deliver(onFailure: @escaping (any Error) -> Void) throws {
    var connection = connection
    var zone = TimeZoneWatch(of: clock, onFailure: onFailure)
    let delivering = Result {
      while try deliverFromOneStore(through: connection, &zone, onFailure: onFailure) {
        // Another store has the same numbers for other entries: answers to earlier orders must not reach it.
        try connection.end()
        connection = try desktop.connect(notifying)
      }
    }
    try connection.end()
    try delivering.get()
  }

  /// Delivers until the scheduler is gone, or another store takes the place of the present one.
  ///
  /// - Returns: whether there is another store.
  private func deliverFromOneStore(
    through connection: any DesktopConnection, _ zone: inout TimeZoneWatch,
    onFailure: @escaping (any Error) -> Void
  ) throws -> Bool {
    let store = try NotificationStore.open(directory, clock)
    let courier = Courier(store: store, application: application, process: getpid())
    let delivery = try DeliveryLoop(store, courier, connection, onFailure: onFailure)
    while true {
      switch try delivery.turn(or: [ending.descriptor] + zone.descriptors, isDone: { false }) {
      case .ready(let descriptors):
        if descriptors.contains(ending.descriptor) { return false }
        if try zone.hasChanged() { delivery.followClocks() }
      case .nothingToDo: break
      case .storeReplaced: return true
      }
    }
  }
}

/// Shares a lock with the thread that gives it back.
final class LockHolder: Sendable {
  private let lock: FileLock

  init(_ lock: consuming FileLock) {
    self.lock = lock
  }

  /// Gives the lock back.
  func release() throws(SystemError) { try lock.release() }
}
