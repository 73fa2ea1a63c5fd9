import NotifierLedger
package import SequencePlatform
package import SequencePlanning
package import SequenceRunner
package import SequenceStore

extension OpenRunStore {
  /// Opens the store with every table that the program keeps.
  ///
  /// - Parameter horizon: how far ahead notifications are planned.
  package static func complete(
    in directory: StateDirectory, clock: any ClockSource, horizon: PlanningHorizon = .standard
  ) throws(StoreError) -> OpenRunStore {
    try OpenRunStore(
      directory: directory, clock: clock, parts: completeParts,
      observers: [NotificationPlanning(horizon: horizon)])
  }

  package var hookFailures: HookFailureLog { HookFailureLog(database: database) }
}

extension StoreReader {
  /// Opens the store of a directory to read it, with every table that the program keeps; `nil` if there is none.
  package static func complete(in directory: StateDirectory) throws(StoreError) -> StoreReader? {
    try StoreReader(directory, parts: completeParts, observers: [NotificationPlanning()])
  }

  /// Opens the store of a directory like `complete(in:)`, and reads all of it.
  ///
  /// - Throws: `StoreError`; `.damaged` if any part is invalid.
  package static func checked(in directory: StateDirectory) throws(StoreError) -> StoreReader? {
    func checked() throws(StoreError) -> StoreReader? {
      let reader = try complete(in: directory)
      try reader?.check()
      return reader
    }
    let hadLog = Database.hasLog(directory.databasePath)
    do throws(StoreError) {
      return try checked()
    } catch .damaged where !hadLog && Database.hasLog(directory.databasePath) {
      // Another process began to write, so the data changed during the check.
      return try checked()
    }
  }
}

/// The owners of all tables other than those of runs.
let completeParts: [any StorePart] = [NotificationTables(), PlanningTables(), HookFailureTable()]
