import SequencePlatform
package import SequenceStore

extension Ledger {
  /// Whether runs are in the same store, whose notifier knows only notifications of runs.
  package func isOfRuns() throws(StoreError) -> Bool {
    try !database.rows("SELECT 1 FROM component WHERE name = 'runs'") { $0.integer(0) }.isEmpty
  }

  /// Whether a notification that belongs to no run is pending or visible.
  package func hasNotificationsOfProgram() throws(StoreError) -> Bool {
    try !database.rows(
      "SELECT 1 FROM notification WHERE kind = '' AND state IN ('pending', 'presenting', 'delivered') LIMIT 1"
    ) { $0.integer(0) }.isEmpty
  }

  /// The entries that match a condition, in the order given with it.
  ///
  /// - Throws: `StoreError.damaged` if a row is invalid.
  func rows(_ condition: String, _ values: SQLValue...) throws(StoreError) -> [LedgerEntry] {
    var reader = RowReader()
    return try database.rows("SELECT \(LedgerEntry.columns) FROM notification WHERE \(condition)", values) {
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
    _ = try agentReport()
    _ = try planningMark()
    _ = try clearedScopes()
  }

  /// Takes over the notifications of a damaged store, as far as they can be read.
  ///
  /// A run plans its notifications again, so only its visible ones are taken over.
  package func salvage(from damaged: Ledger) throws(StoreError) {
    for entry in damaged.readableEntries() { try restore(entry) }
    try salvageResponses(from: damaged)
  }

  /// The notifications of a damaged store that are visible or not those of a run, as far as they can be read.
  private func readableEntries() -> [LedgerEntry] {
    var reader = RowReader()
    var entries: [LedgerEntry] = []
    // Row by row and without an index, which may be damaged itself. Unreadable rows are lost to the damage.
    let scanned: [Void]? = try? database.rows(
      """
      SELECT \(LedgerEntry.columns) FROM notification NOT INDEXED
      WHERE state IN ('presenting', 'delivered') OR kind = ''
      """
    ) { row in
      if let entry = try? LedgerEntry(row, &reader, path: database.path) { entries.append(entry) }
    }
    _ = scanned
    return entries
  }

  /// Stores an entry of a damaged store, as it was there.
  private func restore(_ entry: LedgerEntry) throws(StoreError) {
    let request = entry.request
    try database.run(
      """
      INSERT OR IGNORE INTO notification (
        number, identifier, tag, kind, summary, body, actions, user_info, due_wall, due_boot, boot_id, follows_wall,
        schedule, previous_due, is_occurrence, style, latest_delivery, state, reason, withdrawal, server_id, epoch, updated_at, refusals, not_before, delivered_at, repeats,
        response, bus_address)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(entry.number), .text(request.identifier.rawValue), .text(request.place),
      .text(request.kind?.rawValue ?? ""), .text(request.summary), .text(request.body),
      .text(try column(request.actions)), .text(request.userInfo),
      .integer(entry.due.wall.microseconds), .integer(entry.due.boot.nanoseconds), .text(entry.due.bootID),
      .integer(request.trigger.followsWallClock ? 1 : 0), .text(request.trigger.stored),
      .integer(entry.previous?.microseconds), .integer(entry.isOccurrence ? 1 : 0),
      .text(try column(request.style)), .integer(request.latestDelivery?.nanoseconds),
      .text(entry.state.rawValue),
      .text(entry.reason?.stored), .text(entry.withdrawal?.stored),
      .integer(entry.shown.map { Int64($0.id) }),
      .text(entry.shown?.epoch.rawValue), .integer(entry.updatedAt.microseconds),
      .integer(entry.refusals), .integer(entry.notBefore.nanoseconds),
      .integer(entry.deliveredAt?.microseconds), .text(entry.repetition?.rawValue),
      .text(entry.response?.stored), .text(entry.busAddress))
  }
}
