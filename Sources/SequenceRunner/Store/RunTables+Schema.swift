import SequenceStore

extension RunTables {
  /// The schema of the active runs, the journal and the history.
  ///
  /// - `store` always has its one row, whose revision counts the changes of active runs.
  /// - `active_run` has a row for each active run, numbered in the order of their starts: the sequence, which is written
  ///   once, and the snapshot without it, which changes with each command.
  /// - `journal` has a row for each change by a user or the system that events follow from: the number of the row
  ///   before it of its run, the current step after it as JSON, and `time` as the time after the start of the clock of
  ///   the row before.
  /// - `history` has the sequence and the last snapshot of a run, which determine every step, and the sums for a list of
  ///   runs, which an index covers; the number of steps is 0 for an endless sequence, and labels are separated by spaces.
  ///   Another index finds the last runs of a sequence.
  ///
  /// Moments are whole microseconds of the wall clock; durations are whole nanoseconds.
  static let schema = SchemaComponent(
    name: "runs", version: 2,
    tables: """
      CREATE TABLE store (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        revision INTEGER NOT NULL
      ) STRICT;
      INSERT INTO store (id, revision) VALUES (1, 0);
      CREATE TABLE active_run (
        number INTEGER PRIMARY KEY,
        run_id TEXT NOT NULL UNIQUE,
        sequence TEXT NOT NULL,
        sequence_checksum TEXT NOT NULL,
        snapshot TEXT NOT NULL,
        checksum TEXT NOT NULL
      ) STRICT;
      CREATE TABLE journal (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        previous INTEGER,
        run_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        reason TEXT,
        wall INTEGER NOT NULL,
        boot INTEGER NOT NULL,
        boot_id TEXT NOT NULL,
        time INTEGER NOT NULL,
        step INTEGER NOT NULL,
        current TEXT,
        checksum TEXT NOT NULL
      ) STRICT;
      CREATE INDEX journal_by_run ON journal (run_id);
      CREATE TABLE history (
        run_id TEXT PRIMARY KEY,
        sequence_id TEXT NOT NULL,
        title TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        steps INTEGER NOT NULL,
        completed INTEGER NOT NULL,
        skipped INTEGER NOT NULL,
        active INTEGER NOT NULL,
        rest INTEGER NOT NULL,
        sequence TEXT NOT NULL,
        sequence_checksum TEXT NOT NULL,
        snapshot TEXT NOT NULL,
        checksum TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      """,
    migrations: [
      """
      ALTER TABLE history ADD COLUMN remark TEXT;
      ALTER TABLE history ADD COLUMN labels TEXT;
      DROP INDEX IF EXISTS history_list;
      CREATE INDEX history_list ON history (
        started_at, run_id, sequence_id, title, ended_at, outcome, steps, completed, skipped, active, rest,
        remark, labels);
      CREATE INDEX IF NOT EXISTS history_by_sequence ON history (sequence_id, started_at, ended_at);
      """
    ])
}
