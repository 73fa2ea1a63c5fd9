public import NotificationLedger
public import Platform

/// A failure of a scheduler.
public enum SchedulerError: ExplainedError, Equatable, Sendable {
  /// Another process, or another scheduler of this one, delivers from the directory of this path.
  case directoryInUse(String)
  /// The process has a scheduler already, and libnotify serves only one.
  case processInUse
  /// The scheduler has ended: after `shutdown()`, or for a reason that `onFailure` received.
  case ended(reason: String)
  /// The key of an action is empty, contains a NUL or is used twice in the request of this identifier.
  case unusableKey(String, identifier: NotificationIdentifier)
  /// The trigger of the request of this identifier has no time: its interval is shorter than a second, or its components
  /// never match.
  case unusableTrigger(NotificationTrigger, identifier: NotificationIdentifier)

  /// Why the scheduler cannot be used.
  public var problem: String {
    switch self {
    case .directoryInUse(let path): "another scheduler or agent delivers from \(path)"
    case .processInUse: "this process has another scheduler"
    case .ended(let reason): "the scheduler has ended: \(reason)"
    case .unusableKey("", let identifier): "an action of \(identifier) has an empty key"
    case .unusableKey(let key, let identifier) where key.utf8.contains(0):
      "an action of \(identifier) has a key with a NUL"
    case .unusableTrigger(let trigger, let identifier): "\(identifier) has no time: \(trigger)"
    case .unusableKey(let key, let identifier): "two actions of \(identifier) have the key \(quoted(key))"
    }
  }

  /// What would be possible.
  public var remedy: String? {
    switch self {
    case .directoryInUse: "use another directory, or shut the other one down"
    case .processInUse: "wait for shutdown() of the other one first"
    case .ended: "make a new one"
    case .unusableTrigger: "repeat after a second or more, or match a date that exists"
    case .unusableKey: "give each action a key of its own"
    }
  }
}
