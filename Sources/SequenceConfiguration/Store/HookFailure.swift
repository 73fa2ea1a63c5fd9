package import SequencePlatform
import SequenceRunner
package import SequenceStore

/// A problem of a hook, and how often it occurred.
package struct HookFailure: Equatable, Sendable {
  package let hook: String
  package let kind: Kind
  package let count: Int
  package let event: String
  /// The details of the last occurrence.
  package let detail: String
  package let firstAt: Moment
  package let lastAt: Moment

  /// The name under which the failures of sounds are counted.
  ///
  /// No hook has it: the path of a program begins with a slash.
  package static let sounds = "cues/sounds"

  package enum Kind: String, Sendable, CaseIterable {
    case notStarted = "not-started"
    /// It ended with another status than 0, or by a signal.
    case failed
    case timeout
    /// It was too late to run it when that was found out.
    case missed
    /// It was still busy with what happened before, too often.
    case dropped
  }
}

/// No method opens a transaction: callers combine these calls with their own changes in one.
package struct HookFailureLog {
  let database: Database

  private static let mostFailures = 256

  package init(database: Database) {
    self.database = database
  }

  package func count(
    _ kind: HookFailure.Kind, of hook: String, times: Int = 1, event: String, detail: String,
    at moment: Moment
  ) throws(StoreError) {
    let failure = HookFailure(
      hook: hook, kind: kind, count: times, event: event, detail: detail, firstAt: moment, lastAt: moment)
    try database.run(
      HookFailure.table.insert + """
         ON CONFLICT (hook, kind) DO UPDATE SET count = count + excluded.count, event = excluded.event,
          detail = excluded.detail, last_at = excluded.last_at
        """, failure.values)
    try database.run(
      """
      DELETE FROM hook_failure WHERE (hook, kind) NOT IN (
        SELECT hook, kind FROM hook_failure ORDER BY last_at DESC LIMIT ?)
      """, .integer(HookFailureLog.mostFailures))
  }

  package func failures(since moment: Moment) throws(StoreError) -> [HookFailure] {
    try database.rows(
      """
      SELECT \(HookFailure.table.columns) FROM hook_failure WHERE last_at >= ? ORDER BY last_at DESC, hook, kind
      """, .integer(moment.microseconds)
    ) { row throws(StoreError) in try HookFailure(row, path: database.path) }
  }

  func salvage(from damaged: Database) throws(StoreError) {
    let failures = try damaged.readableRows(of: "hook_failure", key: "hook", HookFailure.table.columns) {
      row throws(StoreError) in try HookFailure(row, path: damaged.path)
    }
    for failure in failures { try database.run(HookFailure.table.insertIfNew, failure.values) }
  }
}

extension HookFailure {
  private enum Column: Int, CodingKey, CaseIterable { case hook, kind, count, event, detail, firstAt, lastAt }

  fileprivate static let table = Table("hook_failure", Column.allCases.map(\.stringValue))

  fileprivate var values: [SQLValue] {
    Column.allCases.map { column in
      switch column {
      case .hook: .text(hook)
      case .kind: .text(kind.rawValue)
      case .count: .integer(count)
      case .event: .text(event)
      case .detail: .text(detail)
      case .firstAt: .integer(firstAt.microseconds)
      case .lastAt: .integer(lastAt.microseconds)
      }
    }
  }

  fileprivate init(_ row: SQLRow, path: String) throws(StoreError) {
    guard let kind = Kind(rawValue: row.text(Column.kind)) else {
      throw .damaged(path: path, reason: "\(row.text(Column.kind)) is not a kind of hook failure")
    }
    self.init(
      hook: row.text(Column.hook), kind: kind, count: Int(row.integer(Column.count)),
      event: row.text(Column.event), detail: row.text(Column.detail),
      firstAt: Moment(microseconds: row.integer(Column.firstAt)),
      lastAt: Moment(microseconds: row.integer(Column.lastAt)))
  }
}

struct HookFailureTable: StorePart {
  /// One row for each hook and kind of failure, with a count.
  ///
  /// Moments are whole microseconds of the wall clock.
  let component = SchemaComponent(
    name: "hooks",
    tables: """
      CREATE TABLE hook_failure (
        hook TEXT NOT NULL,
        kind TEXT NOT NULL,
        count INTEGER NOT NULL,
        event TEXT NOT NULL,
        detail TEXT NOT NULL,
        first_at INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        PRIMARY KEY (hook, kind)
      ) STRICT, WITHOUT ROWID;
      """)

  func check(_ database: Database) throws(StoreError) {
    _ = try HookFailureLog(database: database).failures(since: Moment(microseconds: .min))
  }

  func salvage(
    from damaged: Database, into database: Database, at reading: ClockReading
  ) throws(StoreError) {
    try HookFailureLog(database: database).salvage(from: damaged)
  }
}
