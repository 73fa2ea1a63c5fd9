package import NotifierLedger
package import SequencePlatform
package import SequenceStore

/// The decisions that a courier leaves to the application.
package protocol NotificationApplication {
  /// How late a notification without a limit of its own may be shown; a later one is missed, unless it is still true.
  var latestDelivery: Duration { get }

  /// Whether a notification that is later than its limit is shown all the same, because it is still true.
  ///
  /// - Parameter ledger: the ledger in the transaction that decides.
  func isShownLate(
    _ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
  ) throws(StoreError) -> Bool

  /// What plans notifications as time passes; `nil` if all of them have entries.
  var planner: (any NotificationPlanner)? { get }

  /// The calendar of patterns; `nil` if nothing repeats by one.
  var calendar: (any PatternCalendar)? { get }

  /// Whether the application waits for nothing but its notifications; within a transaction or outside of one.
  func hasNothingToWaitFor() throws(StoreError) -> Bool

  /// The presentation of a notification whose time has come.
  ///
  /// - Parameters:
  ///   - lateness: how long ago it was due; zero before its time, and if it is shown again.
  ///   - reading: the reading of the turn.
  func presentation(
    of entry: LedgerEntry, lateness: Duration, at reading: ClockReading
  ) throws -> Presentation

  /// Whether a notification is counted for the text of a newer one that is shown in its place.
  func isCounted(_ entry: LedgerEntry) -> Bool

  /// Returns the text of a notification that is late, stands for others, or is shown again.
  ///
  /// - Parameters:
  ///   - entry: the notification that is shown.
  ///   - text: its own text.
  ///   - earlier: how many earlier ones that are counted it stands for.
  ///   - isLate: whether it is later than its limit.
  func lateText(
    for entry: LedgerEntry, text: (summary: String, body: String), after earlier: Int, isLate: Bool,
    at reading: ClockReading
  ) -> (summary: String, body: String)

  /// Whether a notification still applies, so that another server should show it again.
  ///
  /// - Parameter ledger: the ledger in the transaction that decides; the application reads its own data there, too.
  func isStillNews(
    _ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
  ) throws(StoreError) -> Bool

  /// How notifications of a kind look and sound.
  func style(of kind: NotificationKind) -> NotificationStyle

  /// Performs the action of a button if it is still possible.
  ///
  /// - Parameters:
  ///   - ledger: the ledger in the transaction that records the response, so that the action is performed once.
  ///   - reading: the reading in that transaction.
  /// - Returns: the reason to keep in the ledger.
  func respond(
    to action: NotificationAction, of entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
  ) throws(StoreError) -> NotificationReason

  /// Records that the user closed a notification without pressing a button; not that it expired or was removed.
  ///
  /// - Parameter ledger: the ledger in the transaction that records it.
  func wasDismissed(_ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading) throws(StoreError)

  /// Whether the user's responses are recorded and noted.
  var readsResponses: Bool { get }

  /// Receives the user's response, after it was recorded.
  func receive(_ response: NotificationResponse)
}

extension NotificationApplication {
  /// How late a notification may be shown; a later one is missed.
  func latestDelivery(of entry: LedgerEntry) -> Duration { entry.request.latestDelivery ?? latestDelivery }

  /// Returns the style of a notification: that of its kind with its own picture, or its own style without a kind.
  package func style(of request: NotificationRequest) -> NotificationStyle {
    guard let kind = request.kind else { return request.style }
    var style = style(of: kind)
    style.image = request.style.image ?? style.image
    return style
  }
}

/// An application whose notifications all have entries, texts and styles of their own, and don't repeat by the
/// calendar.
extension NotificationApplication {
  package var planner: (any NotificationPlanner)? { nil }
  package var calendar: (any PatternCalendar)? { nil }
  package func style(of kind: NotificationKind) -> NotificationStyle { NotificationStyle() }
  package func isShownLate(_ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading) -> Bool {
    false
  }
  package func isCounted(_ entry: LedgerEntry) -> Bool { false }
  package func wasDismissed(_ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading) {}
  package func lateText(
    for entry: LedgerEntry, text: (summary: String, body: String), after earlier: Int, isLate: Bool,
    at reading: ClockReading
  ) -> (summary: String, body: String) { text }
}

/// Plans notifications as time passes.
package protocol NotificationPlanner {
  /// When to plan more notifications, on the boot clock; `nil` if all of them have entries.
  func nextPlanning(at reading: ClockReading) throws(StoreError) -> Duration?

  /// Adds notifications to the ledger if few of the planned ones are left.
  ///
  /// - Parameter ledger: the ledger in a transaction.
  func planMore(in ledger: Ledger, at reading: ClockReading) throws(StoreError)
}

/// A calendar that finds the moments of patterns.
package protocol PatternCalendar: Sendable {
  /// Returns the first moment after `moment` that matches a pattern; `nil` if there is none.
  func moment(matching pattern: CalendarPattern, after moment: Moment) -> Moment?

  /// Returns the local time minus UTC at a moment, in seconds, in the time zone of a pattern; `nil` if that is unknown.
  func offset(of pattern: CalendarPattern, at moment: Moment) -> Int?

  /// Returns the moment with the same local time in the time zone of a pattern, as a moment had with another offset.
  ///
  /// - Parameter offset: the local time minus UTC, in seconds.
  func moment(withLocalTimeOf moment: Moment, offset: Int, in pattern: CalendarPattern) -> Moment?

  /// Returns why no moments of a pattern can be found; `nil` if they can, or all have passed.
  func obstacle(to pattern: CalendarPattern) -> NotificationReason?
}

/// The presentation of a notification whose time has come.
package enum Presentation {
  /// Its own request, or one with another text or style and the same action keys.
  case show(NotificationRequest)
  /// Nothing, for a reason.
  case suppress(NotificationReason)
}

/// Whether a notification whose time has come is shown.
public enum NotificationPresentation: Hashable, Sendable {
  /// It is shown.
  case show
  /// It is shown with the summary, the body, the style and the titles of the buttons of another request.
  ///
  /// Buttons with keys that its own request doesn't have are left out.
  case change(NotificationRequest)
  /// It is not, for a reason that the ledger keeps.
  case suppress(reason: String)
}
