import CSequenceLinux
import Glibc
import SequencePlatform

extension Database {
  /// Replaces a damaged store, which is moved to a dated name.
  ///
  /// The new store is complete before it takes the place, so that salvaged rows are not lost with the process.
  ///
  /// - Returns: the new path of the damaged store; `nil` if another process had replaced it already.
  /// - Throws: `StoreError`; the damaged store has not been moved then.
  static func replaceDamaged(
    in directory: StateDirectory, at reading: ClockReading, parts: [any StorePart]
  ) throws(StoreError) -> String? {
    let path = directory.databasePath
    return try withStoreLock(in: directory) { () throws(StoreError) in
      // Another process may have replaced it while this one waited for the lock.
      guard let size = try fileSize(path), try isDamaged(path, parts) else { return nil }
      // SQLite would remove the log of an empty file. A file that can't be opened is moved, too.
      let damaged: Database? = size < smallestSize ? nil : try? Database(path: path)
      // If the file can be locked at all, no other process writes to it until it is moved.
      _ = try? damaged?.run("BEGIN IMMEDIATE")
      defer { withExtendedLifetime(damaged) {} }
      let aside = try freeName(for: path, at: reading.wall)
      try makeDraft(aside, OpenStore.components(of: parts)) { draft throws(StoreError) in
        guard let damaged else { return }
        try draft.transaction { () throws(StoreError) in
          for part in parts.reversed() { try part.salvage(from: damaged, into: draft, at: reading) }
        }
      }
      // The log first: next to the new store it would be taken for its own.
      for suffix in ["-wal", "-shm"] { try rename(path + suffix, to: aside + suffix) }
      try exchange(path, aside)
      try moved(path) { () throws(SystemError) in
        try FileDescriptor(openingDirectory: directory.path).synchronize()
      }
      return aside
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

  /// Exchanges two files, in one step if the file system supports that.
  private static func exchange(_ path: String, _ aside: String) throws(StoreError) {
    try moved(path) { () throws(SystemError) in
      do throws(SystemError) {
        try renameFile(path, to: aside, .exchanging)
      } catch  where error.code == EINVAL || error.code == ENOSYS {
        let draft = path + ".new"
        for (old, new) in [(aside, draft), (path, aside), (draft, path)] {
          try renameFile(old, to: new, .replacing)
        }
      }
    }
  }

  private static func moved(_ path: String, _ body: () throws(SystemError) -> Void) throws(StoreError) {
    do throws(SystemError) { try body() } catch { throw StoreError(error, path: path) }
  }

  private static func rename(_ path: String, to aside: String) throws(StoreError) {
    do throws(SystemError) {
      try renameFile(path, to: aside, .replacing)
    } catch {
      // The write-ahead log and its index need not be there.
      guard error.code == ENOENT else { throw StoreError(error, path: path) }
    }
  }
}
