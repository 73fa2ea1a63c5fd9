package import SequenceRunner
package import Store

extension RunStore {
  /// The notifications in this store.
  package var ledger: Ledger { Ledger(database: database) }

  /// Changes the notifications in one transaction.
  package func changeLedger<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
    try repairing { try database.transaction { try body(ledger) } }
  }
}

/// Has the tables of notifications made where no run plans any.
package struct NotificationTables: StoreParticipant {
  package static var component: SchemaComponent { .notifications }

  package init() {}

  package func runDidChange(_ change: RunChange, in database: Database) {}
}
