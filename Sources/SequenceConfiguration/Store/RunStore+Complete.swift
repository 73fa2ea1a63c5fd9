package import Platform
import SequencePlanning
package import SequenceRunner
package import Store

extension RunStore {
  /// Opens the store with every table that the program keeps.
  ///
  /// - Throws: `StoreError`.
  package static func complete(in directory: StateDirectory, clock: any ClockSource)
    throws(StoreError) -> RunStore
  {
    try RunStore(directory: directory, clock: clock, participants: completeParticipants)
  }

  /// The owners of all tables other than those of runs.
  package static var completeParticipants: [any StoreParticipant] {
    [LedgerParticipant(), HookFailureParticipant()]
  }

  /// The failures of hooks in this store.
  package var hookFailures: HookFailureLog { HookFailureLog(database: database) }
}
