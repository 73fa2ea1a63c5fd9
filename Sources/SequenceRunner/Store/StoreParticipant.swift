package import Platform
package import Store

/// A part of the program that keeps tables of its own in step with the run.
///
/// It is called in the transaction that changes the run, so they never disagree.
package protocol StoreParticipant: StorePart {
  /// Brings its tables in step with a change of the run.
  func runDidChange(_ change: RunChange, in database: Database) throws

  /// The latest reading after the start of a run's clock, in the same boot, for which its tables prove that the machine
  /// was on; `nil` without one.
  func lastSignOfLife(of run: ActiveRunSnapshot, since start: ClockReading, in database: Database) throws
    -> ClockReading?
}

extension StoreParticipant {
  package func lastSignOfLife(
    of run: ActiveRunSnapshot, since start: ClockReading, in database: Database
  ) throws -> ClockReading? { nil }
}

/// A change of the active run.
package struct RunChange {
  /// What the run was before; `nil` if there was none.
  package let before: ActiveRunSnapshot?
  /// What the run is now.
  package let after: SettledRun
  /// When it changed.
  package let reading: ClockReading
  /// Why it changed.
  package let cause: Cause

  package enum Cause: Equatable {
    /// The run was started.
    case started
    /// The user did something to it.
    case command(RunCommand)
    /// It was looked at for the first time in this boot.
    case anchored
    /// It was paused, since the machine goes.
    case left(Suspend.Cause)
    /// The machine was found to be back from the absence that it is paused for.
    case returned
    /// Its last step ended by itself.
    case ranOut
    /// It was brought over from a damaged store.
    case salvaged
  }
}
