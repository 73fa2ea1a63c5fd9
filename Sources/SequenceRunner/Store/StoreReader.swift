package import SequencePlatform
package import SequenceStore

/// Read-only access to a store, even to a damaged store or a store of an earlier version.
package struct StoreReader {
  package let database: Database
  /// Whether the tables have the version that this program writes; `OpenRunStore` migrates earlier versions.
  package let isCurrent: Bool
  private let parts: [any StorePart]
  private let observers: [any RunObserver]

  /// `nil` if the directory has no store.
  ///
  /// - Throws: `StoreError`; `.newer` and `.foreign` have the same meaning as for `OpenRunStore`.
  package init?(
    _ directory: StateDirectory, parts: [any StorePart] = [], observers: [any RunObserver] = []
  ) throws(StoreError) {
    guard directory.hasStore else { return nil }
    try directory.requireOwned()
    self.parts = [RunTables(observers: observers)] + parts
    self.observers = observers
    let components = OpenStore.components(of: self.parts)
    (database, isCurrent) = try Database.retrying { () throws(StoreError) in
      let database = try Database.untouched(directory.databasePath)
      return (database, try database.isCurrent(components))
    }
  }

  package func check() throws(StoreError) {
    try database.checkIntegrity()
    guard isCurrent else { return }
    for part in parts { try part.check(database) }
  }

  package func versions() throws(StoreError) -> [(name: String, version: Int)] {
    isCurrent ? try database.componentVersions() : []
  }

  package func peek(at reading: ClockReading) throws(StoreError) -> RunStatus {
    guard isCurrent else { return RunStatus(reading: reading, runs: []) }
    return try database.peek(at: reading, asking: observers)
  }

  /// - Complexity: O(size of the history).
  package func lastRuns(_ most: Int) throws(StoreError) -> [EndedRunTitle] {
    try database.rows(
      "SELECT \(EndedRunSummary.listColumns) FROM history ORDER BY ended_at DESC LIMIT ?",
      .integer(Int64(most))
    ) { row in
      typealias Column = EndedRunSummary.Column
      return EndedRunTitle(
        id: row.text(Column.runID), title: row.text(Column.title),
        endedAt: Moment(microseconds: row.integer(Column.endedAt)), outcome: row.text(Column.outcome))
    }
  }

  package struct EndedRunTitle: Equatable {
    package let id: String
    package let title: String
    package let endedAt: Moment
    package let outcome: String
  }
}
