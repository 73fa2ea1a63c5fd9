package import SequencePlatform
package import SequenceStore

extension OpenStore {
  package var ledger: Ledger { Ledger(database: database) }

  package func readLedger<Result>(
    _ body: (Ledger) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try repairing { () throws(StoreError) in try body(ledger) }
  }

  package func changeLedger<Result>(
    _ body: (Ledger) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try transaction { database throws(StoreError) in try body(Ledger(database: database)) }
  }
}

package struct NotificationTables: StorePart {
  package var component: SchemaComponent { NotificationTables.schema }

  package init() {}

  package func check(_ database: Database) throws(StoreError) { try Ledger(database: database).check() }

  package func salvage(
    from damaged: Database, into database: Database, at reading: ClockReading
  ) throws(StoreError) {
    try Ledger(database: database).salvage(from: Ledger(database: damaged))
  }
}

extension NotificationTables {
  /// The schema of notifications, responses and the agent's report.
  ///
  /// An identifier has at most one entry of `notification` that is pending or cancelled: planning it again makes the
  /// cancelled entry pending. A repeating notification may have two: its next time, and an occurrence that waits to be
  /// shown. Each time that it was shown keeps an entry. `kind` and `context` are NULL for a
  /// notification that is of no run; `tag` is the place on screen, which begins with a dot if it is not that of a tag;
  /// `actions`, `style` and `user_info` are JSON; `snoozed` is the date for which a snoozed notification was meant, and `zone_offset` the local time minus UTC;
  /// `schedule` is the trigger, and NULL for triggers that the due time defines; `repeats` is how certainly the repeated
  /// notification was shown; `unlisted` counts earlier requests without an entry; `not_before` is the time of the next
  /// attempt after a refusal.
  ///
  /// `response` has the responses to notifications that are of no run; its numbers are not used again.
  /// `missed` is how many missed occurrences
  /// have entries, and NULL if only the last one has.
  ///
  /// Moments are whole microseconds of the wall clock; `due_boot`, `not_before` and `responded_boot` are nanoseconds of
  /// the boot clock in the boot of `boot_id`.
  private static let schema = SchemaComponent(
    name: "notifications",
    tables: """
      CREATE TABLE notification (
        number INTEGER PRIMARY KEY,
        added_at INTEGER NOT NULL,
        identifier TEXT NOT NULL,
        kind TEXT,
        context TEXT,
        summary TEXT NOT NULL,
        body TEXT NOT NULL,
        actions TEXT,
        user_info TEXT,
        style TEXT,
        latest_delivery INTEGER,
        missed INTEGER,
        tag TEXT NOT NULL,
        schedule TEXT,
        follows_wall INTEGER NOT NULL,
        due_wall INTEGER NOT NULL,
        due_boot INTEGER NOT NULL,
        boot_id TEXT NOT NULL,
        previous_due INTEGER,
        zone_offset INTEGER,
        snoozed INTEGER,
        is_occurrence INTEGER NOT NULL,
        unlisted INTEGER NOT NULL,
        state TEXT NOT NULL,
        reason TEXT,
        withdrawal TEXT,
        repeats TEXT,
        server_id INTEGER,
        epoch TEXT,
        refusals INTEGER NOT NULL DEFAULT 0,
        not_before INTEGER NOT NULL DEFAULT 0,
        delivered_at INTEGER,
        response TEXT,
        updated_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX notification_by_identifier ON notification (identifier);
      CREATE INDEX notification_pending ON notification (identifier) WHERE state = 'pending';
      CREATE UNIQUE INDEX notification_planned ON notification (identifier, is_occurrence)
        WHERE state IN ('pending', 'cancelled');
      CREATE INDEX notification_live ON notification (state) WHERE state IN ('presenting', 'delivered');
      CREATE INDEX notification_ended ON notification (updated_at, number)
        WHERE state NOT IN ('pending', 'presenting', 'delivered');
      -- A delivery reads due entries without scanning later ones; entries that follow the wall clock are found when
      -- that is set.
      CREATE INDEX notification_due_in_tag ON notification (tag, boot_id, due_boot) WHERE state = 'pending';
      CREATE INDEX notification_due_in_boot ON notification (boot_id, due_boot) WHERE state = 'pending';
      CREATE INDEX notification_fixed ON notification (boot_id, due_boot)
        WHERE state = 'pending' AND follows_wall = 0;
      CREATE INDEX notification_following ON notification (boot_id)
        WHERE state = 'pending' AND follows_wall = 1;
      CREATE TABLE response (
        number INTEGER PRIMARY KEY,
        request TEXT NOT NULL,
        entry INTEGER NOT NULL,
        entry_added_at INTEGER NOT NULL,
        occurrence INTEGER NOT NULL,
        choice TEXT NOT NULL,
        activation_token TEXT,
        responded_at INTEGER NOT NULL,
        responded_boot INTEGER NOT NULL,
        boot_id TEXT NOT NULL
      ) STRICT;
      CREATE TABLE agent_report (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        pid INTEGER NOT NULL,
        started_at INTEGER NOT NULL,
        desktop TEXT NOT NULL,
        detail TEXT NOT NULL,
        capabilities TEXT NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT;
      """)
}
