package import Platform
package import Store

/// The occurrences of repeating notifications.
extension Ledger {
  /// The pending entries whose next time a calendar decides.
  package func followingCalendar(at reading: ClockReading) throws(StoreError) -> [LedgerEntry] {
    try rows(
      """
      state = 'pending' AND boot_id = ? AND follows_wall = 1 AND schedule IS NOT NULL AND is_occurrence = 0
      """, .text(reading.bootID))
  }

  /// The pending entries that repeat after an interval on the boot clock.
  package func followingBootClock(at reading: ClockReading) throws(StoreError) -> [LedgerEntry] {
    try rows(
      """
      state = 'pending' AND boot_id = ? AND follows_wall = 0 AND schedule IS NOT NULL AND is_occurrence = 0
      """, .text(reading.bootID)
    ).filter { $0.request.trigger.repeats }
  }

  /// The pending entry for the next time of a repeating notification; `nil` if there is none.
  package func nextOccurrence(of identifier: NotificationIdentifier) throws(StoreError) -> LedgerEntry? {
    try rows(
      "state = 'pending' AND identifier = ? AND schedule IS NOT NULL AND is_occurrence = 0",
      .text(identifier.rawValue)
    ).first { $0.request.trigger.repeats }
  }

  /// Gives a pending entry another due time.
  package func move(
    _ entry: LedgerEntry, toDue due: ClockReading, at reading: ClockReading
  ) throws(StoreError) {
    try database.run(
      """
      UPDATE notification SET due_wall = ?, due_boot = ?, boot_id = ? WHERE number = ? AND state = 'pending'
      """, .integer(due.wall.microseconds),
      .integer(min(due.boot, reading.boot + Ledger.farthestDue).nanoseconds), .text(due.bootID),
      .integer(entry.number))
  }

  /// Plans the next time of a repeating notification, in the transaction that decides on this one.
  ///
  /// - Parameters:
  ///   - entry: the entry, which is no longer pending.
  ///   - due: when the next one is due; `nil` if there is none.
  package func planNext(of entry: LedgerEntry, due: ClockReading?, at reading: ClockReading)
    throws(StoreError)
  {
    try database.run(
      "UPDATE notification SET is_occurrence = 1 WHERE number = ? AND state <> 'pending'",
      .integer(entry.number))
    guard let due else { return }
    try add([ScheduledRequest(entry.request, due: due, previous: entry.due.wall)], at: reading)
  }
}
