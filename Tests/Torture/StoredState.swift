import Foundation
import SequenceRunner
import Store

/// What a store has in it, read without the code that repairs one.
struct StoredState: Equatable {
  var revision: Int64 = 0
  var run: ActiveRunSnapshot?
  /// The outcome of each run that is over.
  var history: [String: String] = [:]

  /// The state of a directory; that of an empty one where there is no store yet.
  static func read(_ directory: String) throws -> StoredState {
    let path = directory + "/sequence.db"
    guard FileManager.default.fileExists(atPath: path) else { return StoredState() }
    let database = try Database(path: path)
    let faults = try database.rows("PRAGMA integrity_check") { $0.text(0) }
    guard faults == ["ok"] else { throw Violation("the store is damaged: \(faults)") }
    let tables = try database.rows("SELECT name FROM sqlite_schema WHERE name = 'active_run'") { $0.text(0) }
    guard !tables.isEmpty else { return StoredState() }
    let rows = try database.rows("SELECT revision, snapshot FROM active_run") {
      ($0.integer(0), $0.optionalText(1))
    }
    guard rows.count == 1, let row = rows.first else {
      throw Violation("\(rows.count) rows of the active run")
    }
    let ended = try database.rows("SELECT run_id, outcome FROM history") { ($0.text(0), $0.text(1)) }
    return StoredState(
      revision: row.0,
      run: try row.1.map {
        try StoredSnapshot.decode($0, checksum: StoredSnapshot.checksum($0), path: path)
      },
      history: Dictionary(ended) { first, _ in first })
  }

  /// Writes to a store and changes nothing, so that what a killed command did is settled.
  ///
  /// A command that was killed between writing its change to the log and its length to the log's index has neither
  /// done it nor not: whoever writes next overwrites it, but whoever reads the log anew, because nobody else uses the
  /// store any more, takes it for done.
  static func settle(_ directory: String) throws {
    guard try read(directory).revision > 0 else { return }
    try Database(path: directory + "/sequence.db").execute("PRAGMA user_version = 1")
  }

  /// Whether nothing was done to the one to make the other.
  func isSame(as other: StoredState) -> Bool { run == other.run && history == other.history }

  var runID: String? { run?.runID.uuidString }

  var text: String {
    let active = run.map {
      "run \($0.runID) at step \($0.log.count)\($0.isPaused ? ", paused" : ""), extended by \($0.current.extended)"
    }
    return "revision \(revision), \(active ?? "no run"), \(history.count) runs over"
  }
}
