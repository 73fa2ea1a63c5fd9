package import Platform
package import Store

/// A part of the program that keeps tables of its own beside the run, and in step with it.
///
/// It is asked in the very transaction that changes the run: there is no moment at which they disagree.
package protocol StoreParticipant {
  /// The tables that it owns.
  static var component: SchemaComponent { get }

  /// Brings its tables in step with a change of the run.
  func runDidChange(_ change: RunChange, in database: Database) throws

  /// Reads every row of its tables, none of which is changed.
  ///
  /// - Throws: `StoreError.damaged` if one makes no sense.
  func check(_ database: Database) throws

  /// Copies the rows that must outlive a damaged store, as far as they can be read, into the store that replaces it.
  ///
  /// It comes before `runDidChange` with the salvaged run.
  func salvage(from damaged: Database, into database: Database) throws

  /// The latest moment after the start of a run's clock, in the same boot, at which its tables tell of the machine
  /// being on; `nil` without one.
  func lastSignOfLife(of run: ActiveRunSnapshot, since start: Reading, in database: Database) throws
    -> Reading?
}

extension StoreParticipant {
  package func check(_ database: Database) throws {}

  package func salvage(from damaged: Database, into database: Database) throws {}

  package func lastSignOfLife(
    of run: ActiveRunSnapshot, since start: Reading, in database: Database
  ) throws -> Reading? { nil }
}

/// A change of the active run.
package struct RunChange {
  /// What the run was before; `nil` if there was none.
  package let before: ActiveRunSnapshot?
  /// What the run is now.
  package let after: RunState
  /// When it changed.
  package let reading: Reading
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
    case left(Absence.Cause)
    /// The machine was found to be back from the absence that it is paused for.
    case returned
    /// Its last step ended by itself.
    case ranOut
    /// It was brought over from a damaged store.
    case salvaged
  }
}
