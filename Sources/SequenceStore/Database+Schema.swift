import CSequenceLinux
import Glibc
package import SequencePlatform

extension Database {
  /// "SEQU": what `file` and SQLite show as the kind of the database.
  private static let applicationID: Int64 = 0x5345_5155
  /// The version of the database as a whole: how components keep theirs.
  private static let containerVersion: Int64 = 1
  /// The size of the smallest page, in bytes; SQLite takes a file below that for an empty one.
  package static let smallestSize = 512

  /// Opens the database of a directory, and makes or migrates it if it is not of this program's version.
  ///
  /// Who makes or migrates does it under a lock, so that others find nothing or all of it.
  package static func opened(
    in directory: StateDirectory, components: [SchemaComponent]
  ) throws(StoreError) -> Database {
    try mapped(directory.path) { () throws(SystemError) in try directory.make() }
    try directory.requireOwned()
    let path = directory.databasePath
    try requireNoReplacement(of: path)
    if let size = try fileSize(path) {
      guard size >= smallestSize else { throw StoreError.damaged(path: path, reason: "it is empty") }
      let database = try Database(path: path)
      try database.configure()
      if try database.isCurrent(components), try database.isLogged {
        try database.rememberLog()
        return database
      }
    }
    return try withStoreLock(in: directory) { lock throws(StoreError) in
      // It may have begun since.
      try requireNoReplacement(of: path)
      if try fileSize(path) == nil { try make(path, in: directory, components, lock) }
      let database = try Database(path: path)
      // A newer or a stranger's file is refused before anything of it is changed.
      database.wasMigrated = try !database.isCurrent(components)
      try database.logCommits()
      try database.configure()
      try database.migrate(to: components)
      try database.rememberLog()
      return database
    }
  }

  /// Creates a database that is complete once it has its name; so an empty file was emptied by another program.
  private static func make(
    _ path: String, in directory: StateDirectory, _ components: [SchemaComponent], _ lock: borrowing FileLock
  ) throws(StoreError) {
    // Files that a removed database left must not be taken for parts of the new one.
    for suffix in partSuffixes { try removeFile(path + suffix) }
    let draft = directory.draftPath
    try makeDraft(draft, components, lock) { _ in }
    guard lock.isInPlace else { throw .replaced(path: path) }
    do throws(SystemError) {
      try renameFile(draft, to: path, .replacing)
      try FileDescriptor(openingDirectory: directory.path).synchronize()
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Creates a database under a temporary name; it is complete, on the disk and closed when this returns.
  ///
  /// It must not be called for the path of a draft while a replacement isn't finished: that is the only copy of
  /// salvaged rows.
  package static func makeDraft(
    _ path: String, _ components: [SchemaComponent], _ lock: borrowing FileLock,
    complete: (Database) throws(StoreError) -> Void
  ) throws(StoreError) {
    // The draft of a killed process.
    try removeDraft(path)
    do throws(StoreError) {
      try createFile(path)
      let database = try Database(path: path)
      try database.configure()
      try database.migrate(to: components)
      try complete(database)
      // Set before the database gets its name.
      try database.logCommits()
    } catch {
      // In a directory that was removed and made again, the file of that name may be another process's.
      if lock.isInPlace { removeLeftovers(path) }
      throw error
    }
  }

  /// Removes databases or files that are of no use any more; if one can't be removed, the next repair or draft does it.
  static func removeLeftovers(_ paths: String...) { for path in paths { try? removeDraft(path) } }

  static func removeDraft(_ path: String) throws(StoreError) {
    for suffix in [""] + partSuffixes { try removeFile(path + suffix) }
  }

  private static let partSuffixes = ["-wal", "-shm", "-journal"]

  /// Switches to a write-ahead log, for all processes and for good.
  private func logCommits() throws(StoreError) {
    if try !isLogged { try execute("PRAGMA journal_mode = WAL") }
  }

  static func removeFile(_ path: String) throws(StoreError) {
    do throws(SystemError) {
      _ = try SystemError.check("remove \(path)") { unsafe unlink(path) }
    } catch {
      guard error.code == ENOENT else { throw StoreError(error, path: path) }
    }
  }

  /// Runs a block while no other process makes, migrates or replaces the database.
  package static func withStoreLock<Result>(
    in directory: StateDirectory, _ body: (borrowing FileLock) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let path = directory.storeLockPath
    while true {
      let lock = try mapped(path) { () throws(SystemError) in try FileLock(path: path) }
      let isTaken = try mapped(path) { () throws(SystemError) in try lock.take(within: .seconds(5)) }
      guard isTaken else { throw StoreError.busy(path: path) }
      // Not if the directory was removed and made again while this process waited.
      if lock.isInPlace { return try body(lock) }
    }
  }

  static func mapped<Result: ~Copyable>(
    _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// A commit is on the disk before it is acknowledged, in WAL mode too.
  private func configure() throws(StoreError) {
    try execute("PRAGMA synchronous = FULL")
  }

  /// Whether the schema is the one that this program knows, read in one transaction.
  ///
  /// - Throws: `StoreError.newer`, `.foreign` or `.unsuitable` if it must not be touched.
  package func isCurrent(_ components: [SchemaComponent]) throws(StoreError) -> Bool {
    try reading { () throws(StoreError) in
      let isCurrent = try isCurrentNow(components)
      try requireWholeLog()
      return isCurrent
    }
  }

  /// Refuses a database that has got tables since it was opened which this process would misread or leave behind.
  ///
  /// - Throws: `StoreError.newer`, `.unsuitable`.
  package func refuseNewer(than components: [SchemaComponent]) throws(StoreError) {
    // It changes with every commit of another connection.
    let change = try rows("PRAGMA data_version") { $0.integer(0) }.first
    guard change != checkedChange else { return }
    _ = try isCurrentNow(components)
    checkedChange = change
  }

  private func isCurrentNow(_ components: [SchemaComponent]) throws(StoreError) -> Bool {
    let application = try rows("PRAGMA application_id") { $0.integer(0) }.first ?? 0
    let container = try rows("PRAGMA user_version") { $0.integer(0) }.first ?? 0
    if application != Database.applicationID {
      let isEmpty = try rows("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } == [0]
      guard isEmpty, application == 0 else { throw .foreign(path: path) }
    }
    guard container <= Database.containerVersion else {
      throw .newer(
        path: path,
        reason: "it has database \(container), and this program knows \(Database.containerVersion)")
    }
    guard container == Database.containerVersion else { return false }
    let versions = try componentVersions()
    func version(of component: SchemaComponent) -> Int {
      versions.first { $0.name == component.name }?.version ?? 0
    }
    for component in components {
      if let refused = component.refused, versions.contains(where: { $0.name == refused.name }) {
        throw refused.error(at: path, hasOwn: versions.contains { $0.name == component.name })
      }
      let found = version(of: component)
      guard found <= component.version else {
        throw .newer(
          path: path, reason: "it has \(component.name) \(found), and this program knows \(component.version)"
        )
      }
    }
    return components.allSatisfy { version(of: $0) == $0.version }
  }

  /// Refuses a damaged database that has tables which this process would leave behind, as far as its schema is readable.
  ///
  /// - Throws: `StoreError.unsuitable`.
  func refuseTables(of components: [SchemaComponent]) throws(StoreError) {
    for component in components {
      guard let refused = component.refused else { continue }
      let isThere: Bool
      do throws(StoreError) {
        isThere =
          try rows(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", .text(refused.table)
          ) { $0.integer(0) } != [0]
      } catch .damaged {
        // Then nobody can tell.
        isThere = false
      }
      if isThere { throw refused.error(at: path, hasOwn: true) }
    }
  }

  /// The name and the version of each component that the store has.
  ///
  /// Not a dictionary: to make its type takes a fourteenth of the run time of a short command.
  package func componentVersions() throws(StoreError) -> [(name: String, version: Int)] {
    try rows("SELECT name, version FROM component") { row throws(StoreError) in
      guard let version = Int(exactly: row.integer(1)), version > 0 else {
        throw .damaged(path: path, reason: "\(row.integer(1)) is not a version of \(row.text(0))")
      }
      return (row.text(0), version)
    }
  }

  private func migrate(to components: [SchemaComponent]) throws(StoreError) {
    guard try !isCurrent(components) else { return }
    try transaction { () throws(StoreError) in try migrateNow(to: components) }
  }

  private func migrateNow(to components: [SchemaComponent]) throws(StoreError) {
    try execute(
      """
      PRAGMA application_id = \(Database.applicationID);
      PRAGMA user_version = \(Database.containerVersion);
      CREATE TABLE IF NOT EXISTS component (
        name TEXT PRIMARY KEY, version INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      """)
    try execute(ReaderPosition.statement)
    let versions = try componentVersions()
    for component in components {
      try component.update(self, from: versions.first { $0.name == component.name }?.version)
      try run(
        """
        INSERT INTO component (name, version) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET version = excluded.version
        """, .text(component.name), .integer(component.version))
    }
  }

  /// Checks the tables as they would be after the migrations, which are rolled back.
  ///
  /// - Throws: the error of the check; `StoreError` if the migrations fail because the tables don't match the stored
  ///   version.
  package func rehearseMigration(
    to components: [SchemaComponent], check: () throws(StoreError) -> Void
  ) throws(StoreError) {
    struct Undone: Error { let failure: StoreError? }
    guard try !isCurrent(components) else { return try reading(check) }
    do throws(Undone) {
      try writing(
        { () throws(Undone) in
          do throws(StoreError) {
            try migrateNow(to: components)
            try check()
          } catch {
            throw Undone(failure: error)
          }
          throw Undone(failure: nil)
        }, Undone.init)
    } catch {
      if let failure = error.failure { throw failure }
    }
  }

  package static func fileSize(_ path: String) throws(StoreError) -> Int? {
    var status = stat()
    do throws(SystemError) {
      _ = try SystemError.check("read the status of \(path)") { unsafe lstat(path, &status) }
    } catch {
      guard error.code == ENOENT else { throw StoreError(error, path: path) }
      return nil
    }
    return Int(status.st_size)
  }

  /// Makes an empty file that only its owner may read; SQLite gives its own files the same rights.
  private static func createFile(_ path: String) throws(StoreError) {
    _ = try mapped(path) { () throws(SystemError) in
      try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW)
    }
  }
}

extension StoreError {
  package init(_ error: SystemError, path: String) {
    switch error.code {
    case ENOSPC, EDQUOT: self = .full(path: path)
    case EROFS: self = .readOnly(path: path)
    case EIO: self = .inputOutput(path: path, reason: error.reason)
    default: self = .inaccessible(path: path, reason: "\(error.call): \(error.reason)")
    }
  }
}
