import NotificationDelivery
import NotificationLedger
import Platform
import Store

/// Waits for changes of a store, in a thread of its own.
struct StoreChanges: Sendable {
  let directory: StateDirectory
  let clock: any ClockSource
  let scope: NotificationScope
  /// Receives a message when the reader has ended; `nil` for a wait with a deadline.
  let ending: MessageQueue<Void>?
  /// How long to wait before a store that could not be used is tried again.
  var retryInterval = DeliveryLoop.retryInterval

  /// Reports all entries of the scope, and then each entry that changes, until the reader has ended.
  func report(_ change: (LedgerEntry) -> Void) throws {
    var known: [Int64: LedgerEntry] = [:]
    try follow { store in
      let entries = try store.readLedger { ledger throws(StoreError) in try ledger.entries(in: scope) }
      for entry in entries where known[entry.number] != entry { change(entry) }
      known = Dictionary(uniqueKeysWithValues: entries.map { ($0.number, $0) })
      return false
    }
  }

  /// Waits until all removed notifications are gone from the screen; returns whether they are.
  func waitUntilRemoved(within limit: Duration) throws -> Bool {
    try follow(until: clock.now().boot + limit) { store in
      try store.readLedger { ledger throws(StoreError) in
        try !ledger.live().contains(where: \.isWithdrawn)
      }
    }
  }

  /// Calls a block at once and after each change of the store, until it returns true, or until the deadline or the end.
  ///
  /// After a failure that may pass, it tries again.
  ///
  /// - Returns: whether the block returned true.
  @discardableResult
  func follow(
    until deadline: Duration? = nil, _ isDone: (OpenStore) throws -> Bool
  ) throws -> Bool {
    let descriptors = ending.map { [$0.descriptor] } ?? []
    let timer = try DeadlineTimer(of: clock)
    var open: (store: OpenStore, waiter: StoreWaiter)?
    while true {
      var retry: Duration?
      do {
        let store = try open?.store ?? NotificationStore.open(directory, clock)
        if open == nil { open = (store, try StoreWaiter(store)) }
        if try isDone(store) { return true }
      } catch let error as StoreError where error.mayPass {
        retry = clock.now().boot + retryInterval
      }
      if let deadline, clock.now().boot >= deadline { return false }
      let next = [deadline, retry].compactMap { $0 }.min()
      let ready: [Int32]
      if let open {
        ready = try open.waiter.wait(until: next, or: descriptors)
      } else {
        try timer.arm(next)
        ready = try waitUntilReadable(descriptors + [timer.descriptor]).filter { $0 != timer.descriptor }
      }
      guard ready.isEmpty else { return false }
    }
  }
}
