package import SequencePlatform
package import SequencePlanning
package import SequenceRunner
package import SequenceStore

extension OpenRunStore {
  /// Opens the store with every table that the program keeps.
  ///
  /// - Parameter horizon: how far ahead notifications are planned.
  /// - Throws: `StoreError`.
  package static func complete(
    in directory: StateDirectory, clock: any ClockSource, horizon: PlanningHorizon = .standard
  ) throws(StoreError) -> OpenRunStore {
    try OpenRunStore(directory: directory, clock: clock, participants: completeParticipants(horizon))
  }

  /// The owners of all tables other than those of runs.
  package static func completeParticipants(
    _ horizon: PlanningHorizon = .standard
  ) -> [any StoreParticipant] {
    [LedgerParticipant(horizon: horizon), HookFailureParticipant()]
  }

  /// The failures of hooks in this store.
  package var hookFailures: HookFailureLog { HookFailureLog(database: database) }
}
