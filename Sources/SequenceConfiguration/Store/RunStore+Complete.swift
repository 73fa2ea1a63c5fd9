package import Platform
import SequencePlanning
package import SequenceRunner
package import Store

extension RunStore {
  /// Opens the store with every table that the program keeps.
  ///
  /// - Throws: `StoreError`.
  package static func complete(in directory: StateDirectory, clock: any ReadingClock) throws -> RunStore {
    try RunStore(directory: directory, clock: clock, participants: StoreInspection.participants)
  }

  /// The failures of hooks in this store.
  package var hookFailures: HookFailureLog { HookFailureLog(database: database) }
}

extension StoreInspection {
  /// What keeps tables beside the runs.
  package static var participants: [any StoreParticipant] { [LedgerParticipant(), HookFailureParticipant()] }
}
