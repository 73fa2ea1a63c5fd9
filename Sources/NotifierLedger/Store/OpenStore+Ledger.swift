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
  package var component: SchemaComponent { .notifications }

  package init() {}

  package func check(_ database: Database) throws(StoreError) { try Ledger(database: database).check() }

  package func salvage(
    from damaged: Database, into database: Database, at reading: ClockReading
  ) throws(StoreError) {
    try Ledger(database: database).salvage(from: Ledger(database: damaged))
  }
}
