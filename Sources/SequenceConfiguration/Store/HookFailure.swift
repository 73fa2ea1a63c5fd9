package import SequencePlatform
import SequenceRunner
package import SequenceStore

/// What went wrong with a hook, and how often.
package struct HookFailure: Equatable, Sendable {
  /// The hook, as it is written.
  package let hook: String
  package let kind: Kind
  package let count: Int
  /// The event of the last failure.
  package let event: String
  /// What there is to say of the last time.
  package let detail: String
  package let firstAt: Moment
  package let lastAt: Moment

  /// A kind of failure.
  package enum Kind: String, Sendable, CaseIterable {
    /// The program is not there, or cannot be started.
    case notStarted = "not-started"
    /// It ended with another status than 0, or by a signal.
    case failed
    /// Its time was over, and it was killed.
    case timeout
    /// It was too late to run it when that was found out.
    case missed
    /// It was still busy with what happened before, too often.
    case dropped
  }
}

/// The failures of hooks that are stored.
///
/// No method opens a transaction: callers combine these calls with their own changes in one.
package struct HookFailureLog {
  let database: Database

  /// How many failures are kept.
  private static let mostFailures = 256

  package init(database: Database) {
    self.database = database
  }

  /// Counts a failure of a hook.
  package func count(
    _ kind: HookFailure.Kind, of hook: String, times: Int = 1, event: String, detail: String,
    at moment: Moment
  ) throws(StoreError) {
    try database.run(
      """
      INSERT INTO hook_failure (hook, kind, count, event, detail, first_at, last_at) VALUES (?, ?, ?, ?, ?, ?6, ?6)
      ON CONFLICT (hook, kind) DO UPDATE SET count = count + excluded.count, event = excluded.event,
        detail = excluded.detail, last_at = excluded.last_at
      """,
      .text(hook), .text(kind.rawValue), .integer(times), .text(event), .text(detail),
      .integer(moment.microseconds))
    try database.run(
      """
      DELETE FROM hook_failure WHERE (hook, kind) NOT IN (
        SELECT hook, kind FROM hook_failure ORDER BY last_at DESC LIMIT ?)
      """, .integer(HookFailureLog.mostFailures))
  }

  /// The failures since a moment, newest first.
  package func failures(since moment: Moment) throws(StoreError) -> [HookFailure] {
    try database.rows(
      """
      SELECT hook, kind, count, event, detail, first_at, last_at FROM hook_failure WHERE last_at >= ?
      ORDER BY last_at DESC, hook, kind
      """, .integer(moment.microseconds)
    ) { row throws(StoreError) in
      guard let kind = HookFailure.Kind(rawValue: row.text(1)) else {
        throw .damaged(path: database.path, reason: "\(row.text(1)) is not a kind of hook failure")
      }
      return HookFailure(
        hook: row.text(0), kind: kind, count: Int(row.integer(2)), event: row.text(3), detail: row.text(4),
        firstAt: Moment(microseconds: row.integer(5)), lastAt: Moment(microseconds: row.integer(6)))
    }
  }
}
