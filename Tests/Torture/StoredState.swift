import Foundation
import SequenceRunner
import SequenceStore

/// The contents of a store, read without the repair code.
struct StoredState: Equatable {
  var revision: Int64 = 0
  var run: ActiveRunSnapshot?
  /// The outcome of each ended run.
  var history: [String: String] = [:]

  /// Reads the state of a directory; an empty state if it has no store.
  static func read(_ directory: String) throws -> StoredState {
    let path = directory + "/sequence.db"
    guard FileManager.default.fileExists(atPath: path) else { return StoredState() }
    let database = try Database(path: path)
    let faults = try database.rows("PRAGMA integrity_check") { $0.text(0) }
    guard faults == ["ok"] else { throw Violation("the store is damaged: \(faults)") }
    let tables = try database.rows("SELECT name FROM sqlite_schema WHERE name = 'active_run'") { $0.text(0) }
    guard !tables.isEmpty else { return StoredState() }
    let revisions = try database.rows("SELECT revision FROM store") { $0.integer(0) }
    let runs = try database.rows("SELECT snapshot FROM active_run") { $0.text(0) }
    guard revisions.count == 1, runs.count <= 1 else {
      throw Violation("\(revisions.count) revisions and \(runs.count) active runs")
    }
    let ended = try database.rows("SELECT run_id, outcome FROM history") { ($0.text(0), $0.text(1)) }
    return StoredState(
      revision: revisions[0],
      run: try runs.first.map {
        try StoredSnapshot.decode($0, checksum: StoredSnapshot.checksum($0), path: path)
      },
      history: Dictionary(ended) { first, _ in first })
  }

  /// Writes to a store without changing its data, which settles the effect of a killed command.
  ///
  /// A command that was killed between writing its change to the log and the log's index is undecided. The
  /// next writer overwrites the change. A reader that reads the log again, because no other process uses the
  /// store, considers it committed.
  static func settle(_ directory: String) throws {
    guard try read(directory).revision > 0 else { return }
    let database = try Database(path: directory + "/sequence.db")
    let versions = try database.rows("PRAGMA user_version") { $0.integer(0) }
    for version in versions {
      try database.execute("PRAGMA user_version = \(version)")
    }
  }

  /// Returns whether two states have the same run and history.
  func isSame(as other: StoredState) -> Bool { run == other.run && history == other.history }

  var runID: String? { run?.runID.uuidString }

  var text: String {
    let active = run.map {
      "run \($0.runID) at step \($0.log.count)\($0.isPaused ? ", paused" : ""), extended by \($0.current.extended)"
    }
    return "revision \(revision), \(active ?? "no run"), \(history.count) runs over"
  }
}
