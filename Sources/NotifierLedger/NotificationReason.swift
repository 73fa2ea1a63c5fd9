package import SequencePlatform

/// The reason for the state of a notification, or for its removal: a stable code with arguments.
///
/// The code is for programs, the description for people. Arguments are numbers, titles and messages of others. A reason
/// may have a cause: a notification is late because there was no server.
public struct NotificationReason: Hashable, Sendable {
  /// A stable name, such as `late`.
  public let code: String
  /// The values that belong to the code, in order; then the code and the arguments of the cause, if there is one.
  public let arguments: [String]

  /// A reason of a code with its arguments, for tests and previews.
  public init(code: String, arguments: [String] = []) {
    self.init(code, arguments)
  }

  package init(_ code: String, _ arguments: [String] = [], cause: NotificationReason? = nil) {
    self.code = code
    self.arguments = arguments + (cause.map { [$0.code] + $0.arguments } ?? [])
  }
}

extension NotificationReason {
  /// The reason behind this one, such as `no-server` behind `late`; `nil` without one.
  public var cause: NotificationReason? {
    let count =
      switch code {
      case "shown-again", "not-removed": 0
      case "late", "pressed", "pressed-late": 1
      default: arguments.count
      }
    guard arguments.count > count else { return nil }
    return NotificationReason(arguments[count], Array(arguments.dropFirst(count + 1)))
  }

  /// A newer notification of its tag was shown in its place.
  package static let replaced = NotificationReason("replaced")
  package static let rescheduled = NotificationReason("rescheduled")
  /// The program removed it.
  package static let removed = NotificationReason("removed")
  /// A command cleared it.
  package static let cleared = NotificationReason("cleared")
  /// The user closed it.
  package static let dismissed = NotificationReason("dismissed")
  package static let outdated = NotificationReason("outdated")
  /// The server accepts no more, so the oldest one was removed.
  package static let madeRoom = NotificationReason("made-room")
  /// The program that showed it ended, so its buttons had no receiver.
  package static let programEnded = NotificationReason("program-ended")
  /// The bus was connected again, so its buttons had no receiver.
  package static let reconnected = NotificationReason("reconnected")
  /// It was closed at our request.
  package static let closed = NotificationReason("closed")

  /// A newer notification was due at the same time.
  package static func merged(into identifier: NotificationIdentifier) -> NotificationReason {
    NotificationReason("merged", [identifier.rawValue])
  }

  /// Its next time could not be calculated.
  package static func unknownTimeZone(_ identifier: String) -> NotificationReason {
    NotificationReason("unknown-time-zone", [identifier])
  }

  /// The time zone was changed, and its time had passed in the new one.
  package static let zoneChanged = NotificationReason("zone-changed")

  package static func late(_ time: Duration, because cause: NotificationReason?) -> NotificationReason {
    NotificationReason("late", [String(time.components.seconds)], cause: cause)
  }

  package static func shownAgain(because cause: NotificationReason) -> NotificationReason {
    NotificationReason(shownAgainCode, cause: cause)
  }

  private static let shownAgainCode = "shown-again"
  static let shownAgainPrefix = shownAgainCode + separator

  package static func notRemoved(because cause: NotificationReason) -> NotificationReason {
    NotificationReason("not-removed", cause: cause)
  }

  /// - Parameter text: why, in the words of the program.
  package static func suppressed(_ text: String) -> NotificationReason {
    NotificationReason("suppressed", [text])
  }

  /// - Parameter obstacle: why the button had no effect; `nil` if it had.
  package static func pressed(_ title: String, but obstacle: NotificationReason? = nil) -> NotificationReason
  {
    NotificationReason("pressed", [title], cause: obstacle)
  }

  /// The user pressed a button of a notification that was to be removed already.
  package static func pressedLate(_ title: String, after withdrawal: NotificationReason) -> NotificationReason
  {
    NotificationReason("pressed-late", [title], cause: withdrawal)
  }
}

extension NotificationReason: CustomStringConvertible {
  /// The reason as a part of a sentence.
  public var description: String { sentence { _ in nil }.description }

  /// - Parameter others: returns the text of a code that the application adds; `nil` for other codes.
  package func sentence(with others: (String) -> LocalizedText?) -> LocalizedText {
    let (first, second) = (arguments.first ?? "", arguments.dropFirst().first ?? "")
    let cause = cause?.sentence(with: others)
    return switch (code, cause) {
    case ("pressed", let cause?): "\"\(first)\" was pressed, but \(cause)"
    case ("pressed-late", let cause?): "\"\(first)\" was pressed too late: \(cause)"
    case ("pressed", nil), ("pressed-late", nil): "\"\(first)\" was pressed"
    case ("late", let cause?): "\(first) s late: \(cause)"
    case ("late", nil): "\(first) s late"
    case ("shown-again", let cause?): "shown again: \(cause)"
    case ("shown-again", nil): "shown again"
    case ("not-removed", let cause?): "it could not be removed: \(cause)"
    case ("not-removed", nil): "it could not be removed"
    case ("merged", _): "merged into \(first)"
    case ("suppressed", _): LocalizedText(verbatim: first)
    case ("unknown-time-zone", _): "the time zone \(quoted(first)) is unknown"
    case ("no-bus", _): "no session bus: \(first)"
    case ("not-started", _): "the notification server could not be started: \(first)"
    case ("refused", _): "the notification server refused: \(first) (\(second))"
    default: NotificationReason.sentence(code) ?? others(code) ?? unknownCode
    }
  }

  private static func sentence(_ code: String) -> LocalizedText? {
    switch code {
    case "replaced": "a newer one took its place"
    case "rescheduled": "it was scheduled again"
    case "removed": "it was removed"
    case "cleared": "it was cleared"
    case "outdated": "it was outdated"
    case "made-room": "it made room for a newer one"
    case "program-ended": "the program that showed it ended"
    case "reconnected": "the session bus was connected again"
    case "closed": "it was closed"
    case "closed-by-call": "a program closed it"
    case "closed-by-server": "the server removed it"
    case "expired": "it expired, or made room for another one"
    case "dismissed": "the user dismissed it"
    case "no-server": "no notification server on the session bus"
    case "no-screen": "no notification server on the session bus, and no graphical session to start one in"
    case "not-answering": "the notification server does not answer"
    case "server-restarted": "the notification server was restarted"
    case "called-off": "it was cancelled before its time"
    case "zone-changed": "the time zone was changed, and its time had passed there"
    case "unknown-outcome": "the notification server did not answer, so the outcome is unknown"
    default: nil
    }
  }

  /// The text of a code of another version: its words and its arguments.
  private var unknownCode: LocalizedText {
    LocalizedText(verbatim: ([code.replacing("-", with: " ")] + arguments).joined(separator: ", "))
  }
}

extension NotificationReason {
  private static let separator = "\u{1F}"

  package var stored: String {
    ([code] + arguments.map { $0.replacing(NotificationReason.separator, with: " ") })
      .joined(separator: NotificationReason.separator)
  }

  package init(stored: String) {
    let parts = stored.split(separator: NotificationReason.separator, omittingEmptySubsequences: false)
    self.init(String(parts[0]), parts.dropFirst().map(String.init))
  }
}
