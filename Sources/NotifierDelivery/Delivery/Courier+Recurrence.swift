import NotifierLedger
import SequencePlatform
import SequenceStore

extension Courier {
  private func recurrence(of entry: LedgerEntry) -> Recurrence? {
    Recurrence(of: entry.request.trigger, in: calendar)
  }

  private func offset(of entry: LedgerEntry, at moment: Moment) -> Int? {
    calendar?.offset(of: entry.request.trigger, at: moment)
  }

  /// Returns when an entry that is due was due last; it may have been more than once without a program.
  func lastDue(of entry: LedgerEntry, at reading: ClockReading) -> ClockReading {
    guard !entry.isOccurrence, let recurrence = recurrence(of: entry) else { return entry.due }
    return recurrence.last(from: entry.due, at: reading)
  }

  /// Moves due entries to their last occurrence, if several have passed without a program or a server.
  ///
  /// Earlier ones are missed if the request wants entries of them.
  ///
  /// - Returns: whether there were any such entries.
  func catchUp(_ entries: [LedgerEntry], at reading: ClockReading) throws -> Bool {
    let stale = entries.map { ($0, lastDue(of: $0, at: reading)) }.filter { $0.due != $1 }
    guard !stale.isEmpty else { return false }
    try store.changeLedger { ledger throws(StoreError) in
      // An entry that was planned again meanwhile has its time.
      for (entry, due) in stale where try ledger.entry(entry.number) == entry {
        try Recurrence.addMissed(
          of: entry, to: ledger, from: entry.due, to: due, isLastMissed: false, in: calendar, at: reading)
        try ledger.move(entry, toDue: due, offset: offset(of: entry, at: due.wall), at: reading)
      }
    }
    return true
  }

  func miss(
    _ entry: LedgerEntry, because reason: NotificationReason, in ledger: Ledger, at reading: ClockReading
  ) throws(StoreError) {
    try ledger.miss(entry, at: reading.wall, reason: reason)
    try planNext(of: entry, in: ledger, at: reading)
  }

  func planNext(of entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading) throws(StoreError) {
    guard !entry.isOccurrence, let recurrence = recurrence(of: entry) else { return }
    let next = recurrence.next(after: entry.due, at: reading)
    try ledger.planNext(
      of: entry, due: next, offset: next.flatMap { offset(of: entry, at: $0.wall) }, at: reading)
    if next == nil, case .matching(let pattern) = entry.request.trigger.rule,
      let obstacle = calendar?.obstacle(to: pattern)
    {
      try ledger.cancelNext(of: entry, at: reading, reason: obstacle)
    }
  }

  /// Updates the entries that follow the wall clock, and those whose next time the calendar decides.
  ///
  /// An entry that is due already stays due: it is shown late, or missed. But if the clock was only set past its time,
  /// and that occurrence was decided before the clock was set back, the entry moves to the next one.
  func followWallClock(in ledger: Ledger, at reading: ClockReading) throws(StoreError) {
    var nexts: [NotificationTrigger: [Moment: ClockReading?]] = [:]
    for entry in try ledger.followingCalendar(at: reading) {
      if entry.due.wall <= reading.wall {
        guard entry.due.boot > reading.boot, try wasDecided(entry, in: ledger, at: reading) else { continue }
      }
      let start = Courier.start(of: entry, at: reading)
      let trigger = entry.request.trigger
      let next =
        nexts[trigger]?[start] ?? recurrence(of: entry)?.next(after: reading.at(start), at: reading)
      nexts[trigger, default: [:]][start] = next
      guard let next else { continue }
      if next.wall != entry.due.wall {
        if case .each(1...) = entry.request.missed, let jumped = jumped(by: entry, to: next, at: reading) {
          try ledger.addMissed([jumped], of: entry, at: reading, offset: { offset(of: entry, at: $0) }) { _ in
            .zoneChanged
          }
        }
        try ledger.move(entry, toDue: next, offset: offset(of: entry, at: next.wall), at: reading)
      }
      // The last occurrence comes again, but not in this time zone.
      if let previous = entry.previous, start < previous, previous < next.wall {
        try ledger.forgetPrevious(of: entry)
      }
    }
    try ledger.followWallClock(at: reading)
    try ledger.recordWallClock(at: reading)
  }

  /// Returns the occurrence with the same local time in the time zone that has just been set, if that has passed there.
  ///
  /// - Parameter next: its next occurrence in the time zone.
  private func jumped(
    by entry: LedgerEntry, to next: ClockReading, at reading: ClockReading
  ) -> ClockReading? {
    guard case .matching(let pattern) = entry.request.trigger.rule, let offset = entry.offset,
      next.wall > entry.due.wall,
      let there = calendar?.moment(
        withLocalTimeOf: entry.due.wall, offset: offset, in: pattern),
      there <= reading.wall
    else { return nil }
    return reading.at(there)
  }

  /// Whether the last occurrence until a reading has an entry of its own, from before the clock was set back.
  private func wasDecided(
    _ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
  ) throws(StoreError) -> Bool {
    let last = lastDue(of: entry, at: reading).wall
    if entry.previous == last { return true }
    return try ledger.hasOccurrence(of: entry.request.identifier, at: last)
  }

  /// Corrects the entries that would come later than after their interval.
  ///
  /// The clock was set while the machine was off, or before that without a program.
  func limitIntervals(in ledger: Ledger, at reading: ClockReading) throws(StoreError) {
    for entry in try ledger.followingBootClock(at: reading) {
      switch entry.request.trigger.rule {
      case .every(let time), .after(let time):
        guard entry.due.boot > reading.boot + time else { continue }
        try ledger.move(entry, toDue: reading.advanced(by: time), offset: entry.offset, at: reading)
      case .immediately, .at, .matching, .reading: continue
      }
    }
  }

  /// The moment after which the next occurrence comes.
  ///
  /// An occurrence isn't repeated if the clock was set back by less than three hours. If it was set back further, the
  /// occurrence is planned again, and stays planned when the clock is set once more. Source: cron(8) of Debian,
  /// "Daylight Saving Time and other time changes".
  private static func start(of entry: LedgerEntry, at reading: ClockReading) -> Moment {
    guard let previous = entry.previous, previous > reading.wall, entry.due.wall > previous else {
      return reading.wall
    }
    // The entry has both clocks as they were before. After a reboot only the time until the occurrence is known.
    let setBack = entry.due.wall.duration(since: reading.wall) - (entry.due.boot - reading.boot)
    guard max(setBack, previous.duration(since: reading.wall)) < .seconds(3 * 3600) else {
      return reading.wall
    }
    return previous
  }
}
