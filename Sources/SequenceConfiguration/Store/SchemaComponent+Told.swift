package import SequenceRunner
package import Store

extension SchemaComponent {
  /// How much of what happened in runs has been told, and what went wrong with that.
  ///
  /// The one row of `told` is there once anything has been told, that of `run_cues` once a run had cues of its
  /// own. Moments are whole microseconds of the wall clock, durations whole nanoseconds. A failure is kept once for each hook and kind, with how often it was.
  package static let told = SchemaComponent(
    name: "told",
    migrations: [
      """
      CREATE TABLE told (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        run_id TEXT NOT NULL,
        run_started_at INTEGER NOT NULL,
        place TEXT NOT NULL CHECK (place IN ('before', 'within', 'ended')),
        step INTEGER,
        started_at INTEGER,
        elapsed INTEGER,
        target INTEGER,
        is_paused INTEGER
      ) STRICT;
      CREATE TABLE run_cues (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        run_id TEXT NOT NULL,
        sound INTEGER NOT NULL,
        speech INTEGER NOT NULL
      ) STRICT;
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
      """
    ])
}

/// Has the tables made that tell what has been told; a change of the run alone changes nothing in them.
package struct ToldParticipant: StoreParticipant {
  package static var component: SchemaComponent { .told }

  package init() {}

  package func runDidChange(_ change: RunChange, in database: Database) {}
}
