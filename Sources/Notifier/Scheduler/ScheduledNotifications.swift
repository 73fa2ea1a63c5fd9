import NotificationDelivery
import NotificationLedger
import Platform

/// The decisions of a scheduler about the notifications of its application.
struct ScheduledNotifications: NotificationApplication, Sendable {
  let latestDelivery: Duration
  let willPresent: @Sendable (NotificationRequest) -> NotificationPresentation
  let responses: ResponseReaders
  let calendar: LocalCalendar

  /// The limit holds for all.
  func isShownHoweverLate(_ entry: LedgerEntry) -> Bool { false }

  /// A scheduler has no other data.
  func settle() -> ClockReading? { nil }

  func moment(matching pattern: CalendarPattern, after moment: Moment) -> Moment? {
    calendar.moment(matching: pattern, after: moment)
  }

  func obstacle(to pattern: CalendarPattern) -> NotificationReason? {
    calendar.unknownZone(of: pattern).map { .unknownTimeZone($0) }
  }

  func isAtRest() -> Bool { true }

  func reasonToSuppress(_ entry: LedgerEntry) -> NotificationReason? {
    switch willPresent(entry.request) {
    case .show: nil
    case .suppress(let reason): .suppressed(reason)
    }
  }

  /// A notification is news until the user dismisses it or the application removes it.
  func isStillNews(_ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading) -> Bool { true }

  /// The application receives the response and acts on it.
  func respond(to action: NotificationAction, of entry: LedgerEntry) -> NotificationReason {
    .pressed(action.title)
  }

  func note(_ choice: NotificationResponse.Choice, of entry: LedgerEntry, token: String?) {
    responses.put(NotificationResponse(request: entry.request, choice: choice, activationToken: token))
  }
}
