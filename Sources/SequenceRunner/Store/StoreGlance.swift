package import Platform
package import Store

/// A quick look at a store, which changes nothing and checks nothing but what it reads.
package struct StoreGlance {
  private let database: Database

  /// A run that is over, in few words.
  package struct EndedRunTitle: Equatable {
    package let id: String
    package let title: String
    package let endedAt: Moment
    package let outcome: String
  }

  /// Opens the store of a directory to read from it; `nil` if there is none.
  ///
  /// - Throws: `StoreError`.
  package init?(_ directory: StateDirectory) throws {
    guard directory.hasStore else { return nil }
    try directory.requireOwned()
    database = try Database.untouched(directory.databasePath)
  }

  /// The active run as it stands at a reading; `nil` if none is active.
  package func activeRun(at reading: Reading) throws(StoreError) -> ActiveRunSnapshot? {
    guard case .active(let run)? = try database.storedRun()?.snapshot.settled(at: reading) else { return nil }
    return run
  }

  /// The runs that ended last, the newest first.
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
}
