import SequenceRunner
package import Store

/// How entries are read, and what becomes of one that cannot be: the others do not suffer from it.
extension Ledger {
  /// The entries of a condition, in the order that is said after it.
  ///
  /// What makes no sense is taken out of an entry first, and the entry says so: without its buttons a notification
  /// still tells what it has to, and without a name or a state it has failed.
  func rows(_ condition: String, _ values: SQLValue...) throws(StoreError) -> [LedgerEntry] {
    let rows = try read(condition, values)
    let unreadable = rows.compactMap(\.unreadable)
    guard !unreadable.isEmpty else { return rows.compactMap(\.entry) }
    for row in unreadable { try repair(row) }
    return try read(condition, values).compactMap(\.entry)
  }

  /// How many entries cannot be read as they were written; nothing is changed.
  ///
  /// - Complexity: O(entries).
  package func unreadableCount() throws(StoreError) -> Int {
    try read("TRUE", []).count { $0.unreadable != nil }
  }

  private func read(_ condition: String, _ values: [SQLValue]) throws(StoreError) -> [LedgerRow] {
    var reader = ActionsReader()
    return try database.rows("SELECT \(LedgerEntry.columns) FROM notification WHERE \(condition)", values) {
      LedgerRow($0, &reader)
    }
  }

  private func repair(_ row: UnreadableRow) throws(StoreError) {
    if row.lacksButtonsOnly {
      try database.run(
        "UPDATE notification SET actions = NULL, reason = 'its buttons could not be read' WHERE number = ?",
        .integer(row.number))
    } else {
      try database.run(
        """
        UPDATE notification SET identifier = ?, state = 'failed', actions = NULL, withdrawal = NULL,
          reason = 'what was stored of it could not be read'
        WHERE number = ?
        """, .text(row.name), .integer(row.number))
    }
  }
}
