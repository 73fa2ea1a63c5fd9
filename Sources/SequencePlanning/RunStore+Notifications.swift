public import Platform
public import SequenceRunner
public import Store

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
}
