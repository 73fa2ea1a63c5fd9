public import FoundationEssentials
public import NotifierLedger
import SequencePlatform
import SequenceStore

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
