package import SequencePlatform
package import SequencePlanning
package import SequenceRunner
package import SequenceStore

/// The store with every table that the program keeps.
package enum CompleteStore {
  static let parts: [any StorePart] = [HookFailureTable(), ScheduleTables()]

  /// Opens the store of a directory, and creates it if it is missing.
  ///
  /// - Parameter horizon: how far ahead notifications are planned.
  /// - Throws: `StoreError`.
  package static func open(
    in directory: StateDirectory, clock: any ClockSource, horizon: PlanningHorizon = .standard
  ) throws(StoreError) -> RunStore {
    try RunStore.withNotifications(in: directory, clock: clock, horizon: horizon, parts: parts)
  }

  /// Opens the store of a directory to read it.
  ///
  /// - Returns: `nil` if there is none.
  /// - Throws: `StoreError`.
  package static func inspect(
    _ directory: StateDirectory, clock: any ClockSource
  ) throws(StoreError) -> RunStore? {
    try RunStore.inspectingNotifications(in: directory, clock: clock, parts: parts)
  }

  /// Opens the store of a directory to read it, and reads all of it.
  ///
  /// - Returns: `nil` if there is none.
  /// - Throws: `StoreError`; `.damaged` if any part is invalid.
  /// - Complexity: O(size of the store).
  package static func check(
    _ directory: StateDirectory, clock: any ClockSource
  ) throws(StoreError) -> RunStore? {
    func checked() throws(StoreError) -> RunStore? {
      let store = try inspect(directory, clock: clock)
      try store?.base.check()
      return store
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
