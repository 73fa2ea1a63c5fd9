import SequenceStore

extension SchemaComponent {
  /// The schema of the active run, the journal, the activity, the history and the dispatch position.
  ///
  /// `active_run` always has its one row, so that the revision keeps counting from run to run. A row of `history` has
  /// the last snapshot of a run, which determines every step, and the figures for a list of runs, which an index
  /// covers; the number of steps is 0 for an endless sequence. `journal` has a row for each change by a user or the
  /// system that events follow from, with the current step after it as JSON and `time` as the time after the start of
  /// the clock of the row before. `activity` has a row for each interval during which the clock of a run was running.
  /// `dispatched` has its one row as soon as an event was dispatched. Moments are whole microseconds of the wall clock;
  /// durations are whole nanoseconds.
  static let runs = SchemaComponent(
    name: "runs",
    migrations: [
      """
      CREATE TABLE active_run (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        revision INTEGER NOT NULL,
        snapshot TEXT,
        checksum TEXT
      ) STRICT;
      INSERT INTO active_run (id, revision) VALUES (1, 0);
      CREATE TABLE history (
        run_id TEXT PRIMARY KEY,
        sequence_id TEXT NOT NULL,
        title TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        snapshot TEXT NOT NULL,
        checksum TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX history_by_start ON history (started_at);
      """,
      """
      CREATE TABLE dispatch_position (
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
      """,
      .change { database throws(StoreError) in try database.takeOverFormerTables() },
      """
      ALTER TABLE history ADD COLUMN steps INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE history ADD COLUMN completed INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE history ADD COLUMN skipped INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE history ADD COLUMN active INTEGER NOT NULL DEFAULT 0;
      """,
      .change { database throws(StoreError) in try database.summarizeHistory() },
      """
      DROP INDEX history_by_start;
      CREATE INDEX history_list ON history (
        started_at, run_id, sequence_id, title, ended_at, outcome, steps, completed, skipped, active);
      """,
      """
      CREATE TABLE journal (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        run_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        reason TEXT,
        wall INTEGER NOT NULL,
        boot INTEGER NOT NULL,
        boot_id TEXT NOT NULL,
        time INTEGER NOT NULL,
        step INTEGER NOT NULL,
        current TEXT
      ) STRICT;
      CREATE INDEX journal_by_run ON journal (run_id);
      CREATE TABLE activity (
        id INTEGER PRIMARY KEY,
        run_id TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        active INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX activity_by_run ON activity (run_id);
      CREATE TABLE dispatched (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        entry INTEGER NOT NULL,
        time INTEGER NOT NULL
      ) STRICT;
      """,
      .change { database throws(StoreError) in try database.journalStoredRuns() },
      "DROP TABLE dispatch_position;",
    ])
}
