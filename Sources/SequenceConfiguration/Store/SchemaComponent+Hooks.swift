package import SequencePlatform
package import SequenceRunner
package import SequenceStore

extension SchemaComponent {
  /// The failures of hooks and cues: one row for each hook and kind of failure, with a count.
  ///
  /// Moments are whole microseconds of the wall clock.
  package static let hooks = SchemaComponent(
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

/// Creates the table of hook failures; a change of the run changes nothing in it.
package struct HookFailureParticipant: StoreParticipant {
  package static var component: SchemaComponent { .hooks }

  package init() {}

  package func runDidChange(_ change: RunChange, in database: Database) {}

  package func check(_ database: Database) throws(StoreError) {
    _ = try HookFailureLog(database: database).failures(since: Moment(microseconds: .min))
  }

  package func salvage(
    from damaged: Database, into database: Database, at reading: ClockReading
  ) throws(StoreError) {
    try HookFailureLog(database: database).salvage(from: damaged)
  }
}
