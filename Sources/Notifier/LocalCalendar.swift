public import FoundationEssentials
import FoundationInternationalization
import NotifierDelivery
public import NotifierLedger
package import SequencePlatform
import SequenceStore

/// The Gregorian calendar in the time zone of a pattern, or in the current time zone of the system.
package struct LocalCalendar: PatternCalendar, Sendable {
  private let zone: @Sendable () -> String?
  private let namedZone: @Sendable (String) -> TimeZone?

  package init(
    of clock: any ClockSource,
    namedZone: @escaping @Sendable (String) -> TimeZone? = { TimeZone(identifier: $0) }
  ) {
    zone = { clock.timeZone }
    self.namedZone = namedZone
  }

  /// - Parameter zone: the time zone that takes the place of the system's.
  init(in zone: TimeZone?) {
    self.zone = { zone?.identifier ?? SystemTimeZone.identifier() }
    namedZone = { TimeZone(identifier: $0) }
  }

  package func moment(matching pattern: CalendarPattern, after moment: Moment) -> Moment? {
    date(matching: pattern, after: moment.date).map { Moment($0) }
  }

  /// Returns the first date after `date` that matches a pattern; `nil` if there is none.
  ///
  /// - Complexity: O(the count of the pattern) if it has one, else O(1).
  package func date(matching pattern: CalendarPattern, after date: Date) -> Date? {
    guard pattern.isComplete, pattern.impossible == nil, pattern.contradiction == nil,
      let zone = zone(of: pattern)
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    // The first date may match itself.
    let start = pattern.first.map { $0.advanced(by: .microseconds(-1)).date }
    guard let found = calendar.date(matching: pattern, after: max(date, start ?? date)) else { return nil }
    if let last = pattern.last, found > last.date { return nil }
    if let count = pattern.count, var place = start {
      for _ in 0..<count {
        guard let next = calendar.date(matching: pattern, after: place), next < found else { return found }
        place = next
      }
      return nil
    }
    return found
  }

  package func offset(of pattern: CalendarPattern, at moment: Moment) -> Int? {
    zone(of: pattern)?.secondsFromGMT(for: moment.date)
  }

  package func moment(
    withLocalTimeOf moment: Moment, offset: Int, in pattern: CalendarPattern
  ) -> Moment? {
    guard let zone = zone(of: pattern), let former = TimeZone(secondsFromGMT: offset) else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = former
    let components = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: moment.date)
    calendar.timeZone = zone
    return calendar.date(from: components).map { Moment($0) }
  }

  package func obstacle(to pattern: CalendarPattern) -> NotificationReason? {
    unknownZone(of: pattern).map { .unknownTimeZone($0) }
  }

  func unknownZone(of pattern: CalendarPattern) -> String? { zone(of: pattern) == nil ? pattern.zone : nil }

  private func zone(of pattern: CalendarPattern) -> TimeZone? {
    guard let zone = pattern.zone else { return self.zone().flatMap(TimeZone.init(identifier:)) ?? .current }
    return namedZone(zone)
  }
}

extension Calendar {
  fileprivate func date(matching pattern: CalendarPattern, after date: Date) -> Date? {
    guard pattern.weekdays.isEmpty else {
      return pattern.weekdays.compactMap { weekday in
        var components = pattern.components
        components.weekday = weekday
        return self.date(matching: components, after: date)
      }.min()
    }
    var place = date
    // A time zone may leave out a day, as Samoa did in 2011.
    for _ in 0...pattern.days * 2 {
      guard let next = self.date(matching: pattern.components, after: place) else { return nil }
      guard pattern.days > 1, let first = pattern.first else { return next }
      let days = dateComponents([.day], from: startOfDay(for: first.date), to: startOfDay(for: next)).day
      if let days, days % pattern.days == 0 { return next }
      place = next
    }
    return nil
  }

  /// Returns the first date after `date` whose components match; `nil` if there is none.
  ///
  /// Days that don't exist are skipped. A time that is skipped by daylight saving becomes the end of the gap, unless
  /// every hour matches. `Matching.nextTime` does that too, but not for the gap of half an hour on Lord Howe Island,
  /// and it moves days as well. A time that comes twice matches once, wherever the search begins.
  fileprivate func date(matching components: DateComponents, after date: Date) -> Date? {
    let exact = nextDate(
      after: date, matching: components, matchingPolicy: .strict, repeatedTimePolicy: .first)
    guard components.hour != nil || components.minute == nil && components.second == nil else { return exact }
    let end = exact ?? components.year.flatMap { self.date(from: DateComponents(year: $0 + 1)) }
    guard let end else { return nil }
    var place = date
    while let change = timeZone.nextDaylightSavingTimeTransition(after: place), change < end {
      if skips(components, at: change) { return change }
      if let match = match(components, after: change), match < end { return match }
      place = change
    }
    guard let exact, let end = endOfRepetition(at: exact) else { return exact }
    return self.date(matching: components, after: end.addingTimeInterval(-0.001))
  }

  /// The end of the local times that come a second time, if a date is among them; else `nil`.
  private func endOfRepetition(at date: Date) -> Date? {
    let start = date.addingTimeInterval(-Calendar.longestRepetition)
    guard let change = timeZone.nextDaylightSavingTimeTransition(after: start), change <= date else {
      return nil
    }
    let before = timeZone.secondsFromGMT(for: change.addingTimeInterval(-1))
    let end = change.addingTimeInterval(TimeInterval(before - timeZone.secondsFromGMT(for: change)))
    return date < end ? end : nil
  }

  /// Clocks are set back by three hours at most in the time zone database (Antarctica/Casey).
  private static let longestRepetition: TimeInterval = 24 * 3600

  /// Returns a match in the hour after a gap that doesn't end at a whole hour, such as that of Casey in 2020, where
  /// 00:01 was followed by 03:01: `nextDate` overlooks it.
  private func match(_ components: DateComponents, after change: Date) -> Date? {
    let offset = timeZone.secondsFromGMT(for: change)
    guard offset > timeZone.secondsFromGMT(for: change.addingTimeInterval(-1)),
      let zone = TimeZone(secondsFromGMT: offset)
    else { return nil }
    var unchanged = self
    unchanged.timeZone = zone
    let match = unchanged.nextDate(
      after: change.addingTimeInterval(-1), matching: components, matchingPolicy: .strict)
    guard let match, match < change.addingTimeInterval(3600) else { return nil }
    return timeZone.secondsFromGMT(for: match) == offset ? match : nil
  }

  /// Whether local times are skipped at a change of daylight saving, and one of them matches on that day.
  private func skips(_ components: DateComponents, at change: Date) -> Bool {
    let before = timeZone.secondsFromGMT(for: change.addingTimeInterval(-1))
    let gap = TimeInterval(timeZone.secondsFromGMT(for: change) - before)
    guard gap > 0, let zone = TimeZone(secondsFromGMT: before) else { return false }
    // A clock that isn't changed for daylight saving.
    var unchanged = self
    unchanged.timeZone = zone
    let match = unchanged.nextDate(
      after: change.addingTimeInterval(-1), matching: components, matchingPolicy: .strict)
    guard let match, match < change.addingTimeInterval(gap) else { return false }
    return unchanged.component(.day, from: match) == component(.day, from: change)
  }
}

extension NotificationTrigger {
  /// Returns the first time of a request that is added at a date, or the next time after one of a repeating trigger.
  ///
  /// - Parameters:
  ///   - date: the date.
  ///   - zone: the time zone of a trigger that has none; `nil` for that of the system.
  /// - Returns: `nil` if there is none: the date is past, or the components don't match any more.
  /// - Complexity: O(the number of times that the trigger is limited to).
  public func next(after date: Date, in zone: TimeZone? = nil) -> Date? {
    switch rule {
    case .immediately: date
    case .after(let time), .every(let time): date.addingTimeInterval(time.seconds)
    case .at(let moment): moment.date > date ? moment.date : nil
    case .matching(let pattern): LocalCalendar(in: zone).date(matching: pattern, after: date)
    case .reading(let due): due.wall.date > date ? due.wall.date : nil
    }
  }

  /// Returns the dates in a range, earliest first, of a request that is added before it.
  ///
  /// - Parameters:
  ///   - range: the range. A trigger that counts from when it is added, such as `every(_:)`, counts from its beginning.
  ///   - zone: the time zone of a trigger that has none; `nil` for that of the system.
  /// - Complexity: O(dates · the number of times that the trigger is limited to).
  public func occurrences(in range: Range<Date>, in zone: TimeZone? = nil) -> [Date] {
    var dates: [Date] = []
    // The beginning of the range may be one of them; the store counts microseconds.
    var place =
      if case .matching = rule { range.lowerBound.addingTimeInterval(-1e-6) } else { range.lowerBound }
    while let next = next(after: place, in: zone), next < range.upperBound, dates.isEmpty || next > place {
      if next >= range.lowerBound { dates.append(next) }
      guard repeats else { break }
      place = next
    }
    return dates
  }
}
