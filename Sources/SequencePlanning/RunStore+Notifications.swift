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
  ) throws -> RunStore {
    try RunStore(directory: directory, clock: clock, participants: [LedgerParticipant()])
  }

  /// The notifications in this store.
  package var ledger: Ledger { base.ledger }

  /// Reads the notifications; a damaged store is replaced, and read once more.
  package func readLedger<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
    try base.readLedger(body)
  }

  /// Changes the notifications in one transaction.
  package func changeLedger<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
    try base.changeLedger(body)
  }

  /// Whether no notification is pending or visible, and no run has to be paused when the machine is suspended: no agent is
  /// needed.
  package func isAtRest() throws -> Bool {
    try ledger.isAtRest() && !database.hasRunAffectedBySuspend()
  }
}
