public import Platform

/// A notification that is to be shown at a moment.
public struct NotificationRequest: Hashable, Sendable {
  /// Names it; a request for the same name replaces one that is still to come.
  public let identifier: NotificationIdentifier
  /// Its place on screen: of the notifications of a tag, at most one is shown, the newest.
  public let tag: String
  /// What it is about, which decides how it looks and sounds.
  public let kind: NotificationKind
  /// The line that is shown large.
  public let summary: String
  /// The text below; may be empty.
  public let body: String
  /// The buttons below it, where the server has them.
  public let actions: [NotificationAction]
  /// What the application needs in order to act on a response; nobody else looks at it.
  public let userInfo: String?
  /// What the clocks will say when it is due, if nobody sets them.
  public let due: ClockReading
  /// Whether it is due when the wall clock says so, though somebody set it meanwhile; otherwise nobody can move it.
  public let followsWallClock: Bool

  /// A request with all its properties.
  ///
  /// - Parameters:
  ///   - identifier: names it; one that is still to come under the same name is replaced.
  ///   - tag: its place on screen; `nil` for one of its own.
  ///   - kind: what it is about.
  ///   - summary: the line that is shown large.
  ///   - body: the text below.
  ///   - actions: the buttons.
  ///   - userInfo: what comes back with a response.
  ///   - due: when it is to be shown.
  ///   - followsWallClock: whether it is meant by the wall clock.
  public init(
    identifier: NotificationIdentifier, tag: String? = nil, kind: NotificationKind = .message,
    summary: String, body: String = "", actions: [NotificationAction] = [], userInfo: String? = nil,
    due: ClockReading, followsWallClock: Bool = false
  ) {
    self.identifier = identifier
    self.tag = tag ?? identifier.rawValue
    self.kind = kind
    self.summary = summary
    self.body = body
    self.actions = actions
    self.userInfo = userInfo
    self.due = due
    self.followsWallClock = followsWallClock
  }

  /// The same request for another time.
  package func due(at reading: ClockReading) -> NotificationRequest {
    NotificationRequest(
      identifier: identifier, tag: tag, kind: kind, summary: summary, body: body, actions: actions,
      userInfo: userInfo, due: reading, followsWallClock: followsWallClock)
  }
}

/// What a notification is about.
///
/// Applications have kinds of their own; those here are what Sequence tells of.
public struct NotificationKind: Hashable, Sendable, RawRepresentable {
  /// The name of the kind, as the configuration has it.
  public let rawValue: String

  /// The kind of a name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Nothing in particular.
  public static let message = NotificationKind(rawValue: "message")
  /// The end of a countdown, after which the next step has started.
  public static let stepEnd = NotificationKind(rawValue: "step-end")
  /// The end of the time of a step that waits for the user.
  public static let overtime = NotificationKind(rawValue: "overtime")
  /// The goal of a count-up.
  public static let goal = NotificationKind(rawValue: "goal")
  /// A reminder after the goal of a count-up.
  public static let reminder = NotificationKind(rawValue: "reminder")
  /// The end of the run.
  public static let runEnd = NotificationKind(rawValue: "run-end")
  /// A pause by a button of a notification.
  public static let pause = NotificationKind(rawValue: "pause")
  /// The return of the machine while the run is paused for the suspend.
  public static let `return` = NotificationKind(rawValue: "return")
}

/// A button of a notification.
public struct NotificationAction: Hashable, Sendable, Codable {
  /// Names it in a response; `default` is not a button but a click on the notification itself.
  public let key: String
  /// What is written on it.
  public let title: String

  /// A button.
  public init(key: String, title: String) {
    self.key = key
    self.title = title
  }
}
