import CSequenceLinux
import Glibc
import SequencePlatform

extension Database {
  /// Replaces a damaged store, which is moved to a dated name.
  ///
  /// The new store is complete before it takes the place, so that salvaged rows are not lost with the process. If the
  /// process ends while the files are renamed, the next one that opens the store continues.
  ///
  /// - Returns: the new path of the damaged store; `nil` if another process had replaced it already.
  /// - Throws: `StoreError`; the damaged store has not been moved then, or the next process continues.
  static func replaceDamaged(
    in directory: StateDirectory, at reading: ClockReading, parts: [any StorePart]
  ) throws(StoreError) -> String? {
    let path = directory.databasePath
    return try withStoreLock(in: directory) { lock throws(StoreError) in
      let finished = try finishReplacement(in: directory)
      // Another process may have replaced it while this one waited for the lock.
      guard let size = try fileSize(path), try isDamaged(path, parts) else { return finished }
      // SQLite would remove the log of an empty file. A file that can't be opened is moved, too.
      let damaged: Database? = size < smallestSize ? nil : try? Database(path: path)
      // If the file can be locked at all, no other process writes to it until it is moved.
      _ = try? damaged?.run("BEGIN IMMEDIATE")
      defer { withExtendedLifetime(damaged) {} }
      let components = OpenStore.components(of: parts)
      try damaged?.refuseTables(of: components)
      let aside = try freeName(for: path, at: reading.wall)
      try makeDraft(directory.draftPath, components, lock) { draft throws(StoreError) in
        guard let damaged else { return }
        try withKnownSchema(damaged, components, lock) { readable throws(StoreError) in
          try draft.transaction { () throws(StoreError) in
            for part in parts.reversed() { try part.salvage(from: readable, into: draft, at: reading) }
          }
        }
      }
      do throws(StoreError) {
        try beginReplacement(in: directory, aside: aside)
      } catch {
        // Nothing was renamed.
        removeLeftovers(directory.replacementPath, directory.draftPath)
        throw error
      }
      return try finishReplacement(in: directory)
    }
  }

  /// Writes the marker with which any process can finish the replacement of a damaged store by a complete draft.
  ///
  /// The draft is recognized by its content, because a copied or restored directory has other file numbers.
  static func beginReplacement(in directory: StateDirectory, aside: String) throws(StoreError) {
    let marker = directory.replacementPath
    guard let hash = try contentHash(directory.draftPath) else { throw .replaced(path: directory.draftPath) }
    try mapped(marker) { () throws(SystemError) in
      let file = try FileDescriptor(opening: marker, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
      try writeAll("\(aside.dropFirst(directory.path.count + 1))\n\(hash)\n".utf8, to: file.number)
      try file.synchronize()
    }
    try synchronize(directory)
  }

  /// Finishes the replacement of a damaged store that this process or a killed one has begun; under the store lock.
  ///
  /// It can be stopped after each step, and continued by the next call.
  ///
  /// - Returns: the new path of the damaged store; `nil` if no replacement was begun.
  private static func finishReplacement(in directory: StateDirectory) throws(StoreError) -> String? {
    let (marker, path, draft) = (directory.replacementPath, directory.databasePath, directory.draftPath)
    guard isBeingReplaced(path) else { return nil }
    let text = try mapped(marker) { () throws(SystemError) in
      String(decoding: try readAll(fromFileAt: marker, upTo: 4096), as: UTF8.self)
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // Files are renamed after the marker is complete and on the disk.
    guard lines.count == 3, lines[2].isEmpty, !lines[0].contains("/") else {
      try removeFile(marker)
      return nil
    }
    let aside = "\(directory.path)/\(lines[0])"
    if try contentHash(draft) == String(lines[1]) {
      // The log first: next to the new store it would be taken for its own.
      for suffix in ["-wal", "-shm"] {
        // A second one was made by a process that had just opened the damaged store: it is empty.
        if try fileSize(aside + suffix) != nil {
          try removeFile(path + suffix)
        } else {
          try rename(path + suffix, to: aside + suffix)
        }
      }
      try synchronize(directory)
      try exchange(path, draft, aside, in: directory)
    }
    // After the exchange that is the damaged store. Any other file is kept, too.
    if try fileSize(draft) != nil {
      try rename(draft, to: try fileSize(aside) == nil ? aside : aside + ".new")
    }
    try synchronize(directory)
    try removeFile(marker)
    try synchronize(directory)
    return try fileSize(aside) == nil ? nil : aside
  }

  static func replacementPath(of path: String) -> String { path + ".replacement" }

  /// Whether a damaged database is being replaced, or a process was killed while it did that.
  package static func isBeingReplaced(_ path: String) -> Bool {
    unsafe access(replacementPath(of: path), F_OK) == 0
  }

  /// Refuses a database whose replacement isn't finished: its files have other names, or none.
  ///
  /// - Throws: `StoreError.damaged`; `replaceDamaged` finishes the replacement.
  static func requireNoReplacement(of path: String) throws(StoreError) {
    guard !isBeingReplaced(path) else { throw .damaged(path: path, reason: "its repair is not finished") }
  }

  private static func contentHash(_ path: String) throws(StoreError) -> String? {
    guard try fileSize(path) != nil else { return nil }
    return try mapped(path) { () throws(SystemError) in
      String(StableHash.fnv1a128(try readAll(fromFileAt: path, upTo: .max - 65_536)), radix: 16)
    }
  }

  private static func synchronize(_ directory: StateDirectory) throws(StoreError) {
    try mapped(directory.path) { () throws(SystemError) in
      try FileDescriptor(openingDirectory: directory.path).synchronize()
    }
  }

  /// Whether the file, a row, or the stored version of the tables is damaged; reads everything.
  private static func isDamaged(_ path: String, _ parts: [any StorePart]) throws(StoreError) -> Bool {
    guard let size = try fileSize(path), size >= smallestSize else { return true }
    let components = OpenStore.components(of: parts)
    do throws(StoreError) {
      let database = try Database(path: path)
      // A newer store is refused: its rows may make no sense to this version.
      _ = try database.isCurrent(components)
      try database.checkIntegrity()
      try database.rehearseMigration(to: components) { () throws(StoreError) in
        for part in parts { try part.check(database) }
      }
      return false
    } catch .damaged {
      return true
    }
  }

  /// Returns an unused dated name, so that an earlier damaged store is kept.
  private static func freeName(for path: String, at moment: Moment) throws(StoreError) -> String {
    let stamp = moment.description.filter { $0.isNumber || $0.isLetter }
    for number in 1...1000 {
      let name = "\(path).damaged-\(stamp)" + (number == 1 ? "" : "-\(number)")
      var status = stat()
      if unsafe lstat(name, &status) != 0 { return name }
    }
    throw StoreError.inaccessible(path: path, reason: "there are a thousand damaged stores in its directory")
  }

  /// Puts the draft in the place of the damaged store, in one step if the file system supports that.
  private static func exchange(
    _ path: String, _ draft: String, _ aside: String, in directory: StateDirectory
  ) throws(StoreError) {
    do throws(SystemError) {
      try renameFile(path, to: draft, .exchanging)
    } catch {
      // The damaged store is not there if a process was killed between the two steps.
      guard [EINVAL, ENOSYS, ENOENT].contains(error.code) else { throw StoreError(error, path: path) }
      try rename(path, to: aside)
      try synchronize(directory)
      try rename(draft, to: path)
    }
    try synchronize(directory)
  }

  private static func rename(_ path: String, to aside: String) throws(StoreError) {
    do throws(SystemError) {
      try renameFile(path, to: aside, .replacing)
    } catch {
      guard error.code == ENOENT else { throw StoreError(error, path: path) }
    }
  }
}

extension Database {
  /// Makes something of each row of a damaged table that can be read.
  ///
  /// Reads without an index, which may be damaged itself. A page that can't be read ends the reading, so the table is
  /// then read from its other end, and rows between two such pages are looked up one by one; a row may come twice.
  ///
  /// - Parameter key: the column that the table is sorted by.
  /// - Throws: `StoreError.newer` if a row is of a later version, which would be lost.
  /// - Complexity: O(rows log rows).
  package func readableRows<Result>(
    of table: String, key: String = "rowid", _ columns: String, make: (SQLRow) throws(StoreError) -> Result
  ) throws(StoreError) -> [Result] {
    var results: [Result] = []
    var newer: StoreError?
    func take(_ row: SQLRow) {
      do throws(StoreError) {
        results.append(try make(row))
      } catch {
        // A row that makes no sense is lost.
        if case .newer = error { newer = error }
        incompleteTables.insert(table)
      }
    }
    let isComplete = ["ASC", "DESC"].contains { order in
      reads("SELECT \(columns) FROM \(table) NOT INDEXED ORDER BY \(key) \(order)", [], take)
    }
    if !isComplete {
      incompleteTables.insert(table)
      for value in hiddenKeys(of: table, key) {
        // A row in an inner page is found through one of the two pages next to it.
        _ = ["= ?", "<= ? ORDER BY \(key) DESC LIMIT 1"].contains { condition in
          reads("SELECT \(columns) FROM \(table) WHERE \(key) \(condition)", [value], take)
        }
      }
    }
    if let newer { throw newer }
    return results
  }

  package func hasReadableColumn(_ column: String, in table: String) -> Bool {
    var isFound = false
    _ = reads("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", [.text(table), .text(column)]) { _ in
      isFound = true
    }
    return isFound
  }

  /// Returns the keys that rows between two unreadable pages may have: those of an index, or all numbers between.
  private func hiddenKeys(of table: String, _ key: String) -> [SQLValue] {
    var indexes: [String] = []
    _ = reads(
      "SELECT name FROM pragma_index_list(?) WHERE origin <> 'pk' AND NOT partial", [.text(table)]
    ) { indexes.append($0.text(0)) }
    let isNumber = key == "rowid"
    for index in indexes {
      var keys: [SQLValue] = []
      let isReadable = reads("SELECT \(key) FROM \(table) INDEXED BY \(index)", []) { row in
        keys.append(isNumber ? .integer(row.integer(0)) : .text(row.text(0)))
      }
      if isReadable { return keys }
    }
    guard isNumber else { return [] }
    var ends: [Int64] = []
    for order in ["ASC", "DESC"] {
      var last: Int64?
      _ = reads("SELECT rowid FROM \(table) NOT INDEXED ORDER BY rowid \(order)", []) { last = $0.integer(0) }
      if let last { ends.append(last) }
    }
    guard ends.count == 2, ends[0] < ends[1] else { return [] }
    let gap = ends[1].subtractingReportingOverflow(ends[0])
    let isLong = gap.overflow || gap.partialValue > Database.mostLookups
    return (ends[0]...(isLong ? ends[0] + Database.mostLookups : ends[1])).map { .integer($0) }
  }

  /// How many numbers between two unreadable pages are tried.
  private static let mostLookups: Int64 = 1_000_000

  /// Reads rows until one can't be read; returns whether all could.
  private func reads(_ sql: String, _ values: [SQLValue], _ take: (SQLRow) -> Void) -> Bool {
    do throws(StoreError) {
      _ = try rows(sql, values) { take($0) }
      return true
    } catch {
      // The rest is read in another way, or lost to the damage.
      return false
    }
  }
}
