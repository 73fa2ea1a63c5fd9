package import FoundationEssentials
package import SequencePlatform
package import SequenceStore

/// An observer of runs, whose tables change in the transaction that changes a run, so that both always agree.
package protocol RunObserver: Sendable {
  /// Updates its tables after a change of a run.
  ///
  /// - Parameter entry: the last journal entry of the run after the change.
  func runDidChange(_ change: RunChange, entry: JournalEntry, in database: Database) throws(StoreError)

  /// Updates its tables after a damaged store was replaced.
  ///
  /// - Parameter known: the ids of the active and ended runs that could be recovered, or are about to be.
  func runsWereLost(besides known: Set<UUID>, in database: Database, at reading: ClockReading)
    throws(StoreError)

  func sequence(ofLostRun id: UUID, in database: Database) throws(StoreError) -> (id: UUID?, title: String?)

  /// Returns the latest time on the clock of a boot whose presence in its tables proves that the machine was on; `nil`
  /// without one.
  func lastSignOfLife(inBoot bootID: String, of database: Database) throws(StoreError) -> Duration?
}

package struct RunChange {
  package let before: ActiveRunSnapshot?
  /// The run right after the change; its clock may have started in the past.
  package let changed: SettledRun
  /// The run after the change, settled at its time.
  package let after: SettledRun
  package let reading: ClockReading
  package let cause: Cause

  package var run: ActiveRunSnapshot {
    switch after {
    case .active(let run): run
    case .ended(let ended): ended.snapshot
    }
  }

  package enum Cause: Equatable {
    case started
    case command(RunCommand)
    /// The run was read for the first time in this boot.
    case anchored
    case suspended(SuspendCause)
    /// The end of the suspend that the run is paused for was detected.
    case returned
    /// The last step ended by itself.
    case ranOut
    case salvaged
  }
}
