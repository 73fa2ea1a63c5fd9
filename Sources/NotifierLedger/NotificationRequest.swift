package import SequencePlatform

/// A notification to show when its trigger says.
public struct NotificationRequest: Hashable, Sendable, Codable, Identifiable {
  /// Its identifier; a request with the same identifier replaces a pending one.
  public var identifier: NotificationIdentifier
  /// Its place on screen: of the notifications of a tag, at most one is shown, the newest; `nil` for a place of its
  /// own.
  public var tag: String?
  /// The line that is shown large, as plain text.
  public var summary: String
  /// The text below, as plain text; may be empty.
  public var body: String
  /// The buttons, for servers that support them.
  public var actions: [NotificationAction]
  /// Data of the application for its response handler; not interpreted.
  public var userInfo: [String: String]
  /// When it is shown.
  public var trigger: NotificationTrigger
  /// How it looks and sounds.
  public var style: NotificationStyle
  /// How late it may be shown, or else it is missed; `nil` for the limit of the scheduler.
  public var latestDelivery: Duration?
  /// How occurrences that passed without being shown are recorded.
  public var missed: MissedOccurrences
  /// Its kind, for which the application has a style; `nil` for its own style.
  ///
  /// With a kind, only the picture of its own style is used.
  package var kind: String?
  package var context: String?

  /// Creates a request with all its properties.
  ///
  /// - Parameters:
  ///   - identifier: its identifier; a pending request with the same identifier is replaced.
  ///   - summary: the title line.
  ///   - body: the text below the title.
  ///   - actions: the buttons.
  ///   - style: how it looks and sounds.
  ///   - trigger: when it is shown.
  ///   - tag: its place on screen, shared with the requests that it replaces; `nil` for a place of its own.
  ///   - userInfo: data that is returned with a response.
  ///   - latestDelivery: how late it may be shown; `nil` for the limit of the scheduler.
  ///   - missed: how occurrences that passed without being shown are recorded.
  public init(
    _ identifier: NotificationIdentifier, _ summary: String, _ body: String = "",
    actions: [NotificationAction] = [], style: NotificationStyle = NotificationStyle(),
    trigger: NotificationTrigger = .immediately, tag: String? = nil, userInfo: [String: String] = [:],
    latestDelivery: Duration? = nil, missed: MissedOccurrences = .last
  ) {
    self.identifier = identifier
    self.tag = tag
    self.summary = summary
    self.body = body
    self.actions = actions
    self.userInfo = userInfo
    self.trigger = trigger
    self.style = style
    self.latestDelivery = latestDelivery
    self.missed = missed
  }

  /// Its identifier.
  public var id: NotificationIdentifier { identifier }

  /// Its place on screen: its tag, or a place of its own, whose name is that of no tag.
  ///
  /// A place of its own is its identifier after one dot. A tag that begins with a dot gets another dot before it.
  package var place: String {
    guard let tag else { return "." + identifier.rawValue }
    return tag.utf8.first == UInt8(ascii: ".") ? "." + tag : tag
  }

  /// The tag of a stored place; `nil` for a place of its own.
  static func tag(ofPlace place: String) -> String? {
    guard place.utf8.first == UInt8(ascii: ".") else { return place }
    let rest = place.unicodeScalars.dropFirst()
    return rest.first == "." ? String(rest) : nil
  }

  // Stored responses have these keys, too.
  private enum CodingKeys: String, CodingKey {
    case identifier, tag, summary, body, actions, userInfo, trigger, style, latestDelivery, missed
  }
}

extension NotificationRequest {
  package init(
    identifier: NotificationIdentifier, tag: String? = nil, kind: String? = nil,
    summary: String, body: String = "", image: String? = nil, actions: [NotificationAction] = [],
    context: String? = nil, due: ClockReading
  ) {
    self.init(
      identifier, summary, body, actions: actions, style: NotificationStyle(image: image),
      trigger: NotificationTrigger(.reading(due)), tag: tag)
    self.kind = kind
    self.context = context
  }

  package var due: ClockReading? {
    if case .reading(let due) = trigger.rule { due } else { nil }
  }
}

/// The record of occurrences of a repeating notification that passed without being shown, because there was no program or
/// no server, or because the time zone was changed.
@nonexhaustive
public enum MissedOccurrences: Hashable, Sendable, Codable {
  /// The last one is shown late or missed, and earlier ones leave no entry.
  case last
  /// Each has an entry: the last one is shown late or missed, and earlier ones are missed. Of these, a number have entries,
  /// the newest ones.
  case each(atMost: Int)
}

/// A button of a notification.
public struct NotificationAction: Hashable, Sendable, Codable {
  /// Names it in a response; `default` is the key of ``click``, which is not a button.
  public let key: String
  /// The label; may be empty only for ``click``.
  public let title: String

  /// A button.
  ///
  /// - Parameters:
  ///   - key: names it in a response; different for each action of a request, and not empty.
  ///   - title: the label; not empty.
  public init(key: String, title: String) {
    self.key = key
    self.title = title
  }

  /// A click on the notification itself.
  ///
  /// A server that shows it as a button labels it "Open".
  public static let click = NotificationAction(key: "default", title: "")
}

package struct ScheduledRequest: Hashable, Sendable {
  package let request: NotificationRequest
  /// The reading at its due time, if no clock is set until then.
  package let due: ClockReading
  /// When the occurrence before was due, by the wall clock; `nil` if this is the first one.
  package let previous: Moment?
  /// The date for which a snoozed notification was meant; `nil` for its due time.
  package let snoozed: Moment?
  /// The local time minus UTC at the due time, in seconds; `nil` if no calendar has found it.
  package let offset: Int?

  package init(
    _ request: NotificationRequest, due: ClockReading, previous: Moment? = nil, snoozed: Moment? = nil,
    offset: Int? = nil
  ) {
    self.request = request
    self.due = due
    self.previous = previous
    self.snoozed = snoozed
    self.offset = offset
  }
}
