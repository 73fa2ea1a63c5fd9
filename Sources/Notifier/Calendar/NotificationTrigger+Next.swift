public import FoundationEssentials
public import NotifierLedger
import SequencePlatform
import SequenceStore

extension NotificationTrigger {
  /// Returns the first time of a request that is added at a date, or the next time after one of a repeating trigger.
  ///
  /// - Returns: `nil` if there is none: the date is past, or the components don't match any more.
  public func next(after date: Date) -> Date? {
    switch rule {
    case .immediately: date
    case .after(let time), .every(let time): date.addingTimeInterval(time.seconds)
    case .at(let moment): moment.date > date ? moment.date : nil
    case .matching(let pattern): LocalCalendar().date(matching: pattern, after: date)
    case .reading(let due): due.wall.date > date ? due.wall.date : nil
    }
  }
}
