public import FoundationEssentials
public import NotificationLedger
public import Platform
import Store

/// The reason why a request can't be scheduled.
public enum RequestError: ExplainedError, LocalizedError, Equatable, Sendable {
  /// The key of an action is empty, contains a NUL or is used twice in the request.
  case unusableKey(String, identifier: NotificationIdentifier)
  /// The trigger of the request never fires: its interval is shorter than a second, or its components never match.
  case unusableTrigger(NotificationTrigger, identifier: NotificationIdentifier)
  /// The trigger has a time zone that the system doesn't know.
  case unknownTimeZone(String, identifier: NotificationIdentifier)
  /// The progress or a hint in the style of the request is not a finite number.
  case unusableNumber(identifier: NotificationIdentifier)

  /// The mistake in the request.
  public var problem: String {
    switch self {
    case .unusableKey("", let identifier): "an action of \(identifier) has an empty key"
    case .unusableKey(let key, let identifier) where key.utf8.contains(0):
      "an action of \(identifier) has a key with a NUL"
    case .unusableKey(let key, let identifier): "two actions of \(identifier) have the key \(quoted(key))"
    case .unusableTrigger(let trigger, let identifier): "\(identifier) has no time: \(trigger)"
    case .unknownTimeZone(let zone, let identifier): "\(identifier) has an unknown time zone: \(quoted(zone))"
    case .unusableNumber(let identifier): "the progress or a hint of \(identifier) is not a finite number"
    }
  }

  /// The way to correct the request.
  public var remedy: String? {
    switch self {
    case .unusableKey: "give each action a key of its own"
    case .unusableNumber: "leave it out"
    case .unknownTimeZone: "use a time zone of the system, such as Europe/Berlin, or install tzdata"
    case .unusableTrigger: "repeat after a second or more, or match a date that exists"
    }
  }

  /// Throws if a number of a request can't be stored.
  static func requireFiniteNumbers(_ request: NotificationRequest) throws(RequestError) {
    let hasFiniteHints = request.style.hints.values.allSatisfy { hint in
      if case .double(let number) = hint { number.isFinite } else { true }
    }
    guard hasFiniteHints, request.style.progress?.isFinite != false else {
      throw .unusableNumber(identifier: request.identifier)
    }
  }

  /// Throws if the actions of a request can't be distinguished.
  static func requireUsableKeys(_ request: NotificationRequest) throws(RequestError) {
    var keys: Set<String> = []
    for action in request.actions {
      // libnotify takes a key up to its first NUL, and refuses an empty one.
      guard !action.key.isEmpty, !action.key.utf8.contains(0), keys.insert(action.key).inserted else {
        throw .unusableKey(action.key, identifier: request.identifier)
      }
    }
  }
}
