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

  /// The problem, and a call that a test can make instead.
  public var problem: Problem {
    switch self {
    case .notOnScreen(let identifier):
      Problem(
        "\(identifier) is not on the screen", remedy: "advance the desktop to the time of the notification")
    case .noAction(let key, let identifier):
      Problem("\(identifier) has no action \(quoted(key))", remedy: "press a key of its actions")
    case .hanging: Problem("the notification server hangs", remedy: "call answer() first")
    }
  }
}
