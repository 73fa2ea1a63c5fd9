import FoundationEssentials
import NotifierDelivery
package import NotifierLedger
package import SequencePlatform
import SequenceStore

/// The reason why a request can't be scheduled, or a response to it can't be recorded.
package enum RequestError: ExplainedError, LocalizedError, Equatable, Sendable {
  /// The key of an action is empty, contains a NUL or is used twice in the request.
  case unusableKey(String, identifier: NotificationIdentifier)
  /// The title of the action with this key is empty, or has only spaces and control characters.
  case unusableTitle(key: String, identifier: NotificationIdentifier)
  /// The trigger of the request has no usable time: its interval is shorter than a second or longer than 292 years, or
  /// its components never match, or its limits leave nothing.
  case unusableTrigger(NotificationTrigger, identifier: NotificationIdentifier)
  /// The trigger has a time zone that the system doesn't know.
  case unknownTimeZone(String, identifier: NotificationIdentifier)
  /// A program responds with the key of an action that the request doesn't have.
  case unknownKey(String, identifier: NotificationIdentifier)
  /// The progress or a hint in the style of the request is not a finite number.
  case unusableNumber(identifier: NotificationIdentifier)

  /// The mistake in the request, and the way to correct it.
  package var problem: Problem {
    switch self {
    case .unusableKey(let key, let identifier):
      Problem(
        key.isEmpty
          ? "an action of \(identifier.description) has an empty key"
          : key.utf8.contains(0)
            ? "an action of \(identifier.description) has a key with a NUL"
            : "two actions of \(identifier.description) have the key \(quoted(key))",
        remedy: "give each action a key of its own")
    case .unusableTitle(let key, let identifier):
      Problem(
        "the action \(quoted(key)) of \(identifier.description) has no title",
        remedy: "give each action a title")
    case .unusableTrigger(let trigger, let identifier): RequestError.defect(of: trigger, identifier)
    case .unknownTimeZone(let zone, let identifier):
      Problem(
        "\(identifier.description) has an unknown time zone: \(quoted(zone))",
        remedy: "use a time zone of the system, such as Europe/Berlin, or install tzdata")
    case .unknownKey(let key, let identifier):
      Problem(
        "\(identifier.description) has no action \(quoted(key))", remedy: "use the key of one of its actions")
    case .unusableNumber(let identifier):
      Problem(
        "the progress or a hint of \(identifier.description) is not a finite number", remedy: "leave it out")
    }
  }

  /// Why a trigger never fires, and the way to correct it.
  private static func defect(of trigger: NotificationTrigger, _ name: NotificationIdentifier) -> Problem {
    guard case .matching(let pattern) = trigger.rule else {
      return trigger.repeatsAtOnce
        ? Problem(
          "\(name.description) repeats too often: \(trigger.description)",
          remedy: "repeat after a second or more")
        : Problem("\(name.description) is due in more than 292 years", remedy: "use a shorter time")
    }
    if let (component, value, range) = pattern.impossible {
      return Problem(
        "\(name.description) has no time: the \(component) is \(value)",
        remedy: "use a value from \(range.lowerBound) to \(range.upperBound)")
    }
    guard pattern.isComplete else {
      return Problem(
        "\(name.description) has components that can't be matched",
        remedy:
          "use only year, month, day, weekday, weekdayOrdinal, hour, minute and second of the Gregorian calendar"
      )
    }
    if let contradiction = pattern.contradiction {
      let numbers = CalendarPattern.numbers
      return Problem(
        "\(name.description) \(contradiction)",
        remedy: pattern.first == nil
          ? "give it a first date" : "use a number from \(numbers.lowerBound) to \(numbers.upperBound)")
    }
    guard pattern.components != DateComponents() else {
      return Problem("\(name.description) has no components to match", remedy: "give it an hour, for example")
    }
    return Problem(
      "\(name.description) has no time: \(trigger.description)",
      remedy: "match a date that exists and is to come")
  }

  static func requireFiniteNumbers(_ request: NotificationRequest) throws(RequestError) {
    let hasFiniteHints = request.style.hints.values.allSatisfy { hint in
      if case .double(let number) = hint { number.isFinite } else { true }
    }
    guard hasFiniteHints, request.style.progress?.isFinite != false else {
      throw .unusableNumber(identifier: request.identifier)
    }
  }

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

/// The first times of requests that are added at one reading.
package struct FirstTimes {
  private let reading: ClockReading
  private let calendar: LocalCalendar

  package init(at reading: ClockReading, _ calendar: LocalCalendar) {
    self.reading = reading
    self.calendar = calendar
  }

  /// - Throws: `RequestError.unusableTrigger` if it is never due, or again at once; `RequestError.unknownTimeZone`.
  package func due(_ request: NotificationRequest) throws(RequestError) -> ClockReading {
    if let due = usableDue(of: request.trigger) { return due }
    if case .matching(let pattern) = request.trigger.rule, let zone = calendar.unknownZone(of: pattern) {
      throw .unknownTimeZone(zone, identifier: request.identifier)
    }
    throw .unusableTrigger(request.trigger, identifier: request.identifier)
  }

  private func usableDue(of trigger: NotificationTrigger) -> ClockReading? {
    guard !trigger.repeatsAtOnce, !trigger.isTooLong else { return nil }
    return switch trigger.rule {
    case .matching(let pattern): calendar.moment(matching: pattern, after: reading.wall).map(reading.at)
    case .immediately, .after, .every, .at, .reading: trigger.due(addedAt: reading)
    }
  }
}
