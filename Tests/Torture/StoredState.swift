import Foundation
import SequenceRunner
import SequenceStore

/// The contents of a store, read without the repair code.
struct StoredState: Equatable {
  var revision: Int64 = 0
  /// The run that commands are meant for.
  var run: ActiveRunSnapshot?
  /// The timer besides it, which no command may change.
  var other: ActiveRunSnapshot?
  var history: [String: String] = [:]
  /// The numbers of the schedules.
  var schedules: [Int64] = []

  static func read(_ directory: String) throws -> StoredState {
    let path = directory + "/sequence.db"
    guard FileManager.default.fileExists(atPath: path) else { return StoredState() }
    let database = try Database(path: path)
    let faults = try database.rows("PRAGMA integrity_check") { $0.text(0) }
    guard faults == ["ok"] else { throw Violation("the store is damaged: \(faults)") }
    let tables = try database.rows("SELECT name FROM sqlite_schema WHERE name = 'active_run'") { $0.text(0) }
    guard !tables.isEmpty else { return StoredState() }
    let revisions = try database.rows("SELECT revision FROM store") { $0.integer(0) }
    let runs = try database.rows("SELECT sequence, snapshot FROM active_run") {
      StoredRun(sequence: StoredText($0.text(0)), snapshot: StoredText($0.text(1)))
    }
    let active = try runs.map { try $0.decoded(path: path) }
    let (timers, meant) = (active.filter { $0.source == .timer }, active.filter { $0.source != .timer })
    guard revisions.count == 1, timers.count <= 1, meant.count <= 1 else {
      throw Violation("\(revisions.count) revisions and the active runs \(active.map(\.name))")
    }
    let ended = try database.rows("SELECT run_id, outcome FROM history") { ($0.text(0), $0.text(1)) }
    return StoredState(
      revision: revisions[0],
      run: meant.first, other: timers.first,
      history: Dictionary(ended) { first, _ in first },
      schedules: try database.rows("SELECT number FROM schedule ORDER BY number") { $0.integer(0) })
  }

  /// Writes to a store without changing its data, which decides the effect of a killed command.
  ///
  /// A command that was killed between writing its change to the log and the log's index is undecided. The
  /// next writer overwrites the change. A reader that reads the log again, because no other process uses the
  /// store, considers it committed.
  static func completeCommits(_ directory: String) throws {
    guard try read(directory).revision > 0 else { return }
    let database = try Database(path: directory + "/sequence.db")
    let versions = try database.rows("PRAGMA user_version") { $0.integer(0) }
    for version in versions {
      try database.execute("PRAGMA user_version = \(version)")
    }
  }

  /// - Parameter schedules: the schedules instead of those of the other state.
  func isSame(as state: StoredState, schedules: [Int64]? = nil) -> Bool {
    run == state.run && other == state.other && history == state.history
      && self.schedules == schedules ?? state.schedules
  }

  var runID: String? { run?.runID.uuidString }

  var text: String {
    let active = run.map {
      "run \($0.runID) at step \($0.log.count)\($0.isPaused ? ", paused" : ""), extended by \($0.current.extended ?? .zero)"
    }
    let besides = other == nil ? "" : ", a timer"
    return
      "revision \(revision), \(active ?? "no run")\(besides), \(history.count) runs over, schedules \(schedules)"
  }
}
