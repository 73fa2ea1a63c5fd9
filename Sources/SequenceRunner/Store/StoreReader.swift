package import SequencePlatform
package import SequenceStore

/// Read-only access to a store, even to a damaged store or a store of an earlier version.
package struct StoreReader {
  /// The database, opened read-only.
  package let database: Database
  /// Whether the tables have the version that this program writes; `OpenRunStore` migrates earlier versions.
  package let isCurrent: Bool
  private let participants: [any StoreParticipant]

  /// Opens the store of a directory.
  ///
  /// - Returns: `nil` if there is none.
  /// - Throws: `StoreError`; `.newer` and `.foreign` have the same meaning as for `OpenRunStore`.
  package init?(_ directory: StateDirectory, participants: [any StoreParticipant]) throws(StoreError) {
    guard directory.hasStore else { return nil }
    try directory.requireOwned()
    self.participants = participants
    database = try Database.untouched(directory.databasePath)
    isCurrent = try database.isCurrent(OpenStore.components(of: RunTables(participants: participants).parts))
  }

  /// Opens the store of a directory and reads all of it.
  ///
  /// - Returns: `nil` if there is none.
  /// - Throws: `StoreError`; `.damaged` if any part is invalid.
  /// - Complexity: O(size of the store).
  package static func checked(
    _ directory: StateDirectory, participants: [any StoreParticipant]
  ) throws(StoreError) -> StoreReader? {
    let hadLog = Database.hasLog(directory.databasePath)
    do throws(StoreError) {
      return try opened(directory, participants)
    } catch .damaged where !hadLog && Database.hasLog(directory.databasePath) {
      // Another process began to write, so the data changed during the check.
      return try opened(directory, participants)
    }
  }

  private static func opened(
    _ directory: StateDirectory, _ participants: [any StoreParticipant]
  ) throws(StoreError) -> StoreReader? {
    let reader = try StoreReader(directory, participants: participants)
    try reader?.database.checkIntegrity()
    if let reader, reader.isCurrent {
      for part in RunTables(participants: participants).parts { try part.check(reader.database) }
    }
    return reader
  }

  /// Returns the versions of the components by name; empty for a store of an earlier version.
  package func versions() throws(StoreError) -> [String: Int] {
    isCurrent ? try database.componentVersions() : [:]
  }

  /// Returns the active run, settled at a reading; `nil` if none is active.
  package func settledRun(at reading: ClockReading) throws(StoreError) -> ActiveRunSnapshot? {
    guard isCurrent else { return nil }
    return try database.settledRun(at: reading, asking: participants)
  }

  /// Returns the runs that ended last, newest first.
  ///
  /// - Complexity: O(size of the history).
  package func lastRuns(_ most: Int) throws(StoreError) -> [EndedRunTitle] {
    try database.rows(
      "SELECT run_id, title, ended_at, outcome FROM history ORDER BY ended_at DESC LIMIT ?",
      .integer(Int64(most))
    ) {
      EndedRunTitle(
        id: $0.text(0), title: $0.text(1), endedAt: Moment(microseconds: $0.integer(2)), outcome: $0.text(3))
    }
  }

  /// The id, title, end and outcome of an ended run.
  package struct EndedRunTitle: Equatable {
    package let id: String
    package let title: String
    package let endedAt: Moment
    package let outcome: String
  }
}
