package import NotificationLedger
public import Platform
public import SequenceRunner
public import Store

/// A store whose runs have notifications, which are planned in the transaction that changes the run.
extension RunStore {
  /// Opens the store of runs and their notifications, which change together.
  ///
  /// - Throws: `StoreError`.
  public static func withNotifications(
    in directory: StateDirectory, clock: any ClockSource
  ) throws(StoreError) -> RunStore {
    try withNotifications(in: directory, clock: clock, horizon: .standard)
  }

  /// Opens the store with a horizon for its notifications.
  package static func withNotifications(
    in directory: StateDirectory, clock: any ClockSource, horizon: PlanningHorizon
  ) throws(StoreError) -> RunStore {
    try RunStore(
      directory: directory, clock: clock, participants: [LedgerParticipant(horizon: horizon)])
  }

  /// The notifications in this store.
  package var ledger: Ledger { base.ledger }

  /// Reads the notifications like `OpenStore.readLedger`.
  package func readLedger<Result>(
    _ body: (Ledger) throws(StoreError) -> Result
  ) throws(StoreError) -> Result { try base.readLedger(body) }

  /// Reads the notifications by a block that may also throw other errors.
  package func readLedger<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
    try base.readLedger(body)
  }

  /// Changes the notifications in one transaction.
  package func changeLedger<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
    try base.changeLedger(body)
  }

  /// Returns notifications of the active run that have no entry yet, earliest first, and whether more follow.
  package func laterNotifications(
    in scopes: [NotificationScope], atMost count: Int
  ) throws(StoreError) -> (requests: [NotificationRequest], hasMore: Bool) {
    try repairing { () throws(StoreError) in
      try Planner(database: database, horizon: .standard).later(
        than: clock.now(), in: scopes, atMost: count)
    }
  }

  /// Whether no notification is pending or visible, and no run has to be paused when the machine is suspended: no agent is
  /// needed.
  package func isAtRest() throws(StoreError) -> Bool {
    guard try ledger.isAtRest() else { return false }
    return try !database.hasRunAffectedBySuspend()
  }
}
