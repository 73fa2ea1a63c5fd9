package import SequenceStore

extension SchemaComponent {
  /// The schema of notifications and of the agent's report.
  ///
  /// An identifier has at most one entry that is pending or cancelled: planning it again makes the cancelled entry
  /// pending. A repeating notification may have two: its next time, and an occurrence that waits to be shown. Each time
  /// that it was shown keeps an entry. `planning_mark` has a row while requests of a plan have no entry yet;
  /// `cleared_scope` has the scopes that get none. Moments are whole microseconds of the wall clock; `due_boot` and
  /// `not_before` are nanoseconds of the boot clock in the boot of `boot_id`. `tag` is the place on screen.
  package static let notifications = SchemaComponent(
    name: "notifications",
    migrations: [
      """
      CREATE TABLE notification (
        number INTEGER PRIMARY KEY,
        identifier TEXT NOT NULL,
        kind TEXT NOT NULL,
        summary TEXT NOT NULL,
        body TEXT NOT NULL,
        due_wall INTEGER NOT NULL,
        due_boot INTEGER NOT NULL,
        boot_id TEXT NOT NULL,
        planned INTEGER NOT NULL,
        state TEXT NOT NULL,
        reason TEXT,
        withdrawal TEXT,
        server_id INTEGER,
        epoch TEXT,
        updated_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX notification_by_identifier ON notification (identifier);
      CREATE UNIQUE INDEX notification_planned ON notification (identifier)
        WHERE state IN ('pending', 'cancelled');
      CREATE INDEX notification_due ON notification (due_boot) WHERE state = 'pending';
      CREATE INDEX notification_live ON notification (state) WHERE state IN ('presenting', 'delivered');
      CREATE TABLE agent_report (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        pid INTEGER NOT NULL,
        started_at INTEGER NOT NULL,
        desktop TEXT NOT NULL,
        detail TEXT NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT;
      """,
      // Notifications with one slot share a place on screen; before, those of a sequence did. `not_before` is the time
      // of the next attempt after a refusal.
      """
      ALTER TABLE notification ADD COLUMN slot TEXT NOT NULL DEFAULT '';
      ALTER TABLE notification ADD COLUMN actions TEXT;
      ALTER TABLE notification ADD COLUMN context TEXT;
      ALTER TABLE notification ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE notification ADD COLUMN not_before INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE notification ADD COLUMN delivered_at INTEGER;
      ALTER TABLE notification ADD COLUMN follows_wall INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX notification_by_slot ON notification (slot) WHERE state = 'pending';
      CREATE INDEX notification_ended ON notification (updated_at, number)
        WHERE state NOT IN ('pending', 'presenting', 'delivered');
      UPDATE notification SET slot = substr(identifier, 1, 45);
      """,
      // A delivery reads due entries without scanning later ones.
      """
      DROP INDEX notification_by_slot;
      CREATE INDEX notification_due_in_slot ON notification (slot, boot_id, due_boot) WHERE state = 'pending';
      CREATE INDEX notification_due_in_boot ON notification (boot_id, due_boot) WHERE state = 'pending';
      """,
      // The next entry that does not follow the wall clock is found without scanning those that do; and these are found
      // when the clock is set.
      """
      DROP INDEX notification_due;
      CREATE INDEX notification_fixed ON notification (boot_id, due_boot)
        WHERE state = 'pending' AND follows_wall = 0;
      CREATE INDEX notification_following ON notification (boot_id)
        WHERE state = 'pending' AND follows_wall = 1;
      """,
      // `repeats` is how certainly the repeated notification was shown: `shown` or `unconfirmed`.
      """
      ALTER TABLE notification ADD COLUMN repeats TEXT;
      ALTER TABLE notification ADD COLUMN response TEXT;
      """,
      // Reasons are codes with arguments, and were sentences.
      .change(storeCodesForSentences),
      // An agent of the first version that has the store open reads both in each of its turns, and would take no
      // notice of another version. It ends now, before it writes what this version doesn't know.
      """
      ALTER TABLE notification RENAME COLUMN slot TO tag;
      ALTER TABLE notification RENAME COLUMN context TO user_info;
      """,
      // Kinds have the names of events.
      """
      UPDATE notification SET kind = CASE
        WHEN kind = 'stepEnd' THEN 'step-end'
        WHEN kind = 'timeOver' THEN 'overtime'
        WHEN kind = 'reminder' AND identifier LIKE '%.countup.reminder.1' THEN 'goal'
        WHEN kind = 'runEnd' THEN 'run-end'
        WHEN kind = 'paused' THEN 'pause'
        WHEN kind = 'away' THEN 'return'
        ELSE kind END
      WHERE identifier LIKE 'sequence.%';
      """,
      // The next agent may be on another bus; it closes the notification over this address.
      "ALTER TABLE notification ADD COLUMN bus_address TEXT",
      // A plan has a mark up to which its requests are entries, so that a run of any length has few of them. `unlisted`
      // counts earlier requests without an entry. A plan no longer notes in each entry that it has it.
      """
      ALTER TABLE notification DROP COLUMN planned;
      ALTER TABLE notification ADD COLUMN unlisted INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX notification_pending ON notification (identifier) WHERE state = 'pending';
      CREATE TABLE planning_mark (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        scope TEXT NOT NULL,
        entry INTEGER NOT NULL,
        time INTEGER NOT NULL,
        refill INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE cleared_scope (prefix TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
      """,
      // A repeating notification has one pending entry for its next time. An occurrence that was presented keeps its
      // own entry, which may be pending again while it waits for a server. `schedule` is the trigger; it is NULL for
      // triggers that the due time defines.
      """
      ALTER TABLE notification ADD COLUMN schedule TEXT;
      ALTER TABLE notification ADD COLUMN previous_due INTEGER;
      ALTER TABLE notification ADD COLUMN is_occurrence INTEGER NOT NULL DEFAULT 0;
      DROP INDEX notification_planned;
      CREATE UNIQUE INDEX notification_planned ON notification (identifier, is_occurrence)
        WHERE state IN ('pending', 'cancelled');
      """,
      // `style` is JSON, unless the kind decides it or nothing in it is unusual; `kind` is empty for none.
      """
      ALTER TABLE notification ADD COLUMN style TEXT;
      ALTER TABLE notification ADD COLUMN latest_delivery INTEGER;
      UPDATE notification SET kind = '' WHERE kind = 'message' AND identifier NOT LIKE 'sequence.%';
      """,
      "ALTER TABLE agent_report ADD COLUMN capabilities TEXT",
      // The responses to notifications that are not of runs; numbers are not used again, and `request` is JSON. Those
      // that earlier versions kept with their entries were handled long ago.
      """
      CREATE TABLE response (
        number INTEGER PRIMARY KEY,
        request TEXT NOT NULL,
        choice TEXT NOT NULL,
        activation_token TEXT,
        responded_at INTEGER NOT NULL
      ) STRICT;
      """,
      // A place that is not that of a tag begins with a dot, so that no tag has the same name.
      "UPDATE notification SET tag = '.' || tag WHERE tag = identifier",
    ])

  private static func storeCodesForSentences(_ database: Database) throws(StoreError) {
    for column in ["reason", "withdrawal"] {
      let sentences = try database.rows(
        "SELECT DISTINCT \(column) FROM notification WHERE \(column) IS NOT NULL"
      ) { $0.text(0) }
      for sentence in sentences {
        try database.run(
          "UPDATE notification SET \(column) = ? WHERE \(column) = ?",
          .text(NotificationReason(sentence: sentence).stored), .text(sentence))
      }
    }
  }
}
