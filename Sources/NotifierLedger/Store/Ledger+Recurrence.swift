package import SequencePlatform
package import SequenceStore

extension Ledger {
  package func followingCalendar(at reading: ClockReading) throws(StoreError) -> [LedgerEntry] {
    try rows(
      """
      state = 'pending' AND boot_id = ? AND follows_wall = 1 AND schedule IS NOT NULL AND is_occurrence = 0
      """, .text(reading.bootID))
  }

  /// The pending entries that come after an interval on the boot clock, once or again and again.
  package func followingBootClock(at reading: ClockReading) throws(StoreError) -> [LedgerEntry] {
    try rows(
      """
      state = 'pending' AND boot_id = ? AND follows_wall = 0 AND schedule IS NOT NULL AND is_occurrence = 0
      """, .text(reading.bootID))
  }

  package func pendingWithMissed(in scope: NotificationScope) throws(StoreError) -> [LedgerEntry] {
    let bounds = scope.bounds
    return try rows(
      """
      state = 'pending' AND missed IS NOT NULL AND is_occurrence = 0
        AND (identifier = ? OR identifier >= ? AND identifier < ?)
      """, .text(scope.prefix), .text(bounds.first), .text(bounds.end))
  }

  /// Makes requests pending in place of all notifications with the same identifiers that were not shown yet.
  ///
  /// A repeating request with an unchanged trigger takes over the earliest time that was not shown yet: of an
  /// occurrence that waits for a server, of a prepared one, or the next one. A notification that was shown and is to
  /// return to the screen isn't replaced.
  package func schedule(_ requests: [ScheduledRequest], at reading: ClockReading) throws(StoreError) {
    let prepared = try live().filter { $0.state == .presenting && $0.isToCome(at: reading) }
    var scheduled: [ScheduledRequest] = []
    for request in requests {
      let identifier = request.request.identifier
      scheduled.append(
        try replaceUnshown(
          by: request, prepared: prepared.first { $0.request.identifier == identifier }, at: reading))
    }
    try add(scheduled, at: reading)
  }

  /// Cancels the entries that a request replaces, except for the entry that `add` updates; returns the request with its
  /// time.
  private func replaceUnshown(
    by scheduled: ScheduledRequest, prepared: LedgerEntry?, at reading: ClockReading
  ) throws(StoreError) -> ScheduledRequest {
    let request = scheduled.request
    let pending = try rows("state = 'pending' AND identifier = ?", .text(request.identifier.rawValue))
    let waiting = pending.first { $0.isOccurrence && $0.repetition != .shown }
    if let waiting {
      try move(waiting, from: ["pending"], to: .cancelled, reason: .rescheduled, at: reading.wall)
    }
    var prepared = prepared
    if let same = prepared, request.trigger.repeats, same.request == request {
      // The prepared entry equals the request, and its server may have it already.
      prepared = nil
    }
    if let prepared { try withdraw(prepared, at: reading.wall, reason: .rescheduled) }
    let next = pending.first { !$0.isOccurrence }
    let unshown = [waiting, prepared, next].compactMap { $0 }.first { $0.request.trigger == request.trigger }
    guard request.trigger.repeats, let unshown else { return scheduled }
    return ScheduledRequest(request, due: unshown.due, previous: unshown.previous, offset: unshown.offset)
  }

  package func isRemoved(_ request: NotificationRequest) throws(StoreError) -> Bool {
    guard request.trigger.repeats else { return false }
    return try rows("identifier = ? AND state = 'cancelled'", .text(request.identifier.rawValue)).contains {
      $0.reason == .removed && !$0.isOccurrence
    }
  }

  /// Whether an occurrence of a repeating notification was shown or decided otherwise, as far as entries are kept.
  package func hasOccurrence(
    of identifier: NotificationIdentifier, at due: Moment
  ) throws(StoreError) -> Bool {
    try database.rows(
      """
      SELECT EXISTS (SELECT 1 FROM notification WHERE identifier = ? AND is_occurrence = 1 AND due_wall = ?)
      """, .text(identifier.rawValue), .integer(due.microseconds)
    ) { $0.integer(0) } == [1]
  }

  /// - Parameter offset: the local time minus UTC then, in seconds; `nil` if no calendar has found it.
  package func move(
    _ entry: LedgerEntry, toDue due: ClockReading, offset: Int?, at reading: ClockReading
  ) throws(StoreError) {
    try database.run(
      """
      UPDATE notification SET due_wall = ?, due_boot = ?, boot_id = ?, zone_offset = ?
      WHERE number = ? AND state = 'pending'
      """, .integer(due.wall.microseconds),
      .integer(min(due.boot, reading.boot + Ledger.farthestDue).nanoseconds), .text(due.bootID),
      .integer(offset.map(Int64.init)), .integer(entry.number))
  }

  /// - Parameter offset: returns the local time minus UTC at a moment, in seconds; `nil` without a calendar.
  package func addMissed(
    _ occurrences: [ClockReading], of entry: LedgerEntry, at reading: ClockReading,
    offset: (Moment) -> Int?, because reason: (ClockReading) -> NotificationReason
  ) throws(StoreError) {
    let request = entry.request
    let (actions, style) = (column(request.actions), try column(request.style))
    for due in occurrences {
      let missed = LedgerEntry(
        id: LedgerEntry.ID(added: reading.wall), request: request, due: due, previous: nil,
        offset: offset(due.wall), snoozed: nil, isOccurrence: true,
        state: .missed, reason: reason(due), updated: reading.wall, delivered: nil, shown: nil,
        refusals: 0, notBefore: .zero, withdrawal: nil, repetition: nil, response: nil,
        unlisted: 0)
      try database.run(
        LedgerEntry.table.insert,
        missed.values(actions: actions, style: style, userInfo: column(request.userInfo)))
    }
  }

  /// Removes the time of the occurrence before a pending entry, so that it doesn't delay the next one.
  package func forgetPrevious(of entry: LedgerEntry) throws(StoreError) {
    try database.run("UPDATE notification SET previous_due = NULL WHERE number = ?", .integer(entry.number))
  }

  /// Plans the next time of a repeating notification, in the transaction that decides on this one.
  ///
  /// - Parameters:
  ///   - due: when the next one is due; `nil` if there is none.
  ///   - offset: the local time minus UTC then, in seconds; `nil` if no calendar has found it.
  package func planNext(
    of entry: LedgerEntry, due: ClockReading?, offset: Int?, at reading: ClockReading
  ) throws(StoreError) {
    // An identifier has one occurrence that is pending or cancelled; a cancelled one must not keep this one from a
    // second attempt.
    try database.run(
      "DELETE FROM notification WHERE identifier = ? AND is_occurrence = 1 AND state = 'cancelled'",
      .text(entry.request.identifier.rawValue))
    try database.run(
      "UPDATE notification SET is_occurrence = 1 WHERE number = ? AND state <> 'pending'",
      .integer(entry.number))
    guard let due else { return }
    try add(
      [ScheduledRequest(entry.request, due: due, previous: entry.due.wall, offset: offset)], at: reading)
  }

  /// Adds a cancelled entry in place of the next occurrence of a repeating notification, whose time isn't known.
  package func cancelNext(
    of entry: LedgerEntry, at reading: ClockReading, reason: NotificationReason
  ) throws(StoreError) {
    try add([ScheduledRequest(entry.request, due: reading, previous: entry.due.wall)], at: reading)
    try database.run(
      """
      UPDATE notification SET state = 'cancelled', reason = ?
      WHERE identifier = ? AND state = 'pending' AND is_occurrence = 0
      """, .text(reason.stored), .text(entry.request.identifier.rawValue))
  }
}
