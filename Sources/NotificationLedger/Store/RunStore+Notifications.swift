public import SequenceRunner

/// A store whose runs have notifications, which are planned in the transaction that changes the run.
extension RunStore {
  /// Opens the store of runs and their notifications, which change together.
  ///
  /// - Throws: `StoreError`.
  public static func withNotifications(
    in directory: StateDirectory, clock: any ReadingClock
  ) throws -> RunStore {
    try RunStore(directory: directory, clock: clock, participants: [LedgerParticipant()])
  }

  /// The notifications in this store.
  package var ledger: Ledger { Ledger(database: database) }

  /// Changes the notifications in one transaction.
  package func changeLedger<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
    try repairing { try database.transaction { try body(ledger) } }
  }
}
