package import NotifierDelivery
package import NotifierLedger
package import SequencePlatform

/// The decisions of a scheduler about the notifications of its application.
package struct ScheduledNotifications: NotificationApplication, Sendable {
  package let latestDelivery: Duration
  let willPresent: @Sendable (LedgerEntry, Duration) -> NotificationPresentation
  let responses: ResponseReaders
  package let calendar: (any PatternCalendar)?

  package init(
    latestDelivery: Duration,
    willPresent: @escaping @Sendable (LedgerEntry, Duration) -> NotificationPresentation,
    responses: ResponseReaders, calendar: LocalCalendar
  ) {
    self.latestDelivery = latestDelivery
    self.willPresent = willPresent
    self.responses = responses
    self.calendar = calendar
  }

  package func hasNothingToWaitFor() -> Bool { true }

  package func presentation(
    of entry: LedgerEntry, lateness: Duration, at reading: ClockReading
  ) -> Presentation {
    switch willPresent(entry, lateness) {
    case .show: return .show(entry.request)
    case .suppress(let reason): return .suppress(.suppressed(reason))
    case .change(let other):
      var request = entry.request
      (request.summary, request.body, request.style) = (other.summary, other.body, other.style)
      let keys = Set(request.actions.map(\.key))
      request.actions = other.actions.filter { keys.contains($0.key) }
      return .show(request)
    }
  }

  /// A notification is news until the user dismisses it or the application removes it.
  package func isStillNews(_ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading) -> Bool { true }

  /// The application receives the response and acts on it.
  package func respond(
    to action: NotificationAction, of entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
  ) -> NotificationReason { .pressed(action.title) }

  package var readsResponses: Bool { true }

  package func receive(_ response: NotificationResponse) { responses.put(response) }
}
