package import NotifierDelivery
package import NotifierLedger
package import SequencePlatform

/// The decisions of a scheduler about the notifications of its application.
package struct ScheduledNotifications: NotificationApplication, Sendable {
  package let latestDelivery: Duration
  let willPresent: @Sendable (NotificationRequest) -> NotificationPresentation
  let responses: ResponseReaders
  package let calendar: (any PatternCalendar)?

  package init(
    latestDelivery: Duration,
    willPresent: @escaping @Sendable (NotificationRequest) -> NotificationPresentation,
    responses: ResponseReaders, calendar: LocalCalendar
  ) {
    self.latestDelivery = latestDelivery
    self.willPresent = willPresent
    self.responses = responses
    self.calendar = calendar
  }

  /// A scheduler has no other data.
  package func beginTurn() -> ClockReading? { nil }

  package func hasNothingToWaitFor() -> Bool { true }

  package func reasonToSuppress(_ entry: LedgerEntry) -> NotificationReason? {
    switch willPresent(entry.request) {
    case .show: nil
    case .suppress(let reason): .suppressed(reason)
    }
  }

  /// A notification is news until the user dismisses it or the application removes it.
  package func isStillNews(_ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading) -> Bool { true }

  /// The application receives the response and acts on it.
  package func respond(to action: NotificationAction, of entry: LedgerEntry) -> NotificationReason {
    .pressed(action.title)
  }

  package var readsResponses: Bool { true }

  package func receive(_ response: NotificationResponse) { responses.put(response) }
}
