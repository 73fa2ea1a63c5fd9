public import FoundationEssentials
public import NotifierLedger
public import SequencePlatform
import SequenceStore

/// The reason why a test can't do something on its desktop.
@nonexhaustive
public enum TestDesktopError: ExplainedError, LocalizedError, Equatable, Sendable {
  /// No notification of this identifier is on the screen.
  case notOnScreen(NotificationIdentifier)
  /// The notification of this identifier has no action of this key.
  case noAction(key: String, NotificationIdentifier)
  /// The notification server hangs, so it doesn't notice the user.
  case hanging

  /// A description of the problem.
  public var problem: String {
    switch self {
    case .notOnScreen(let identifier): "\(identifier) is not on the screen"
    case .noAction(let key, let identifier): "\(identifier) has no action \(quoted(key))"
    case .hanging: "the notification server hangs"
    }
  }

  /// A call that a test can make instead; `nil` if there is none.
  public var remedy: String? {
    switch self {
    case .notOnScreen: "advance the desktop to the time of the notification"
    case .noAction: "press a key of its actions"
    case .hanging: "call answer() first"
    }
  }
}
