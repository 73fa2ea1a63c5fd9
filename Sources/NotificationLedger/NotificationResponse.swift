/// A user's response to a notification.
public struct NotificationResponse: Hashable, Sendable, Codable {
  /// The request of the notification.
  public let request: NotificationRequest
  /// The choice of the user.
  public let choice: Choice

  /// What lets a window of the application come to the front: a token of Wayland's xdg-activation, or a startup id of
  /// X11; `nil` if the server gave none.
  ///
  /// Set it as `XDG_ACTIVATION_TOKEN` for a program that you start, or pass it to the toolkit, before it presents a
  /// window.
  public let activationToken: String?

  /// A response, such as a test makes.
  public init(request: NotificationRequest, choice: Choice, activationToken: String? = nil) {
    self.request = request
    self.choice = choice
    self.activationToken = activationToken
  }

  /// A reaction of the user to a notification.
  public enum Choice: Hashable, Sendable, Codable {
    /// Pressed the button of this key, or clicked on the notification if the key is `default`.
    case action(key: String)
    /// Closed it. Expiry and removal are not dismissals.
    case dismissed
  }
}

extension NotificationResponse.Choice {
  private static let actionPrefix = "action "

  /// The stored form: `dismissed`, or `action` and the key.
  var stored: String {
    switch self {
    case .action(let key): Self.actionPrefix + key
    case .dismissed: "dismissed"
    }
  }

  /// Reads the stored form; `nil` if the text is neither.
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
