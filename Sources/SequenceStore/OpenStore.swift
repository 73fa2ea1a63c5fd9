package import SequencePlatform

package protocol StorePart: Sendable {
  static var component: SchemaComponent { get }

  /// Reads every row of its tables; changes nothing.
  ///
  /// - Throws: `StoreError.damaged` if a row is unreadable.
  func check(_ database: Database) throws(StoreError)

  /// Copies the rows that must outlive a damaged store, as far as they are readable, into the store that replaces it.
  func salvage(from damaged: Database, into database: Database, at reading: ClockReading) throws(StoreError)
}

/// An open store, for one thread at a time: follows a store that another process put in its place, and replaces one
/// that is damaged.
package final class OpenStore {
  package let directory: StateDirectory
  package let clock: any ClockSource
  /// The database that is open now; another object after a repair.
  package private(set) var database: Database
  /// How often another store took the place of the one that was opened first.
  package private(set) var generation = 0
  /// Called with the new path of a damaged store, after its replacement is open.
  package var onReplacement: (_ damagedPath: String) throws(StoreError) -> Void = { _ in }
  /// The path that a damaged store was moved to when this one was opened; `nil` if it was sound.
  package let replacedAtOpening: String?
  /// Whether the next use makes a store again that was removed; an agent leaves that to commands.
  package var makesRemovedAgain = true
  /// Whether the next use opens a store that took the place of this one; a delivery loop leaves that to its successor.
  package var opensReplacement = true
  private let parts: [any StorePart]

  /// A damaged store is moved aside and replaced by a store with everything that its parts can read.
  ///
  /// - Parameter parts: the owners of tables, in the order in which their tables are created and migrated.
  package init(
    directory: StateDirectory, clock: any ClockSource, parts: [any StorePart]
  ) throws(StoreError) {
    self.directory = directory
    self.clock = clock
    self.parts = parts
    let components = OpenStore.components(of: parts)
    do throws(StoreError) {
      database = try OpenStore.opened(in: directory, components)
      replacedAtOpening = nil
    } catch .damaged {
      replacedAtOpening = try Database.replaceDamaged(in: directory, at: clock.now(), parts: parts)
      database = try OpenStore.opened(in: directory, components)
    }
  }

  private static func opened(
    in directory: StateDirectory, _ components: [SchemaComponent]
  ) throws(StoreError) -> Database {
    try Database.retrying { () throws(StoreError) in
      try Database.opened(in: directory, components: components)
    }
  }

  /// Whether the store that was opened first is still the one of its directory.
  package var isInPlace: Bool { generation == 0 && database.isInPlace }

  /// Runs a block on the store that is in place.
  ///
  /// If that turns out to be damaged, or another process replaces it meanwhile, the block runs once more on the store
  /// that took its place.
  package func repairing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    if !database.isInPlace {
      guard opensReplacement else { throw .replaced(path: directory.databasePath) }
      do throws(StoreError) {
        try reopen()
      } catch {
        guard error.suggestsDamage else { throw error }
        try repair(after: error)
      }
    }
    do throws(StoreError) {
      // A store of a newer version is refused.
      try database.refuseNewer(than: OpenStore.components(of: parts))
      return try body()
    } catch {
      try repair(after: error)
      return try body()
    }
  }

  /// Runs a block as one transaction, as `repairing` does.
  package func transaction<Result>(
    _ body: (Database) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let result = try repairing { () throws(StoreError) in
      try database.transaction { () throws(StoreError) in try body(database) }
    }
    clock.reportChange()
    return result
  }

  /// Opens the store that took the place of the one that failed, or replaces a damaged one.
  ///
  /// - Throws: the error itself if another attempt cannot help.
  private func repair(after error: StoreError) throws(StoreError) {
    if case .replaced = error {
      guard opensReplacement else { throw error }
      return try reopen()
    }
    guard error.suggestsDamage else { throw error }
    let damagedPath = try Database.replaceDamaged(in: directory, at: clock.now(), parts: parts)
    // A sound store is left as it is.
    if case .unexpected = error, damagedPath == nil, database.isInPlace { throw error }
    try reopen()
    if let damagedPath { try onReplacement(damagedPath) }
  }

  package func reopen() throws(StoreError) {
    guard makesRemovedAgain || directory.hasStore else {
      throw StoreError.replaced(path: directory.databasePath)
    }
    // Another file has an index of its own.
    if database.hasSameFile { database.close() }
    database = try OpenStore.opened(in: directory, OpenStore.components(of: parts))
    generation += 1
  }

  package static func components(of parts: [any StorePart]) -> [SchemaComponent] {
    parts.map { type(of: $0).component }
  }
}
