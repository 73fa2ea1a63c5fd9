package import SequencePlatform
package import SequenceStore

extension OpenStore {
  /// The notifications in this store.
  package var ledger: Ledger { Ledger(database: database) }

  /// Reads the notifications; a damaged store is replaced and read again.
  package func readLedger<Result>(
    _ body: (Ledger) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try repairing { () throws(StoreError) in try body(ledger) }
  }

  /// Reads the notifications by a block that may also throw other errors.
  package func readLedger<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
    try repairing { try body(ledger) }
  }

  /// Changes the notifications in one transaction.
  package func changeLedger<Result>(
    _ body: (Ledger) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try transaction { database throws(StoreError) in try body(Ledger(database: database)) }
  }

  /// Changes the notifications in one transaction, by a block that may also throw other errors.
  package func changeLedger<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
    try transaction { try body(Ledger(database: $0)) }
  }
}

/// The notifications in a store.
package struct NotificationTables: StorePart {
  package static var component: SchemaComponent { .notifications }

  package init() {}

  package func check(_ database: Database) throws(StoreError) { try Ledger(database: database).check() }

  package func salvage(
    from damaged: Database, into database: Database, at reading: ClockReading
  ) throws(StoreError) {
    try Ledger(database: database).salvage(from: Ledger(database: damaged))
  }
}
