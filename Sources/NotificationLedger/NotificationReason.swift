/// The reason for the state of a notification, or for its removal: a stable code with arguments.
///
/// The code is for programs, the description for people. Arguments are numbers, titles and messages of others. A reason
/// may have a cause: a notification is late because there was no server.
public struct NotificationReason: Hashable, Sendable {
  /// A stable name, such as `late`.
  public let code: String
  /// The values that belong to the code, in order; then the code and the arguments of the cause, if there is one.
  public let arguments: [String]

  package init(_ code: String, _ arguments: [String] = [], cause: NotificationReason? = nil) {
    self.code = code
    self.arguments = arguments + (cause.map { [$0.code] + $0.arguments } ?? [])
  }
}

extension NotificationReason {
  /// A newer notification of its tag was shown in its place.
  package static let replaced = NotificationReason("replaced")
  /// The program scheduled the same identifier again.
  package static let rescheduled = NotificationReason("rescheduled")
  /// The program removed it.
  package static let removed = NotificationReason("removed")
  /// A command cleared it.
  package static let cleared = NotificationReason("cleared")
  /// It was no longer true.
  package static let outdated = NotificationReason("outdated")
  /// The server accepts no more, so the oldest one was removed.
  package static let madeRoom = NotificationReason("made-room")
  /// The program that showed it ended, so nobody would receive its buttons.
  package static let programEnded = NotificationReason("program-ended")
  /// The bus was connected again, so nobody would receive its buttons.
  package static let reconnected = NotificationReason("reconnected")
  /// It was closed at our request.
  package static let closed = NotificationReason("closed")
  /// A live display of the run had the keyboard focus.
  package static let foreground = NotificationReason("foreground")

  /// A newer notification was due at the same time.
  package static func merged(into identifier: NotificationIdentifier) -> NotificationReason {
    NotificationReason("merged", [identifier.rawValue])
  }

  /// It could not be shown in time.
  package static func late(_ time: Duration, because cause: NotificationReason?) -> NotificationReason {
    NotificationReason("late", [String(time.components.seconds)], cause: cause)
  }

  /// It is shown once more.
  package static func shownAgain(because cause: NotificationReason) -> NotificationReason {
    NotificationReason(shownAgainCode, cause: cause)
  }

  private static let shownAgainCode = "shown-again"
  /// How the stored form of each repetition begins.
  static let shownAgainPrefix = shownAgainCode + separator

  /// The server refused to remove it.
  package static func notRemoved(because cause: NotificationReason) -> NotificationReason {
    NotificationReason("not-removed", cause: cause)
  }

  /// The program did not want it to be shown.
  ///
  /// - Parameter text: why, in the words of the program.
  package static func suppressed(_ text: String) -> NotificationReason {
    NotificationReason("suppressed", [text])
  }

  /// The user pressed a button.
  ///
  /// - Parameter obstacle: why the button did nothing; `nil` if it did what it says.
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
  /// The reason as a part of a sentence; codes without a text of their own are one, with hyphens for spaces.
  public var description: String {
    let (first, second) = (arguments.first ?? "", arguments.dropFirst().first ?? "")
    func because(after count: Int) -> String { cause(after: count).map { ": \($0)" } ?? "" }
    return switch code {
    case "replaced": "a newer one took its place"
    case "rescheduled": "it was scheduled anew"
    case "removed": "it was removed"
    case "cleared": "it was cleared"
    case "outdated": "it was not so any more"
    case "made-room": "it made room for a newer one"
    case "program-ended": "the agent that showed it ended"
    case "reconnected": "the bus was connected anew"
    case "closed": "it was closed"
    case "closed-by-call": "it was closed by a call"
    case "closed-by-server": "the server took it away"
    case "expired": "it expired, or made room for another"
    case "dismissed": "the user dismissed it"
    case "foreground": "the live display had the keyboard"
    case "merged": "merged into \(first)"
    case "late": "\(first) s late" + because(after: 1)
    case "shown-again": "shown again" + because(after: 0)
    case "not-removed": "it could not be taken away" + because(after: 0)
    case "suppressed", "other": first
    case "pressed": "\"\(first)\" was pressed" + (cause(after: 1).map { ", but \($0)" } ?? "")
    case "pressed-late": (cause(after: 1).map { "\($0); then " } ?? "") + "\"\(first)\" was pressed"
    case "no-bus": "no session bus: \(first)"
    case "no-server": "no notification server on the session bus"
    case "not-answering": "the notification server does not answer"
    case "server-restarted": "the notification server was restarted"
    case "refused": "the notification server refused: \(first) (\(second))"
    case "called-off": "it was called off before its time"
    case "unknown-outcome": "the notification server did not answer; it may or may not have done it"
    default: ([code.replacing("-", with: " ")] + arguments).joined(separator: ", ")
    }
  }

  /// The cause that follows some arguments; `nil` without one.
  private func cause(after count: Int) -> NotificationReason? {
    guard arguments.count > count else { return nil }
    return NotificationReason(arguments[count], Array(arguments.dropFirst(count + 1)))
  }
}

extension NotificationReason {
  /// What stands between the parts of the stored form: the unit separator of ASCII.
  private static let separator = "\u{1F}"

  /// The stored form: the code and the arguments.
  package var stored: String {
    ([code] + arguments.map { $0.replacing(NotificationReason.separator, with: " ") })
      .joined(separator: NotificationReason.separator)
  }

  /// Reads the stored form.
  package init(stored: String) {
    let parts = stored.split(separator: NotificationReason.separator, omittingEmptySubsequences: false)
    self.init(String(parts[0]), parts.dropFirst().map(String.init))
  }
}
