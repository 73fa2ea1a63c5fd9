package import SequenceRunner

/// What the agent reads and records. Every change is of one entry that is in the state it has to be in; one
/// that has moved on stays as it is.
extension Ledger {
  /// The pending entries that are due, in the order in which they are.
  package func due(at reading: Reading) throws(StoreError) -> [LedgerEntry] {
    try rows(
      "state = 'pending' AND boot_id = ? AND due_boot <= ? ORDER BY due_boot, number",
      .text(reading.bootID), .integer(reading.boot.nanoseconds))
  }

  /// When the next pending entry is due, on the boot clock; `nil` without one.
  package func nextDue(after reading: Reading) throws(StoreError) -> Duration? {
    try database.rows(
      "SELECT min(due_boot) FROM notification WHERE state = 'pending' AND due_boot > ?",
      .integer(reading.boot.nanoseconds)
    ) { $0.optionalInteger(0) }.first.flatMap { $0 }.map { .nanoseconds($0) }
  }

  /// The entries that are being shown or are on screen.
  package func live() throws(StoreError) -> [LedgerEntry] {
    try rows("state IN ('presenting', 'delivered') ORDER BY number")
  }

  /// The entry of a number; `nil` if there is none.
  package func entry(_ number: Int64) throws(StoreError) -> LedgerEntry? {
    try rows("number = ?", .integer(number)).first
  }

  /// Asks for one entry to be taken away that is on screen or on its way there.
  package func withdraw(_ entry: LedgerEntry, at moment: Moment, reason: String) throws(StoreError) {
    try database.run(
      """
      UPDATE notification SET withdrawal = ?, updated_at = ?
      WHERE number = ? AND state IN ('presenting', 'delivered') AND withdrawal IS NULL
      """, .text(reason), .integer(moment.microseconds), .integer(entry.number))
  }

  /// Whether entries wait to be given their time on the clock of this boot.
  package func hasPendingOfAnotherBoot(than reading: Reading) throws(StoreError) -> Bool {
    try database.rows(
      "SELECT EXISTS (SELECT 1 FROM notification WHERE state = 'pending' AND boot_id <> ?)",
      .text(reading.bootID)
    ) { $0.integer(0) } == [1]
  }

  /// Whether nothing is to come, on its way or on screen.
  package func isAtRest() throws(StoreError) -> Bool {
    try database.rows(
      "SELECT EXISTS (SELECT 1 FROM notification WHERE state IN ('pending', 'presenting', 'delivered'))"
    ) { $0.integer(0) } == [0]
  }

  /// Gives pending entries of another boot their time on the clock of this one.
  package func rebase(to reading: Reading) throws(StoreError) {
    try database.run(
      """
      UPDATE notification SET due_boot = ?1 + (due_wall - ?2) * 1000, boot_id = ?3
      WHERE state = 'pending' AND boot_id <> ?3
      """,
      .integer(reading.boot.nanoseconds), .integer(reading.wall.microseconds), .text(reading.bootID))
  }

  /// `pending → presenting`: its time has come, and the server will be asked to show it.
  package func present(_ entry: LedgerEntry, at moment: Moment) throws(StoreError) {
    try move(entry, from: ["pending"], to: .presenting, reason: nil, at: moment)
  }

  /// `presenting → pending`: it could not be shown yet, and will be tried again.
  package func postpone(_ entry: LedgerEntry, at moment: Moment, reason: String) throws(StoreError) {
    // Planned anew in the meantime, it has another entry that is pending; this one has had its chance.
    try database.run(
      """
      UPDATE notification SET state = CASE WHEN withdrawal IS NULL AND NOT EXISTS (
          SELECT 1 FROM notification AS other WHERE other.identifier = notification.identifier
            AND other.state IN ('pending', 'cancelled')) THEN 'pending' ELSE 'missed' END,
        reason = ?, updated_at = ? WHERE number = ? AND state = 'presenting'
      """, .text(reason), .integer(moment.microseconds), .integer(entry.number))
  }

  /// `presenting → delivered`: the server took it.
  package func deliver(
    _ entry: LedgerEntry, as shown: ShownNotification, at moment: Moment
  ) throws(StoreError) {
    try database.run(
      """
      UPDATE notification SET state = 'delivered', reason = NULL, server_id = ?, epoch = ?, updated_at = ?
      WHERE number = ? AND state = 'presenting'
      """,
      .integer(Int64(shown.id)), .text(shown.epoch.rawValue), .integer(moment.microseconds),
      .integer(entry.number))
  }

  /// `delivered → removed`: it is not on screen any more.
  package func remove(_ entry: LedgerEntry, at moment: Moment, reason: String) throws(StoreError) {
    try move(entry, from: ["delivered"], to: .removed, reason: reason, at: moment)
  }

  /// `→ missed`: it was not shown in time.
  package func miss(_ entry: LedgerEntry, at moment: Moment, reason: String) throws(StoreError) {
    try move(entry, from: ["pending", "presenting"], to: .missed, reason: reason, at: moment)
  }

  /// `→ failed`: the server refused it, or to take it away.
  package func fail(_ entry: LedgerEntry, at moment: Moment, reason: String) throws(StoreError) {
    try move(entry, from: ["presenting", "delivered"], to: .failed, reason: reason, at: moment)
  }

  /// Forgets the oldest of what has ended, so that the ledger does not grow without end.
  package func prune(keeping count: Int = 1000) throws(StoreError) {
    let ended = "state NOT IN ('pending', 'presenting', 'delivered')"
    try database.run(
      """
      DELETE FROM notification WHERE \(ended) AND number <= (
        SELECT number FROM notification WHERE \(ended) ORDER BY number DESC LIMIT 1 OFFSET ?)
      """, .integer(count))
  }

  private func move(
    _ entry: LedgerEntry, from states: [String], to state: LedgerEntry.State, reason: String?,
    at moment: Moment
  ) throws(StoreError) {
    let from = states.map { "'\($0)'" }.joined(separator: ", ")
    try database.run(
      "UPDATE notification SET state = ?, reason = ?, updated_at = ? WHERE number = ? AND state IN (\(from))",
      .text(state.rawValue), .text(reason), .integer(moment.microseconds), .integer(entry.number))
  }

  private func rows(_ condition: String, _ values: SQLValue...) throws(StoreError) -> [LedgerEntry] {
    try database.rows(
      "SELECT \(LedgerEntry.columns) FROM notification WHERE \(condition)", values
    ) { row throws(StoreError) in try LedgerEntry(row, path: database.path) }
  }
}
