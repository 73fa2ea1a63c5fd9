package import NotifierLedger
package import SequencePlatform
package import SequenceStore

package struct Recurrence {
  private let rule: Rule

  private enum Rule {
    case every(nanoseconds: Int64)
    case calendar((Moment) -> Moment?)
  }

  /// `nil` if the trigger doesn't repeat.
  package init?(of trigger: NotificationTrigger, in calendar: (any PatternCalendar)?) {
    switch trigger.rule {
    case .every(let time): rule = .every(nanoseconds: max(1, time.nanoseconds))
    case .matching(let pattern): rule = .calendar { calendar?.moment(matching: pattern, after: $0) }
    case .immediately, .after, .at, .reading: return nil
    }
  }

  /// Returns the first occurrence after a due one, and after a reading; `nil` if there is none.
  ///
  /// - Parameter due: an occurrence, in the boot of the reading.
  package func next(after due: ClockReading, at reading: ClockReading) -> ClockReading? {
    switch rule {
    case .every(let period):
      let last = last(from: due, at: reading)
      return reading.advanced(by: last.boot + .nanoseconds(period) - reading.boot)
    case .calendar(let next): return next(max(due.wall, reading.wall)).map(reading.at)
    }
  }

  /// Returns the last occurrence that is not after a reading, or the due one if that is later.
  ///
  /// - Parameter due: an occurrence, in the boot of the reading.
  package func last(from due: ClockReading, at reading: ClockReading) -> ClockReading {
    switch rule {
    case .every(let period):
      let count = max(0, (reading.boot - due.boot).nanoseconds / period)
      return due.advanced(by: .nanoseconds(period) * count)
    case .calendar(let next):
      return last(from: due.wall, atMost: reading.wall, next).map(reading.at) ?? due
    }
  }

  /// Returns the last occurrences before a later one, earliest first.
  ///
  /// - Parameters:
  ///   - due: the earliest occurrence that counts, in the boot of `last`.
  ///   - last: a later occurrence, which doesn't count.
  ///   - most: how many at most.
  package func between(_ due: ClockReading, _ last: ClockReading, atMost most: Int) -> [ClockReading] {
    guard most > 0 else { return [] }
    switch rule {
    case .every(let period):
      let count = (last.boot - due.boot).nanoseconds / period
      return (max(0, count - Int64(most))..<max(0, count)).map {
        due.advanced(by: .nanoseconds(period) * $0)
      }
    case .calendar(let next):
      var found: [Moment] = []
      for span in Recurrence.spans {
        let start = max(due.wall, last.wall.advanced(by: .zero - span))
        found = start == due.wall ? [due.wall] : []
        var place = start
        while let later = next(place), later < last.wall {
          found.append(later)
          place = later
        }
        if found.count >= most || start == due.wall { break }
      }
      return found.suffix(most).map(last.at)
    }
  }

  /// Returns the last occurrence after `due` and up to `end`; `nil` if there is none.
  ///
  /// It searches ever longer spans before `end`, so a pattern that matches every second costs no more than a yearly
  /// one.
  private func last(from due: Moment, atMost end: Moment, _ next: (Moment) -> Moment?) -> Moment? {
    for span in Recurrence.spans {
      let start = max(due, end.advanced(by: .zero - span))
      guard var last = next(start), last <= end else {
        if start == due { return nil }
        continue
      }
      while let later = next(last), later <= end { last = later }
      return last
    }
    return nil
  }

  /// A minute, an hour, a day, a month, a year, and longer than any calendar waits.
  private static let spans: [Duration] = [60, 3600, 86_400, 32 * 86_400, 366 * 86_400, 100 * 366 * 86_400]
    .map { .seconds($0) }
}

extension Recurrence {
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
  package static func addMissed(
    of entry: LedgerEntry, to ledger: Ledger, from first: ClockReading, to last: ClockReading,
    isLastMissed: Bool,
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
    try ledger.addMissed(earlier + (isLastMissed ? [last] : []), of: entry, at: reading, offset: offset) {
      .late(reading.elapsed(since: $0), because: entry.reason)
    }
  }
}

extension PatternCalendar {
  /// Returns the local time minus UTC at a moment, in seconds; `nil` for a trigger without a calendar.
  package func offset(of trigger: NotificationTrigger, at moment: Moment) -> Int? {
    guard case .matching(let pattern) = trigger.rule else { return nil }
    return offset(of: pattern, at: moment)
  }
}
