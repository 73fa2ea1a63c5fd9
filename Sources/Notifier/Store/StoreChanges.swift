import NotificationDelivery
import NotificationLedger
import Platform
import Store

/// Waits for changes of a store, in a thread of its own.
struct StoreChanges: Sendable {
  let directory: StateDirectory
  let clock: any ClockSource
  let scope: NotificationScope
  /// Something is in it once nobody wants more; `nil` if the wait has a limit.
  let ending: MessageQueue<Void>?

  /// Reports all entries of the scope, and then each that changes, until nobody wants more.
  func report(_ change: (LedgerEntry) -> Void) throws {
    var known: [Int64: LedgerEntry] = [:]
    try follow { store in
      let entries = try store.readLedger { ledger throws(StoreError) in try ledger.entries(in: scope) }
      for entry in entries where known[entry.number] != entry { change(entry) }
      known = Dictionary(uniqueKeysWithValues: entries.map { ($0.number, $0) })
      return false
    }
  }

  /// Waits until no removed notification is on the screen; returns whether that is so.
  func waitUntilRemoved(within limit: Duration) throws -> Bool {
    try follow(until: clock.now().boot + limit) { store in
      try store.readLedger { ledger throws(StoreError) in
        try !ledger.live().contains(where: \.isWithdrawn)
      }
    }
  }

  /// Looks at the store at once and after each change, until that returns true, or the end.
  @discardableResult
  private func follow(
    until deadline: Duration? = nil, _ isDone: (OpenStore) throws -> Bool
  ) throws -> Bool {
    let store = try NotificationStore.open(directory, clock)
    let waiter = try StoreWaiter(store)
    let descriptors = ending.map { [$0.descriptor] } ?? []
    while try !isDone(store) {
      if let deadline, clock.now().boot >= deadline { return false }
      guard try waiter.wait(until: deadline, or: descriptors).isEmpty else { return false }
    }
    return true
  }
}
