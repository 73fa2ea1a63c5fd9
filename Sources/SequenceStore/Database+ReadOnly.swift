import CSequenceSQLite
import Glibc
import SequencePlatform

extension Database {
  /// Opens a database file for reading, and changes neither it nor the files next to it.
  ///
  /// - Throws: `StoreError`; `.damaged` while its replacement isn't finished.
  package static func untouched(_ path: String) throws(StoreError) -> Database {
    try requireNoReplacement(of: path)
    // SQLite removes the log of an empty file.
    if let size = try fileSize(path), size < smallestSize {
      throw .damaged(path: path, reason: "it is empty")
    }
    // Before it is opened: a version that is too old leads to one more opening.
    let version = FileVersion(path: path)
    // A write-ahead log means that the database is in use, or its user was killed: the log has to be read.
    guard !hasLog(path) else { return try Database(path: path, name: path, flags: SQLITE_OPEN_READONLY) }
    // Without a log even a reader would create it and its index, unless the file is declared immutable.
    let uri = (isAbsolute(path) ? "file://" : "file:") + escaped(path) + "?immutable=1"
    return try Database(
      path: path, name: uri, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, immutable: version)
  }

  /// Reads the whole file: missing rows show only where a table is compared with its indexes.
  ///
  /// - Complexity: O(size of the store).
  package func checkIntegrity() throws(StoreError) {
    let faults = try rows("PRAGMA integrity_check") { $0.text(0) }
    guard faults == ["ok"] else {
      throw .damaged(
        path: path, reason: LocalizedText(verbatim: faults.first ?? "its check returned nothing"))
    }
  }

  package static func hasLog(_ path: String) -> Bool { unsafe access(path + "-wal", F_OK) == 0 }

  private static func escaped(_ path: String) -> String {
    path.unicodeScalars.map { ["%": "%25", "?": "%3f", "#": "%23"][$0] ?? String($0) }.joined()
  }
}
