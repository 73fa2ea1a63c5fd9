import Glibc
package import SequencePlatform
import Synchronization

package protocol StorePart: Sendable {
  /// The tables.
  var component: SchemaComponent { get }

  /// Reads every row of its tables; changes nothing.
  ///
  /// - Throws: `StoreError.damaged` if a row is unreadable.
  func check(_ database: Database) throws(StoreError)

  /// Copies the rows that must outlive a damaged store, as far as they are readable, into the store that replaces it.
  func salvage(from damaged: Database, into database: Database, at reading: ClockReading) throws(StoreError)
}

/// An open store, which lets in one thread at a time: follows a store that another process put in its place, and
/// replaces one that is damaged.
package final class OpenStore: Sendable {
  package let directory: StateDirectory
  package let clock: any ClockSource
  /// Whether the store is only read: it is neither made, migrated nor repaired.
  package let isReadOnly: Bool
  private let parts: [any StorePart]
  /// Called with the new path of a damaged store, after its replacement is open.
  private let onReplacement: @Sendable (_ damagedPath: String, Database) throws(StoreError) -> Void
  private let entrance = Entrance()
  private let state: Mutex<State>

  private struct State {
    var database: Database
    var isCurrent = true
    var generation = 0
    var makesRemovedAgain = true
    var opensReplacement = true
  }

  /// The database that is open now; another object after a repair.
  package private(set) var database: Database {
    get { state.withLock(\.database) }
    set { state.withLock { $0.database = newValue } }
  }
  /// Whether the tables have the version that this program writes; `false` only if the store is only read.
  package var isCurrent: Bool { state.withLock(\.isCurrent) }
  /// How often another store took the place of the one that was opened first.
  package private(set) var generation: Int {
    get { state.withLock(\.generation) }
    set { state.withLock { $0.generation = newValue } }
  }
  /// Whether the next use makes a store again that was removed; an agent leaves that to commands.
  package var makesRemovedAgain: Bool {
    get { state.withLock(\.makesRemovedAgain) }
    set { state.withLock { $0.makesRemovedAgain = newValue } }
  }
  /// Whether the next use opens a store that took the place of this one; a delivery loop leaves that to its successor.
  package var opensReplacement: Bool {
    get { state.withLock(\.opensReplacement) }
    set { state.withLock { $0.opensReplacement = newValue } }
  }

  /// A damaged store is moved aside and replaced by a store with everything that its parts can read.
  ///
  /// - Parameter parts: the owners of tables, in the order in which their tables are created and migrated.
  package init(
    in directory: StateDirectory, clock: any ClockSource, parts: [any StorePart],
    onReplacement: @escaping @Sendable (String, Database) throws(StoreError) -> Void = { _, _ in }
  ) throws(StoreError) {
    self.directory = directory
    self.clock = clock
    self.parts = parts
    self.onReplacement = onReplacement
    isReadOnly = false
    let components = OpenStore.components(of: parts)
    do throws(StoreError) {
      state = Mutex(State(database: try OpenStore.opened(in: directory, components)))
    } catch .damaged {
      let damagedPath = try Database.replaceDamaged(in: directory, at: clock.now(), parts: parts)
      state = Mutex(State(database: try OpenStore.opened(in: directory, components)))
      if let damagedPath { try onReplacement(damagedPath, database) }
    }
  }

  /// Opens the store of a directory, even if it is damaged or of an earlier version, to read it as it is now.
  ///
  /// - Returns: `nil` if there is none.
  /// - Throws: `StoreError`.
  package init?(
    inspecting directory: StateDirectory, clock: any ClockSource, parts: [any StorePart]
  ) throws(StoreError) {
    guard directory.hasStore else { return nil }
    try directory.requireOwned()
    self.directory = directory
    self.clock = clock
    self.parts = parts
    onReplacement = { _, _ in }
    isReadOnly = true
    state = Mutex(try OpenStore.inspected(directory, OpenStore.components(of: parts)))
  }

  private static func inspected(
    _ directory: StateDirectory, _ components: [SchemaComponent]
  ) throws(StoreError) -> State {
    try Database.retrying { () throws(StoreError) in
      let database = try Database.untouched(directory.databasePath)
      return State(database: database, isCurrent: try database.isCurrent(components))
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

  /// Runs a block while no other thread uses the store.
  package func alone<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try entrance.pass(body)
  }

  /// Runs a block on the store that is in place.
  ///
  /// If that turns out to be damaged, or another process replaces it meanwhile, the block runs once more on the store
  /// that took its place. A store that is only read is opened again if another process has written to it.
  package func repairing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try entrance.pass { () throws(StoreError) in
      if isReadOnly { return try inspecting(body) }
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
        try database.refuseNewer(than: OpenStore.components(of: parts))
        return try body()
      } catch {
        try repair(after: error)
        return try body()
      }
    }
  }

  private func inspecting<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    var isOutdated: Bool { !database.isInPlace && directory.hasStore }
    if isOutdated { try inspectAgain() }
    do throws(StoreError) {
      let result = try body()
      guard isOutdated else { return result }
    } catch {
      guard isOutdated else { throw error }
    }
    try inspectAgain()
    return try body()
  }

  private func inspectAgain() throws(StoreError) {
    let opened = try OpenStore.inspected(directory, OpenStore.components(of: parts))
    state.withLock { ($0.database, $0.isCurrent) = (opened.database, opened.isCurrent) }
  }

  /// Runs a block as one transaction, as `repairing` does.
  package func transaction<Result>(
    _ body: (Database) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard !isReadOnly else { throw .readOnly(path: directory.databasePath) }
    let result = try repairing { () throws(StoreError) in
      try database.transaction { () throws(StoreError) in try body(database) }
    }
    clock.reportChange()
    return result
  }

  /// Reads all of the store.
  ///
  /// - Throws: `StoreError.damaged` if any part is invalid.
  /// - Complexity: O(size of the store).
  package func check() throws(StoreError) {
    try database.reading { () throws(StoreError) in
      try database.checkIntegrity()
      guard isCurrent else { return }
      for part in parts { try part.check(database) }
    }
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
    if let damagedPath { try onReplacement(damagedPath, database) }
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
    parts.map(\.component)
  }
}

/// Lets one thread in at a time, which may pass again while it is inside.
final class Entrance: Sendable {
  private let gate = Mutex<Void>(())
  /// The thread that is inside; 0 for none.
  private let thread = Atomic<UInt>(0)

  /// Runs a block as soon as no other thread is inside.
  func pass<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let own = UInt(pthread_self())
    // Only this thread stores its own number.
    if thread.load(ordering: .relaxed) == own { return try body() }
    // Swift makes the type of each generic value at run time, so there is one and no more.
    var result: Result?
    try gate.withLock { _ throws(Failure) in
      thread.store(own, ordering: .relaxed)
      defer { thread.store(0, ordering: .relaxed) }
      result = try body()
    }
    guard let result else { preconditionFailure("a block under a lock has run") }
    return result
  }
}
