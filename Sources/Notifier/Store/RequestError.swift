public import FoundationEssentials
public import NotifierLedger
public import SequencePlatform
import SequenceStore

/// The reason why a request can't be scheduled.
@nonexhaustive
public enum RequestError: ExplainedError, LocalizedError, Equatable, Sendable {
  /// The key of an action is empty, contains a NUL or is used twice in the request.
  case unusableKey(String, identifier: NotificationIdentifier)
  /// The title of the action with this key is empty, or has only spaces and control characters.
  case unusableTitle(key: String, identifier: NotificationIdentifier)
  /// The trigger of the request has no usable time: its interval is shorter than a second or longer than 292 years, or
  /// its components never match, or its limits leave nothing.
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
    case .unusableTitle(let key, let identifier): "the action \(quoted(key)) of \(identifier) has no title"
    case .unusableTrigger(let trigger, let identifier):
      "\(identifier) \(RequestError.defect(of: trigger).problem)"
    case .unknownTimeZone(let zone, let identifier): "\(identifier) has an unknown time zone: \(quoted(zone))"
    case .unusableNumber(let identifier): "the progress or a hint of \(identifier) is not a finite number"
    }
  }

  /// The way to correct the request.
  public var remedy: String? {
    switch self {
    case .unusableKey: "give each action a key of its own"
    case .unusableTitle: "give each action a title"
    case .unusableNumber: "leave it out"
    case .unknownTimeZone: "use a time zone of the system, such as Europe/Berlin, or install tzdata"
    case .unusableTrigger(let trigger, _): RequestError.defect(of: trigger).remedy
    }
  }

  /// Why a trigger never fires, and the way to correct it.
  private static func defect(of trigger: NotificationTrigger) -> (problem: String, remedy: String) {
    guard case .matching(let pattern) = trigger.rule else {
      return trigger.repeatsAtOnce
        ? ("repeats too often: \(trigger)", "repeat after a second or more")
        : ("is due in more than 292 years", "use a shorter time")
    }
    if let (name, value, range) = pattern.impossible {
      return (
        "has no time: the \(name) is \(value)",
        "use a value from \(range.lowerBound) to \(range.upperBound)"
      )
    }
    guard pattern.isComplete else {
      return (
        "has components that can't be matched",
        "use only year, month, day, weekday, weekdayOrdinal, hour, minute and second of the Gregorian calendar"
      )
    }
    if let contradiction = pattern.contradiction {
      let numbers = CalendarPattern.numbers
      return (
        contradiction,
        pattern.first == nil
          ? "give it a first date" : "use a number from \(numbers.lowerBound) to \(numbers.upperBound)"
      )
    }
    guard pattern.components != DateComponents() else {
      return ("has no components to match", "give it an hour, for example")
    }
    return ("has no time: \(trigger)", "match a date that exists and is to come")
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

  /// Throws if the actions of a request can't be distinguished or have no label.
  static func requireUsableActions(_ request: NotificationRequest) throws(RequestError) {
    var keys: Set<String> = []
    for action in request.actions {
      // libnotify takes a key up to its first NUL, and refuses an empty one.
      guard !action.key.isEmpty, !action.key.utf8.contains(0), keys.insert(action.key).inserted else {
        throw .unusableKey(action.key, identifier: request.identifier)
      }
      // The click on the notification itself is no button.
      let isClick = action.key == NotificationAction.click.key
      guard isClick || TextSafety.sanitised(action.title).contains(where: { !$0.isWhitespace }) else {
        throw .unusableTitle(key: action.key, identifier: request.identifier)
      }
    }
  }
}
