public import FoundationEssentials
public import NotifierDelivery
public import NotifierLedger
import SequencePlatform
import SequenceStore

/// A notification that a test desktop shows, or has shown.
public struct VisibleNotification: Hashable, Sendable {
  /// The identifier of its request.
  public let identifier: NotificationIdentifier
  /// The line that is shown large.
  public let summary: String
  /// The text below.
  public let body: String
  /// The buttons; none if the desktop doesn't have the capability `actions`.
  public let actions: [NotificationAction]
  /// How it looks and sounds.
  public let style: NotificationStyle
  /// Whether it makes no sound, because it was on the screen before.
  public let isSilent: Bool
  /// The application that shows it.
  public let application: NotifyingApplication
  /// When it was shown, by the wall clock.
  public let shownAt: Date

  init(
    _ content: NotificationContent, for entry: Int64, by application: NotifyingApplication,
    isWithButtons: Bool, at reading: ClockReading
  ) {
    // A notification without an identifier is none of a scheduler.
    identifier = content.identifier ?? NotificationIdentifier("\(entry)")
    summary = content.summary
    body = content.body
    actions = isWithButtons ? content.actions : []
    style = content.style
    isSilent = content.isSilent
    self.application = application
    shownAt = reading.wall.date
  }
}
