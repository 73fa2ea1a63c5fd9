package import SequencePlatform
package import SequenceStore

/// Queries and changes of the agent. Each change applies to one entry in a certain state; an entry in another state
/// stays as it is.
///
/// The cost does not grow with the number of pending entries, except for changes of all of them. Queries repeat the
/// condition of a partial index word for word: SQLite does not infer that one state is one of two.
extension Ledger {
  package func due(at reading: ClockReading) throws(StoreError) -> [LedgerEntry] {
    try rows(
      "state = 'pending' AND boot_id = ? AND due_boot <= ? ORDER BY due_boot, number",
      .text(reading.bootID), .integer(reading.boot.nanoseconds))
  }

  package func due(in tag: String, at reading: ClockReading) throws(StoreError) -> [LedgerEntry] {
    try rows(
      "state = 'pending' AND tag = ? AND boot_id = ? AND due_boot <= ? ORDER BY due_boot, number",
      .text(tag), .text(reading.bootID), .integer(reading.boot.nanoseconds))
  }

  /// The tag of the pending entry that has been due for longest, and is not delayed.
  package func nextDueTag(at reading: ClockReading) throws(StoreError) -> String? {
    try database.rows(
      """
      SELECT tag FROM notification
      WHERE state = 'pending' AND boot_id = ?1 AND due_boot <= ?2 AND not_before <= ?2
      ORDER BY due_boot, number LIMIT 1
      """, .text(reading.bootID), .integer(reading.boot.nanoseconds)
    ) { $0.text(0) }.first
  }

  /// The next pending entry that does not follow the wall clock; `nil` without one.
  package func nextFixed(after reading: ClockReading) throws(StoreError) -> LedgerEntry? {
    try rows(
      """
      state = 'pending' AND boot_id = ? AND due_boot > ? AND not_before <= due_boot AND follows_wall = 0
      ORDER BY due_boot, number LIMIT 1
      """, .text(reading.bootID), .integer(reading.boot.nanoseconds)
    ).first
  }

  /// When the next pending entry is due, or an entry that was delayed is to be tried again, on the boot clock;
  /// `nil` without one.
  package func nextDue(after reading: ClockReading) throws(StoreError) -> Duration? {
    try database.rows(
      """
      SELECT min(next) FROM (
        SELECT min(due_boot) AS next FROM notification
          WHERE state = 'pending' AND boot_id = ?2 AND due_boot > ?1
        UNION ALL SELECT min(not_before) FROM notification
          WHERE state = 'pending' AND boot_id = ?2 AND due_boot <= ?1 AND not_before > ?1
        UNION ALL SELECT min(not_before) FROM notification
          WHERE state IN ('presenting', 'delivered') AND not_before > ?1)
      """,
      .integer(reading.boot.nanoseconds), .text(reading.bootID)
    ) { $0.optionalInteger(0) }.first.flatMap { $0 }.map { .nanoseconds($0) }
  }

  /// Postpones the removal of an entry that the server refused, until a time on the boot clock.
  package func delayRemoval(_ entry: LedgerEntry, until time: Duration) throws(StoreError) {
    try database.run(
      "UPDATE notification SET not_before = ?, refusals = refusals + 1 WHERE number = ? AND state = 'delivered'",
      .integer(time.nanoseconds), .integer(entry.number))
  }

  /// The delivered entries to be removed from the screen, oldest first, without those that are refused until later.
  ///
  /// An entry whose number was requested again is left out until that request is answered.
  package func withdrawn(at reading: ClockReading) throws(StoreError) -> [LedgerEntry] {
    try rows(
      """
      state IN ('presenting', 'delivered') AND state = 'delivered' AND withdrawal IS NOT NULL
        AND not_before <= ? AND NOT EXISTS (
          SELECT 1 FROM notification AS other
          WHERE other.state IN ('presenting', 'delivered') AND other.state = 'presenting'
            AND other.server_id = notification.server_id AND other.epoch = notification.epoch)
      ORDER BY +number
      """, .integer(reading.boot.nanoseconds))
  }

  package func hasUpcoming(after reading: ClockReading) throws(StoreError) -> Bool {
    try database.rows(
      """
      SELECT EXISTS (SELECT 1 FROM notification WHERE state = 'pending' AND boot_id = ?1 AND due_boot > ?2)
        OR EXISTS (SELECT 1 FROM notification WHERE state = 'pending' AND boot_id < ?1)
        OR EXISTS (SELECT 1 FROM notification WHERE state = 'pending' AND boot_id > ?1)
      """, .text(reading.bootID), .integer(reading.boot.nanoseconds)
    ) { $0.integer(0) } == [1]
  }

  /// The entries that are being shown or are on screen.
  package func live() throws(StoreError) -> [LedgerEntry] {
    try rows("state IN ('presenting', 'delivered') ORDER BY number")
  }

  /// The live entries, presenting before delivered: whether a delivered entry is repeated depends on the outcome of the
  /// newer one.
  package func liveNewestFirst() throws(StoreError) -> [LedgerEntry] {
    try rows("state IN ('presenting', 'delivered') ORDER BY state = 'delivered', number")
  }

  package func entry(_ number: Int64) throws(StoreError) -> LedgerEntry? {
    try rows("number = ?", .integer(number)).first
  }

  package func withdraw(_ entry: LedgerEntry, at moment: Moment, reason: NotificationReason)
    throws(StoreError)
  {
    try database.run(
      """
      UPDATE notification SET withdrawal = ?, updated_at = ?
      WHERE number = ? AND state IN ('presenting', 'delivered') AND withdrawal IS NULL
      """, .text(reason.stored), .integer(moment.microseconds), .integer(entry.number))
  }

  package func hasPendingOfAnotherBoot(than reading: ClockReading) throws(StoreError) -> Bool {
    try database.rows(
      """
      SELECT EXISTS (SELECT 1 FROM notification WHERE state = 'pending' AND boot_id < ?1)
        OR EXISTS (SELECT 1 FROM notification WHERE state = 'pending' AND boot_id > ?1)
      """, .text(reading.bootID)
    ) { $0.integer(0) } == [1]
  }

  package func hasNothingToWaitFor() throws(StoreError) -> Bool {
    try database.rows(
      """
      SELECT EXISTS (SELECT 1 FROM notification WHERE state = 'pending')
        OR EXISTS (SELECT 1 FROM notification WHERE state IN ('presenting', 'delivered'))
      """
    ) { $0.integer(0) } == [0]
  }

  /// Counts earlier notifications that a pending entry stands for.
  package func count(_ steps: Int, before entry: LedgerEntry) throws(StoreError) {
    try database.run(
      "UPDATE notification SET unlisted = unlisted + ? WHERE number = ? AND state = 'pending'",
      .integer(steps), .integer(entry.number))
  }

  /// Whether nothing is left but notifications that have been due for longer than an agent waits for a server.
  package func onlyWaits(at reading: ClockReading) throws(StoreError) -> Bool {
    guard try live().isEmpty, try !hasUpcoming(after: reading) else { return false }
    return try due(at: reading).allSatisfy { reading.boot - $0.due.boot > Lateness.notification }
  }

  /// Gives pending entries of another boot their time on the clock of this one; what is shown again is due at once.
  ///
  /// Only the wall clock has told how far off the others are, and it may be wrong early in a boot. So an entry that was
  /// planned for a reading, and isn't due yet, follows it from then on.
  package func rebase(to reading: ClockReading) throws(StoreError) {
    try database.run(
      """
      UPDATE notification SET boot_id = ?3, not_before = 0,
        due_boot = ?1 + iif(repeats IS 'shown', 0, min(max(due_wall - ?2, -?4), ?4) * 1000),
        follows_wall = iif(schedule IS NULL AND due_wall > ?2 AND repeats IS NOT 'shown', 1, follows_wall)
      WHERE state = 'pending' AND boot_id <> ?3
      """,
      .integer(reading.boot.nanoseconds), .integer(reading.wall.microseconds), .text(reading.bootID),
      .integer(Ledger.farthestDue.nanoseconds / 1000))
  }

  /// Gives pending entries that follow the wall clock their time on the boot clock, as the wall clock is set now.
  package func followWallClock(at reading: ClockReading) throws(StoreError) {
    try database.run(
      """
      UPDATE notification SET due_boot = ?1 + min(max(due_wall - ?2, -?4), ?4) * 1000
      WHERE state = 'pending' AND follows_wall = 1 AND boot_id = ?3 AND repeats IS NOT 'shown'
      """,
      .integer(reading.boot.nanoseconds), .integer(reading.wall.microseconds), .text(reading.bootID),
      .integer(Ledger.farthestDue.nanoseconds / 1000))
  }

  /// Gives pending entries with a trigger that do not follow the wall clock their time on the wall clock, as it is set
  /// now.
  ///
  /// In the next boot there is only the wall clock. What may have been on screen keeps its occurrence. Two readings of
  /// both clocks differ by microseconds, so less than a millisecond is no change.
  package func recordWallClock(at reading: ClockReading) throws(StoreError) {
    try database.run(
      """
      UPDATE notification SET due_wall = ?2 + (due_boot - ?1) / 1000
      WHERE state = 'pending' AND follows_wall = 0 AND schedule IS NOT NULL AND boot_id = ?3 AND due_boot < ?4
        AND repeats IS NULL AND abs(due_wall - (?2 + (due_boot - ?1) / 1000)) >= 1000
      """,
      .integer(reading.boot.nanoseconds), .integer(reading.wall.microseconds), .text(reading.bootID),
      .integer((reading.boot + Ledger.farthestDue / 2).nanoseconds))
  }

  /// `pending → presenting`: its time has come, and the server will be asked to show it.
  ///
  /// - Parameter shown: the number that the server is asked to use, so that the next agent finds it if the answer is
  ///   lost.
  package func present(
    _ entry: LedgerEntry, as shown: ShownNotification, at moment: Moment
  ) throws(StoreError) {
    try database.run(
      """
      UPDATE notification SET state = 'presenting', server_id = ?, epoch = ?, updated_at = ?
      WHERE number = ? AND state = 'pending'
      """,
      .integer(Int64(shown.id)), .text(shown.epoch.rawValue), .integer(moment.microseconds),
      .integer(entry.number))
  }

  /// `presenting`, still: the server has not answered whether it shows it.
  package func recordUnanswered(_ entry: LedgerEntry, at moment: Moment, reason: NotificationReason)
    throws(StoreError)
  {
    try move(entry, from: ["presenting"], to: .presenting, reason: reason, at: moment)
  }

  /// `presenting → pending`: it could not be shown yet, and will be tried again.
  ///
  /// - Parameter time: when to try again, on the boot clock, if it was refused; `nil` if it was not, for as soon as it
  ///   can be.
  package func postpone(
    _ entry: LedgerEntry, refusedUntil time: Duration? = nil, at moment: Moment, reason: NotificationReason
  ) throws(StoreError) {
    // If it was planned again meanwhile, another entry is pending, and this attempt was the last one.
    try database.run(
      """
      UPDATE notification SET state = CASE WHEN withdrawal IS NULL AND NOT EXISTS (
          SELECT 1 FROM notification AS other WHERE other.identifier = notification.identifier
            AND other.is_occurrence = notification.is_occurrence
            AND other.state IN ('pending', 'cancelled')) THEN 'pending' ELSE 'missed' END,
        reason = coalesce(withdrawal, ?), refusals = refusals + ?, not_before = ?, updated_at = ?
      WHERE number = ? AND state = 'presenting'
      """, .text(reason.stored), .integer(time == nil ? 0 : 1), .integer(time?.nanoseconds ?? 0),
      .integer(moment.microseconds), .integer(entry.number))
  }

  /// `presenting → cancelled`: it was withdrawn, and the server was never asked to show it.
  package func callOff(_ entry: LedgerEntry, at moment: Moment) throws(StoreError) {
    // If it was planned again meanwhile, another entry is pending, and this one had no effect.
    try database.run(
      """
      DELETE FROM notification WHERE number = ? AND state = 'presenting' AND EXISTS (
        SELECT 1 FROM notification AS other WHERE other.identifier = notification.identifier
          AND other.is_occurrence = notification.is_occurrence AND other.state IN ('pending', 'cancelled'))
      """, .integer(entry.number))
    try database.run(
      """
      UPDATE notification SET state = CASE WHEN withdrawal IS NULL THEN 'pending' ELSE 'cancelled' END,
        reason = coalesce(withdrawal, reason), withdrawal = NULL, server_id = NULL, epoch = NULL,
        updated_at = ?
      WHERE number = ? AND state = 'presenting'
      """, .integer(moment.microseconds), .integer(entry.number))
  }

  /// `presenting → delivered`: the server took it.
  ///
  /// If it was removed because the server did not answer, it has to be removed again.
  package func deliver(
    _ entry: LedgerEntry, as shown: ShownNotification, at moment: Moment
  ) throws(StoreError) {
    try database.run(
      """
      UPDATE notification SET state = 'delivered', server_id = ?1, epoch = ?2, updated_at = ?3, not_before = 0,
        delivered_at = ?3, refusals = 0, reason = CASE WHEN substr(reason, 1, length(?4)) = ?4 THEN reason END
      WHERE number = ?5 AND (state = 'presenting' OR state IN ('delivered', 'removed') AND withdrawal IS NOT NULL)
      """,
      .integer(Int64(shown.id)), .text(shown.epoch.rawValue), .integer(moment.microseconds),
      .text(NotificationReason.shownAgainPrefix), .integer(entry.number))
    // An entry that was withdrawn while it was shown replaces nothing.
    if entry.withdrawal == nil { try replaceOlder(than: entry, at: moment) }
    // A number identifies one notification, so the former one was replaced.
    try database.run(
      """
      UPDATE notification SET state = 'removed', reason = coalesce(withdrawal, ?1), updated_at = ?2
      WHERE state IN ('presenting', 'delivered') AND state = 'delivered' AND server_id = ?3 AND epoch = ?4
        AND number <> ?5
      """,
      .text(NotificationReason.replaced.stored), .integer(moment.microseconds), .integer(Int64(shown.id)),
      .text(shown.epoch.rawValue), .integer(entry.number))
  }

  /// Requests the removal of older delivered entries with the tag of an entry that was shown.
  package func replaceOlder(than entry: LedgerEntry, at moment: Moment) throws(StoreError) {
    try database.run(
      """
      UPDATE notification SET withdrawal = ?, updated_at = ?
      WHERE state IN ('presenting', 'delivered') AND state = 'delivered' AND tag = ? AND number <> ?
        AND withdrawal IS NULL
      """, .text(NotificationReason.replaced.stored), .integer(moment.microseconds),
      .text(entry.request.place),
      .integer(entry.number))
  }

  /// `delivered → removed`: it is gone from the screen.
  package func remove(_ entry: LedgerEntry, at moment: Moment, reason: NotificationReason) throws(StoreError)
  {
    try move(entry, from: ["delivered"], to: .removed, reason: reason, at: moment)
  }

  /// Adds a pending copy of an entry that is or may be on screen; the entry itself has to be removed.
  ///
  /// The copy of a confirmed entry is shown at once, and keeps its due time by the wall clock, which is what the user and
  /// other programs see. Any other copy keeps its due time altogether, and its sound.
  package func showAgain(_ entry: LedgerEntry, at reading: ClockReading, reason: NotificationReason)
    throws(StoreError)
  {
    guard entry.withdrawal == nil else { return }
    let isConfirmed = entry.state == .delivered
    let repetition: LedgerEntry.Repetition =
      isConfirmed || entry.repetition == .shown ? .shown : .unconfirmed
    let isPlanned = try database.rows(
      """
      SELECT EXISTS (
        SELECT 1 FROM notification WHERE identifier = ? AND state = 'pending' AND is_occurrence = ?)
      """, .text(entry.request.identifier.rawValue), .integer(entry.isOccurrence ? 1 : 0)
    ) { $0.integer(0) }
    guard isPlanned == [0] else { return }
    var due = entry.due
    if isConfirmed { due = ClockReading(wall: due.wall, boot: reading.boot, bootID: reading.bootID) }
    try add(
      [
        ScheduledRequest(
          entry.request, due: due, previous: entry.previous, snoozed: entry.snoozed, offset: entry.offset)
      ],
      at: reading, isOccurrence: entry.isOccurrence, reason: .shownAgain(because: reason),
      repetition: repetition,
      unlisted: isConfirmed ? 0 : entry.unlisted)
  }

  package func hasRepetition(of entry: LedgerEntry) throws(StoreError) -> Bool {
    try !repetitions(of: entry).isEmpty
  }

  private func repetitions(of entry: LedgerEntry) throws(StoreError) -> [LedgerEntry] {
    try rows(
      "identifier = ? AND state = 'pending' AND repeats IS NOT NULL",
      .text(entry.request.identifier.rawValue))
  }

  /// Cancels the repetition of an entry that waits to be shown; whether there was one.
  package func cancelRepetition(
    of entry: LedgerEntry, at moment: Moment, reason: NotificationReason
  ) throws(StoreError) -> Bool {
    let waiting = try repetitions(of: entry)
    for repetition in waiting {
      try cancel(repetition, at: moment, reason: reason)
    }
    return !waiting.isEmpty
  }

  /// `presenting → delivered` without a confirmation of the server.
  package func assumeShown(_ entry: LedgerEntry, at moment: Moment) throws(StoreError) {
    try move(entry, from: ["presenting"], to: .delivered, reason: entry.reason, at: moment)
  }

  /// Replaces the reason for the removal of an entry.
  package func explain(_ entry: LedgerEntry, at moment: Moment, withdrawal: NotificationReason)
    throws(StoreError)
  {
    try database.run(
      """
      UPDATE notification SET withdrawal = ?, updated_at = ?
      WHERE number = ? AND state IN ('presenting', 'delivered')
      """, .text(withdrawal.stored), .integer(moment.microseconds), .integer(entry.number))
  }

  /// `pending → cancelled`: it is not needed any more.
  package func cancel(_ entry: LedgerEntry, at moment: Moment, reason: NotificationReason) throws(StoreError)
  {
    try move(entry, from: ["pending"], to: .cancelled, reason: reason, at: moment)
  }

  /// `pending → suppressed`: the application does not want it to be shown.
  package func suppress(_ entry: LedgerEntry, at moment: Moment, reason: NotificationReason)
    throws(StoreError)
  {
    try move(entry, from: ["pending"], to: .suppressed, reason: reason, at: moment)
  }

  /// `→ missed`: it was not shown in time.
  package func miss(_ entry: LedgerEntry, at moment: Moment, reason: NotificationReason) throws(StoreError) {
    try move(entry, from: ["pending"], to: .missed, reason: reason, at: moment)
  }

  /// `→ failed`: the server refused to show or to remove it.
  package func fail(_ entry: LedgerEntry, at moment: Moment, reason: NotificationReason) throws(StoreError) {
    try move(entry, from: ["presenting", "delivered"], to: .failed, reason: reason, at: moment)
  }

  /// Deletes the entries that ended first, to limit the size of the ledger.
  ///
  /// An entry that was planned long ago and has just ended is among the last to be deleted.
  package func prune(keeping count: Int = 1000) throws(StoreError) {
    try database.run(
      """
      DELETE FROM notification WHERE number IN (
        SELECT number FROM notification WHERE state NOT IN ('pending', 'presenting', 'delivered')
        ORDER BY updated_at DESC, number DESC LIMIT -1 OFFSET ?)
      """, .integer(count))
  }

  func move(
    _ entry: LedgerEntry, from states: [String], to state: LedgerEntry.State, reason: NotificationReason?,
    at moment: Moment
  ) throws(StoreError) {
    let from = states.map { "'\($0)'" }.joined(separator: ", ")
    try database.run(
      "UPDATE notification SET state = ?, reason = ?, updated_at = ? WHERE number = ? AND state IN (\(from))",
      .text(state.rawValue), .text(reason?.stored), .integer(moment.microseconds), .integer(entry.number))
  }
}
