import SequencePlatform
package import SequenceStore

extension Ledger {
  /// The entries that match a condition, in the order given with it.
  ///
  /// - Throws: `StoreError.damaged` if a row is invalid.
  func rows(_ condition: String, _ values: SQLValue...) throws(StoreError) -> [LedgerEntry] {
    var reader = RowReader()
    return try database.rows(
      "SELECT \(LedgerEntry.table.columns) FROM notification WHERE \(condition)", values
    ) {
      row throws(StoreError) in
      try LedgerEntry(row, &reader, path: database.path)
    }
  }

  /// Reads all rows.
  ///
  /// - Throws: `StoreError.damaged` if one of them makes no sense.
  package func check() throws(StoreError) {
    _ = try rows("TRUE")
    _ = try responses(after: .beginning)
    try checkReaders()
    _ = try agentReport()
  }

  /// Takes over the notifications, responses and the report of a damaged store, as far as they can be read.
  package func salvage(from damaged: Ledger) throws(StoreError) {
    var reader = RowReader()
    let entries = try damaged.database.readableRows(of: "notification", LedgerEntry.table.columns) {
      row throws(StoreError) in try LedgerEntry(row, &reader, path: database.path)
    }
    for entry in entries {
      try database.run(
        LedgerEntry.table.insertIfNew,
        entry.values(
          actions: try column(entry.request.actions), style: try column(entry.request.style),
          userInfo: try column(entry.request.userInfo)))
    }
    try salvageResponses(from: damaged)
    try salvageReaders(from: damaged)
    // The next agent makes another one.
    if let report = try? damaged.agentReport() { try store(report) }
  }
}
