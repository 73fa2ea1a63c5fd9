package import NotificationLedger
package import Platform
package import Store

/// What a courier leaves to the application whose notifications it shows.
package protocol NotificationApplication {
  /// How late a notification may be shown; one that is later would only startle.
  var latestDelivery: Duration { get }

  /// Whether a notification is shown however late, because it stays true until the user acts.
  func isShownHoweverLate(_ entry: LedgerEntry) -> Bool

  /// Brings what the application keeps beside the ledger up to date, at the beginning of a turn.
  ///
  /// - Returns: the moment of that, which is the moment of the whole turn; `nil` if nothing depends on it.
  func settle() throws -> ClockReading?

  /// Whether the application waits for nothing but its notifications; within a transaction or outside of one.
  func isAtRest() throws(StoreError) -> Bool

  /// Why a notification whose time has come is not shown; `nil` if it is.
  func reasonToSuppress(_ entry: LedgerEntry) throws -> NotificationReason?

  /// Returns the text of a notification that stands for several notifications that became due during one suspend; `nil`
  /// to keep its own text.
  ///
  /// - Parameters:
  ///   - missed: how many notifications became due, this one included.
  ///   - ledger: the ledger in the transaction that decides; the run is read there too.
  func words(
    for entry: LedgerEntry, after missed: Int, in ledger: Ledger, at reading: ClockReading
  ) throws(StoreError) -> (summary: String, body: String)?

  /// Whether a notification still applies, so that another server should show it again.
  ///
  /// - Parameter ledger: the ledger in the transaction that decides; the run is read there too.
  func isStillNews(
    _ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
  ) throws(StoreError) -> Bool

  /// How notifications of a kind look and sound.
  func style(of kind: NotificationKind) -> NotificationStyle

  /// Does what a button of a notification asks for, if it still can; asked twice, it does it once.
  ///
  /// - Returns: what to keep of it in the ledger.
  func respond(to action: NotificationAction, of entry: LedgerEntry) throws -> NotificationReason

  /// Hears what the user did with a notification, once that is recorded.
  func note(_ choice: NotificationResponse.Choice, of entry: LedgerEntry)
}

/// Whether a notification whose time has come is shown.
public enum NotificationPresentation: Hashable, Sendable {
  /// It is shown.
  case show
  /// It is not, for a reason that the ledger keeps.
  case suppress(reason: String)
}
