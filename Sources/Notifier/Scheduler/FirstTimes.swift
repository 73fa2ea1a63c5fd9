import NotifierDelivery
package import NotifierLedger
package import SequencePlatform
import SequenceStore

/// The first times of requests that are added at one reading.
package struct FirstTimes {
  private let reading: ClockReading
  private let calendar: LocalCalendar

  package init(at reading: ClockReading, _ calendar: LocalCalendar) {
    self.reading = reading
    self.calendar = calendar
  }

  /// - Throws: `RequestError.unusableTrigger` if it is never due, or again at once; `RequestError.unknownTimeZone`.
  package func due(_ request: NotificationRequest) throws(RequestError) -> ClockReading {
    if let due = usableDue(of: request.trigger) { return due }
    if case .matching(let pattern) = request.trigger.rule, let zone = calendar.unknownZone(of: pattern) {
      throw .unknownTimeZone(zone, identifier: request.identifier)
    }
    throw .unusableTrigger(request.trigger, identifier: request.identifier)
  }

  private func usableDue(of trigger: NotificationTrigger) -> ClockReading? {
    guard !trigger.repeatsAtOnce, !trigger.isTooLong else { return nil }
    return switch trigger.rule {
    case .matching(let pattern): calendar.moment(matching: pattern, after: reading.wall).map(reading.at)
    case .immediately, .after, .every, .at, .reading: trigger.due(addedAt: reading)
    }
  }
}
