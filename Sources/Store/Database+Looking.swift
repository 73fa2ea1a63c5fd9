import CSequenceSQLite
import Glibc

extension Database {
  /// Opens a database file to look at it, and leaves it and all beside it as it is.
  package static func untouched(_ path: String) throws(StoreError) -> Database {
    // With a write-ahead log somebody uses the database, or was killed: what is in the log counts.
    guard !hasLog(path) else { return try Database(path: path, name: path, flags: SQLITE_OPEN_READONLY) }
    // Without one even a reader would make it, and its index; not if the file is said not to change.
    let uri = (path.hasPrefix("/") ? "file://" : "file:") + escaped(path) + "?immutable=1"
    return try Database(path: path, name: uri, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
  }

  /// Looks at the whole file: that rows are gone shows only where a table is compared with its indexes.
  ///
  /// - Throws: `StoreError.damaged` if something is wrong with it.
  /// - Complexity: O(size of the store).
  package func checkIntegrity() throws(StoreError) {
    let faults = try rows("PRAGMA integrity_check") { $0.text(0) }
    guard faults == ["ok"] else {
      throw .damaged(path: path, reason: faults.first ?? "the check of it told nothing")
    }
  }

  /// Whether a database has a write-ahead log beside it.
  package static func hasLog(_ path: String) -> Bool { unsafe access(path + "-wal", F_OK) == 0 }

  private static func escaped(_ path: String) -> String {
    path.unicodeScalars.map { ["%": "%25", "?": "%3f", "#": "%23"][$0] ?? String($0) }.joined()
  }
}
