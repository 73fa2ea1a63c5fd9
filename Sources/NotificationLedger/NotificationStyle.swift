/// The look and the sound of notifications of a type, as far as the server supports it.
///
/// Source: Desktop Notifications Specification 1.2, "Categories", "Urgency Levels" and "Hints".
public struct NotificationStyle: Hashable, Sendable {
  /// How much it matters.
  public var urgency: Urgency
  /// What class it belongs to, as in `x-vendor.class`; `nil` for none.
  public var category: String?
  /// The name of a sound in the sound theme, as in `complete`; `nil` for none.
  public var sound: String?
  /// The name of an icon in the icon theme, or the path of one; empty for none, `nil` for the application's own.
  public var icon: String?

  /// How much a notification matters.
  public enum Urgency: String, Hashable, Sendable, CaseIterable {
    /// Servers may show it for a shorter time, or less prominently.
    case low
    /// As most are.
    case normal
    /// Servers show it until the user closes it, even during Do Not Disturb.
    case critical
  }

  /// A style with all its properties.
  public init(urgency: Urgency = .normal, category: String? = nil, sound: String? = nil, icon: String? = nil)
  {
    self.urgency = urgency
    self.category = category
    self.sound = sound
    self.icon = icon
  }
}

extension NotificationStyle {
  /// How Sequence's notifications look and sound unless the configuration says otherwise.
  package static let ofSequence: [NotificationKind: NotificationStyle] = [
    .stepEnd: NotificationStyle(category: "x-sequence.step", sound: "message-new-instant"),
    .overtime: NotificationStyle(category: "x-sequence.step", sound: "alarm-clock-elapsed"),
    .goal: NotificationStyle(category: "x-sequence.reminder", sound: "bell"),
    .reminder: NotificationStyle(category: "x-sequence.reminder", sound: "bell"),
    .runEnd: NotificationStyle(category: "x-sequence.run", sound: "complete"),
    .pause: NotificationStyle(category: "x-sequence.run"),
    // It has to be there still when the user has unlocked the screen.
    .return: NotificationStyle(urgency: .critical, category: "x-sequence.run"),
  ]
}
