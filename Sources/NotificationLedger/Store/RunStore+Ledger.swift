package import SequenceRunner
package import Store

extension RunStore {
  /// The notifications in this store.
  package var ledger: Ledger { Ledger(database: database) }

  /// Reads the notifications; a damaged store is replaced, and read once more.
  package func readLedger<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
    try repairing { try body(ledger) }
  }

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

  package func check(_ database: Database) throws { try Ledger(database: database).check() }

  package func salvage(from damaged: Database, into database: Database) throws {
    try Ledger(database: database).salvage(from: Ledger(database: damaged))
  }
}
