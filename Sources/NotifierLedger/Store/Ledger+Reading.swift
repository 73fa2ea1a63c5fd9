import SequencePlatform
package import SequenceStore

extension Ledger {
  func rows(_ condition: String, _ values: SQLValue...) throws(StoreError) -> [LedgerEntry] {
    var reader = RowReader()
    return try database.rows(
      "SELECT \(LedgerEntry.table.columns) FROM notification WHERE \(condition)", values
    ) {
      row throws(StoreError) in
      try LedgerEntry(row, &reader, path: database.path)
    }
  }

  package func check() throws(StoreError) {
    _ = try rows("TRUE")
    _ = try responses(after: .beginning)
    _ = try database.positions(in: "")
    _ = try agentReport()
  }

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
    let reports = try damaged.database.readableRows(of: "agent_report", AgentReport.table.columns) {
      AgentReport($0)
    }
    if let report = reports.last { try store(report) }
  }
}
