public import FoundationEssentials
package import SequencePlatform
import SequenceStore

/// A user's response to a notification.
public struct NotificationResponse: Hashable, Sendable, Codable {
  /// The request of the notification.
  public let request: NotificationRequest
  /// The entry of the notification.
  public let entry: LedgerEntry.ID
  /// The date for which the notification was meant, as its entry has it.
  public var occurrence: Date { meant.date }
  package let meant: Moment
  /// The choice of the user.
  public let choice: Choice

  /// What lets a window of the application come to the front: a token of Wayland's xdg-activation, or a startup id of
  /// X11; `nil` if the server gave none.
  ///
  /// Set it as `XDG_ACTIVATION_TOKEN` for a program that you start, or pass it to the toolkit, before it presents a
  /// window.
  public let activationToken: String?

  /// When the user responded, by the wall clock.
  public var respondedAt: Date { responded.date }
  package let responded: Moment
  /// Its position among the responses in its store.
  public let position: ResponsePosition

  /// Creates a response like those of a scheduler, for tests and previews.
  ///
  /// - Parameters:
  ///   - entry: the entry of the notification, such as one of a store.
  ///   - choice: the choice of the user.
  ///   - activationToken: what lets a window come to the front.
  ///   - respondedAt: when the user responded, by the wall clock.
  ///   - position: its position among the responses.
  public init(
    to entry: LedgerEntry, choice: Choice, activationToken: String? = nil, respondedAt: Date,
    position: ResponsePosition = .beginning
  ) {
    self.init(
      request: entry.request, entry: entry.id, meant: entry.meant, choice: choice,
      activationToken: activationToken, responded: Moment(respondedAt), position: position)
  }

  package init(
    request: NotificationRequest, entry: LedgerEntry.ID, meant: Moment, choice: Choice,
    activationToken: String?, responded: Moment, position: ResponsePosition
  ) {
    self.request = request
    self.entry = entry
    self.meant = meant
    self.choice = choice
    self.activationToken = activationToken
    self.responded = responded
    self.position = position
  }

  /// A reaction of the user to a notification.
  @nonexhaustive
  public enum Choice: Hashable, Sendable, Codable {
    /// Pressed the button of this key, or clicked on the notification if the key is `default`.
    case action(key: String)
    /// Closed it. Expiry and removal are not dismissals.
    case dismissed
  }
}

/// A position among the responses in a store, up to which a reader has handled them.
public struct ResponsePosition: Hashable, Sendable, Codable, Comparable {
  /// The position before all responses of a store.
  public static let beginning = ResponsePosition(number: 0)

  /// The number of the last response; 0 before the first one.
  package let number: Int64

  package init(number: Int64) { self.number = number }

  /// Whether a position is before another one of the same store.
  public static func < (left: ResponsePosition, right: ResponsePosition) -> Bool {
    left.number < right.number
  }
}

extension NotificationResponse.Choice {
  private static let actionPrefix = "action "

  var stored: String {
    switch self {
    case .action(let key): Self.actionPrefix + key
    case .dismissed: "dismissed"
    }
  }

  init?(stored: String) {
    if stored == Self.dismissed.stored {
      self = .dismissed
    } else if stored.hasPrefix(Self.actionPrefix) {
      self = .action(key: String(stored.dropFirst(Self.actionPrefix.count)))
    } else {
      return nil
    }
  }
}
