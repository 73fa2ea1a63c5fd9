package import NotifierLedger
package import SequencePlatform
package import SequenceStore

extension PatternCalendar {
  /// Returns the local time minus UTC at a moment, in seconds; `nil` for a trigger without a calendar.
  package func offset(of trigger: NotificationTrigger, at moment: Moment) -> Int? {
    guard case .matching(let pattern) = trigger.rule else { return nil }
    return offset(of: pattern, at: moment)
  }
}

extension Ledger {
  /// Adds the entries of occurrences that passed without being shown, if the request wants them.
  ///
  /// The first one keeps the local time for which it was planned. In a time zone that was set meanwhile, that local time
  /// may have come once more, which is no other occurrence.
  ///
  /// - Parameters:
  ///   - entry: the entry of the first one, which is pending.
  ///   - first: its due time in the boot of the reading.
  ///   - last: the last one that has passed.
  ///   - isLastMissed: whether the last one is missed, too.
  package func addMissed(
    of entry: LedgerEntry, from first: ClockReading, to last: ClockReading, isLastMissed: Bool,
    in calendar: (any PatternCalendar)?, at reading: ClockReading
  ) throws(StoreError) {
    let trigger = entry.request.trigger
    guard case .each(let most) = entry.request.missed, let recurrence = Recurrence(of: trigger, in: calendar)
    else { return }
    func offset(_ moment: Moment) -> Int? {
      moment == first.wall ? entry.offset : calendar?.offset(of: trigger, at: moment)
    }
    func hasLocalTimeOfFirst(_ due: ClockReading) -> Bool {
      guard due.wall != first.wall, let former = entry.offset, let offset = offset(due.wall) else {
        return false
      }
      return due.wall.advanced(by: .seconds(offset)) == first.wall.advanced(by: .seconds(former))
    }
    let earlier = recurrence.between(first, last, atMost: most).filter { due in
      due.wall == first.wall ? !hasLocalTimeOfFirst(last) : !hasLocalTimeOfFirst(due)
    }
    try addMissed(earlier + (isLastMissed ? [last] : []), of: entry, at: reading, offset: offset) {
      .late(reading.elapsed(since: $0), because: entry.reason)
    }
  }
}
