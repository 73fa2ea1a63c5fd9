package import Store

extension SchemaComponent {
  /// The notifications, and what the agent reports.
  ///
  /// An identifier is planned at most once: an entry that was cancelled becomes pending again when it is
  /// planned anew. What was shown keeps an entry of its own. All moments are whole microseconds of the wall
  /// clock, `due_boot` is nanoseconds of the boot clock in the boot of `boot_id`.
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
      // What shares a slot shares a place on screen: until now, the notifications of a sequence. `not_before` is
      // nanoseconds of the boot clock: what was refused is left alone until then.
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
      // A delivery looks at what is due, and goes through nothing of what is to come later.
      """
      DROP INDEX notification_by_slot;
      CREATE INDEX notification_due_in_slot ON notification (slot, boot_id, due_boot) WHERE state = 'pending';
      CREATE INDEX notification_due_in_boot ON notification (boot_id, due_boot) WHERE state = 'pending';
      """,
      // What comes next of those whose time nobody can move is found past any number of those that follow the wall
      // clock, and these are found when it is set.
      """
      DROP INDEX notification_due;
      CREATE INDEX notification_fixed ON notification (boot_id, due_boot)
        WHERE state = 'pending' AND follows_wall = 0;
      CREATE INDEX notification_following ON notification (boot_id)
        WHERE state = 'pending' AND follows_wall = 1;
      """,
      // `repeats` is what is known of the notification that an entry shows again: `shown` or `unconfirmed`.
      """
      ALTER TABLE notification ADD COLUMN repeats TEXT;
      ALTER TABLE notification ADD COLUMN response TEXT;
      """,
      // Reasons are codes with arguments, and were sentences.
      .change(storeCodesForSentences),
      // An agent of the first version that has the store open reads both in each of its turns, and would take no notice of
      // another version. It ends now, before it writes what this version doesn't know.
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
      // The bus whose id is in `epoch` may be another one than the next agent's: this is where it can be asked.
      "ALTER TABLE notification ADD COLUMN bus_address TEXT",
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
