package import Platform

/// A notification to show when its trigger says.
public struct NotificationRequest: Hashable, Sendable {
  /// Its identifier; a request with the same identifier replaces a pending one.
  public let identifier: NotificationIdentifier
  /// Its place on screen: of the notifications of a tag, at most one is shown, the newest.
  public let tag: String
  /// The type, which decides the look and the sound.
  public let kind: NotificationKind
  /// The line that is shown large.
  public let summary: String
  /// The text below; may be empty.
  public let body: String
  /// The buttons, for servers that support them.
  public let actions: [NotificationAction]
  /// Data of the application for its response handler; not interpreted.
  public let userInfo: String?
  /// When it is shown.
  public let trigger: NotificationTrigger

  /// Creates a request with all its properties.
  ///
  /// - Parameters:
  ///   - identifier: its identifier; a pending request with the same identifier is replaced.
  ///   - tag: its place on screen, shared with the requests that it replaces; `nil` for a place of its own.
  ///   - kind: its type.
  ///   - summary: the title line.
  ///   - body: the text below the title.
  ///   - actions: the buttons.
  ///   - userInfo: data that is returned with a response.
  ///   - trigger: when it is shown.
  public init(
    identifier: NotificationIdentifier, tag: String? = nil, kind: NotificationKind = .message,
    summary: String, body: String = "", actions: [NotificationAction] = [], userInfo: String? = nil,
    trigger: NotificationTrigger = .immediately
  ) {
    self.identifier = identifier
    self.tag = tag ?? identifier.rawValue
    self.kind = kind
    self.summary = summary
    self.body = body
    self.actions = actions
    self.userInfo = userInfo
    self.trigger = trigger
  }
}

extension NotificationRequest {
  /// Creates a request of a plan, which is due at a reading.
  package init(
    identifier: NotificationIdentifier, tag: String? = nil, kind: NotificationKind = .message,
    summary: String, body: String = "", actions: [NotificationAction] = [], userInfo: String? = nil,
    due: ClockReading
  ) {
    self.init(
      identifier: identifier, tag: tag, kind: kind, summary: summary, body: body, actions: actions,
      userInfo: userInfo, trigger: NotificationTrigger(.reading(due)))
  }

  /// The reading at which a request of a plan is due; `nil` if its trigger says when.
  package var due: ClockReading? {
    if case .reading(let due) = trigger.rule { due } else { nil }
  }
}

/// The type of a notification.
///
/// Applications have types of their own; these are the types of Sequence.
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
  /// The label.
  public let title: String

  /// A button.
  public init(key: String, title: String) {
    self.key = key
    self.title = title
  }
}
