package import NotifierDelivery
package import NotifierLedger
package import SequencePlatform

/// The decisions of a scheduler about the notifications of its application.
package struct ScheduledNotifications: DeliveryDelegate, NotificationPresenter, NotificationResponder,
  Sendable
{
  private let clock: any ClockSource
  private let willPresent: @Sendable (LedgerEntry, Duration) -> NotificationPresentation
  private let responses: ResponseReaders

  package init(
    clock: any ClockSource,
    willPresent: @escaping @Sendable (LedgerEntry, Duration) -> NotificationPresentation = { _, _ in .show },
    responses: ResponseReaders = ResponseReaders()
  ) {
    self.clock = clock
    self.willPresent = willPresent
    self.responses = responses
  }

  package func beginTurn() -> Turn { Turn(reading: clock.now(), presenter: self) }

  package func presentation(of entry: LedgerEntry, lateness: Duration) -> Presentation {
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
  package func isStillNews(_ entry: LedgerEntry) -> Bool { true }

  /// The application receives the response and acts on it.
  package func respond(
    to action: NotificationAction, of entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
  ) -> NotificationReason { .pressed(action.title) }

  package func wasDismissed(_ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading) {}

  package var readsResponses: Bool { true }

  package func receive(_ response: NotificationResponse) { responses.put(response) }
}
