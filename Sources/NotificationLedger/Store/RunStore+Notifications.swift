public import SequenceRunner

/// A store whose runs have notifications, which are planned in the transaction that changes the run.
extension RunStore {
  /// Opens the store of runs and their notifications, which change together.
  ///
  /// - Throws: `StoreError`.
  public static func withNotifications(
    in directory: StateDirectory, clock: any ReadingClock
  ) throws -> RunStore {
    try RunStore(directory: directory, clock: clock, participants: StoreInspection.participants)
  }

  /// The notifications in this store.
  package var ledger: Ledger { Ledger(database: database) }

  /// Changes the notifications in one transaction.
  package func changeLedger<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
    try repairing { try database.transaction { try body(ledger) } }
  }

  /// What has been told of the runs in this store.
  package var told: ToldLedger { ToldLedger(database: database) }
}

extension StoreInspection {
  /// What keeps tables beside the runs.
  package static var participants: [any StoreParticipant] { [LedgerParticipant(), ToldParticipant()] }
}
