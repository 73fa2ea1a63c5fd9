import Store

extension SchemaComponent {
  /// The active run and the history.
  ///
  /// The one row of `active_run` is always there, so that the revision goes on from run to run. A run in the
  /// history is its last snapshot, from which every step follows.
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
      """
    ])
}
