import SequencePlatform
import SequenceStore

extension SchemaComponent {
  /// The failures of hooks and cues: one row for each hook and kind of failure, with a count.
  ///
  /// Moments are whole microseconds of the wall clock.
  static let hooks = SchemaComponent(
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
}

/// The table of hook failures.
struct HookFailureTable: StorePart {
  static var component: SchemaComponent { .hooks }

  func check(_ database: Database) throws(StoreError) {
    _ = try HookFailureLog(database: database).failures(since: Moment(microseconds: .min))
  }

  func salvage(
    from damaged: Database, into database: Database, at reading: ClockReading
  ) throws(StoreError) {
    try HookFailureLog(database: database).salvage(from: damaged)
  }
}
