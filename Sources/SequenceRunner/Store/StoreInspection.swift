package import Platform
package import Store

/// A look at a store by whoever only wants to know how it does: nothing of it is changed, not even if it is damaged.
package struct StoreInspection {
  /// The database, which can be read only.
  package let database: Database
  /// The versions of its components.
  package let versions: [String: Int]
  /// Whether they are those that this program writes; older ones are brought up to date at the next use.
  package let isCurrent: Bool
  /// The active run as it stands at the reading; `nil` if none is active.
  package let run: ActiveRunSnapshot?

  /// Looks at the store of a directory, all of it.
  ///
  /// - Parameter reading: the moment at which the run is looked at.
  /// - Throws: `StoreError`; `.damaged`, `.newer` and `.foreign` mean the same as for those who use the store.
  /// - Complexity: O(size of the store).
  package init(
    _ directory: StateDirectory, participants: [any StoreParticipant], at reading: Reading
  ) throws {
    try directory.requireOwned()
    let path = directory.databasePath
    let hadLog = Database.hasLog(path)
    do {
      try self.init(path, participants, reading)
    } catch StoreError.damaged where !hadLog && Database.hasLog(path) {
      // Somebody began to write: what was looked at changed meanwhile.
      try self.init(path, participants, reading)
    }
  }

  private init(_ path: String, _ participants: [any StoreParticipant], _ reading: Reading) throws {
    database = try Database.untouched(path)
    isCurrent = try database.isCurrent(RunStore.components(of: participants))
    try database.checkIntegrity()
    guard isCurrent else {
      versions = [:]
      run = nil
      return
    }
    versions = Dictionary(try database.componentVersions().map { ($0.name, $0.version) }) { first, _ in first
    }
    if case .active(let active)? = try database.storedRun()?.snapshot.settled(at: reading) {
      run = active
    } else {
      run = nil
    }
    _ = try database.history(since: Moment(microseconds: .min))
    for participant in participants { try participant.check(database) }
  }
}
