public import FoundationEssentials
package import SequencePlatform
import SequenceStore

/// When a notification is shown: once, or again and again.
///
/// A repeating trigger has one occurrence at a time in the store. The next one is planned in the transaction that
/// decides on the last one. After a time without a program, only the last occurrence that has passed is shown late or
/// missed; earlier ones are skipped, or get entries if ``NotificationRequest/missed`` says so.
public struct NotificationTrigger: Hashable, Sendable {
  package let rule: Rule

  package enum Rule: Hashable, Sendable {
    case immediately
    /// A time after it is added, on the boot clock.
    case after(Duration)
    /// Each time that an interval has passed on the boot clock.
    case every(Duration)
    case at(Moment)
    case matching(CalendarPattern)
    /// At a reading of the clocks that was planned; not affected by a set clock.
    case reading(ClockReading)
  }

  package init(_ rule: Rule) { self.rule = rule }

  /// As soon as it is added.
  public static let immediately = NotificationTrigger(.immediately)

  /// Once, a duration after the request is added.
  ///
  /// Suspended time counts, and a set clock has no effect.
  public static func after(_ time: Duration) -> NotificationTrigger {
    // Whole nanoseconds, as in the store, so that the trigger of an entry equals this one.
    NotificationTrigger(.after(.nanoseconds(time.nanoseconds)))
  }

  /// Again and again, each time that an interval has passed; the first time one interval after the request is added.
  ///
  /// Suspended time counts, and a set clock has no effect. Occurrences chain from each other, however late one is
  /// shown.
  ///
  /// - Parameter time: the interval, at least a second.
  public static func every(_ time: Duration) -> NotificationTrigger {
    NotificationTrigger(.every(.nanoseconds(time.nanoseconds)))
  }

  /// Once, when the wall clock shows a date, even if the clock is set before.
  public static func at(_ date: Date) -> NotificationTrigger { NotificationTrigger(.at(Moment(date))) }

  /// Every day at a local time.
  ///
  /// - Parameters:
  ///   - hour: the hour, from 0 to 23.
  ///   - minute: the minute.
  ///   - days: the days from one occurrence to the next, from 1 to 1000; more than 1 needs a first date.
  ///   - zone: the time zone; `nil` for the time zone of the system, whichever that is at the time.
  ///   - first: the date before which there is no occurrence, and from whose day days and times are counted.
  ///   - last: the date after which there is no occurrence.
  ///   - times: the number of occurrences, from 1 to 1000; it needs a first date.
  public static func daily(
    _ hour: Int, _ minute: Int = 0, every days: Int = 1, in zone: TimeZone? = nil,
    from first: Date? = nil, through last: Date? = nil, times: Int? = nil
  ) -> NotificationTrigger {
    let components = DateComponents(hour: hour, minute: minute)
    return matching(components, in: zone, from: first, through: last, times: times) { $0.days = days }
  }

  /// Every week on some days, at a local time.
  ///
  /// - Parameters:
  ///   - weekdays: the days; not empty.
  ///   - hour: the hour, from 0 to 23.
  ///   - minute: the minute.
  ///   - zone: the time zone; `nil` for the time zone of the system, whichever that is at the time.
  ///   - first: the date before which there is no occurrence, and from which times are counted.
  ///   - last: the date after which there is no occurrence.
  ///   - times: the number of occurrences, from 1 to 1000; it needs a first date.
  public static func weekly(
    on weekdays: Set<Locale.Weekday>, _ hour: Int, _ minute: Int = 0, in zone: TimeZone? = nil,
    from first: Date? = nil, through last: Date? = nil, times: Int? = nil
  ) -> NotificationTrigger {
    let numbers: [Locale.Weekday: Int] = [
      .sunday: 1, .monday: 2, .tuesday: 3, .wednesday: 4, .thursday: 5, .friday: 6, .saturday: 7,
    ]
    // Without any day, none matches.
    let components = DateComponents(hour: hour, minute: minute, weekday: weekdays.isEmpty ? 0 : nil)
    return matching(components, in: zone, from: first, through: last, times: times) {
      $0.weekdays = Set(weekdays.compactMap { numbers[$0] })
    }
  }

  /// Whenever components match a date of the Gregorian calendar.
  ///
  /// `DateComponents(hour: 8, weekday: 2)` is each Monday at 8:00, because Sunday is 1. Smaller components that are
  /// missing are 0, larger ones match always: `DateComponents(minute: 30)` is each hour at half past. A request whose
  /// components never match, or belong to another calendar, is refused.
  ///
  /// - A day that a month doesn't have is skipped: the 31st comes seven times a year, 29 February in leap years.
  /// - A local time that daylight saving skips becomes the first time after the gap. A time that comes twice is used
  ///   once, the first time; if the hour is missing, every hour counts.
  ///
  /// - Parameters:
  ///   - components: the year, month, day, weekday, weekday ordinal, hour, minute and second that have to match, or
  ///     some of them.
  ///   - zone: the time zone; `nil` for that of the components, or else for the time zone of the system, whichever that
  ///     is at the time.
  ///   - first: the date before which there is no occurrence, and from which times are counted.
  ///   - last: the date after which there is no occurrence.
  ///   - times: the number of occurrences, from 1 to 1000; it needs a first date.
  public static func matching(
    _ components: DateComponents, in zone: TimeZone? = nil, from first: Date? = nil,
    through last: Date? = nil, times: Int? = nil
  ) -> NotificationTrigger {
    matching(components, in: zone, from: first, through: last, times: times) { _ in }
  }

  private static func matching(
    _ components: DateComponents, in zone: TimeZone?, from first: Date?, through last: Date?, times: Int?,
    _ complete: (inout CalendarPattern) -> Void
  ) -> NotificationTrigger {
    var pattern = CalendarPattern(components, zone: (zone ?? components.timeZone)?.identifier)
    (pattern.first, pattern.last, pattern.count) = (first.map { Moment($0) }, last.map { Moment($0) }, times)
    complete(&pattern)
    return NotificationTrigger(.matching(pattern))
  }

  /// Whether it has more than one occurrence.
  public var repeats: Bool {
    switch rule {
    case .every, .matching: true
    case .immediately, .after, .at, .reading: false
    }
  }

  package var repeatsAtOnce: Bool {
    if case .every(let time) = rule { time < .seconds(1) } else { false }
  }

  /// Whether its duration was too long to be counted in nanoseconds, and became the longest one.
  package var isTooLong: Bool {
    switch rule {
    case .after(let time), .every(let time): time == .nanoseconds(Int64.max)
    case .immediately, .at, .matching, .reading: false
    }
  }

  package var followsWallClock: Bool {
    switch rule {
    case .at, .matching: true
    case .immediately, .after, .every, .reading: false
    }
  }

  /// Returns when a request that is added at a reading is due first; `nil` if only a calendar can tell.
  package func due(addedAt reading: ClockReading) -> ClockReading? {
    switch rule {
    case .immediately: reading
    case .after(let time), .every(let time): reading.advanced(by: time)
    case .at(let moment): reading.at(moment)
    case .matching: nil
    case .reading(let due): due
    }
  }
}

extension NotificationTrigger: CustomStringConvertible {
  /// The trigger in words that `init?(_:)` reads, such as `matching hour=8 minute=0 zone=Europe/Berlin`.
  public var description: String {
    switch rule {
    case .immediately: "immediately"
    case .after(let time): "after \(DecimalText.text(time.nanoseconds, digits: 9)) s"
    case .every(let time): "every \(DecimalText.text(time.nanoseconds, digits: 9)) s"
    case .at(let moment): "at @\(DecimalText.text(moment.microseconds, digits: 6))"
    case .matching(let pattern): (["matching"] + pattern.words).joined(separator: " ")
    case .reading(let due): "at @\(DecimalText.text(due.wall.microseconds, digits: 6))"
    }
  }

  /// Reads a description; `nil` if the text is none.
  ///
  /// It is `immediately`, `after 1.5 s`, `every 3600 s`, `at @1800000000` (seconds since 1970), or `matching` with
  /// components and a zone: `matching month=12 day=24 hour=18 minute=0 zone=Europe/Berlin`. Limits have names, too:
  /// `matching hour=8 minute=0 weekdays=2,6 first=@1800000000 count=10`.
  public init?(_ description: String) {
    let words = description.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch (words.first, words.count) {
    case ("immediately", 1): self = .immediately
    case ("after", 3):
      guard words[2] == "s", let time = DecimalText.number(words[1], digits: 9) else { return nil }
      self = .after(.nanoseconds(time))
    case ("every", 3):
      guard words[2] == "s", let time = DecimalText.number(words[1], digits: 9) else { return nil }
      self = .every(.nanoseconds(time))
    case ("at", 2):
      guard words[1].hasPrefix("@"), let moment = DecimalText.number(words[1].dropFirst(), digits: 6) else {
        return nil
      }
      self.init(.at(Moment(microseconds: moment)))
    case ("matching", 2...):
      guard let pattern = CalendarPattern(words: words.dropFirst()) else { return nil }
      self.init(.matching(pattern))
    default: return nil
    }
  }
}

extension NotificationTrigger: Codable {
  /// Reads the text that `description` has.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let trigger = NotificationTrigger(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(quoted(text)) is not a trigger of a notification")
    }
    self = trigger
  }

  /// Writes the text that `description` has.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Whole numbers of a small unit as decimal texts of a larger one: nanoseconds as seconds.
enum DecimalText {
  /// The text of a number of units, such as `0.25` for 250 of three digits.
  static func text(_ units: Int64, digits: Int) -> String {
    let text = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    let fraction = padded.suffix(digits)
    let significant = fraction.lastIndex { $0 != "0" }.map { fraction[...$0] } ?? ""
    return (units < 0 ? "-" : "") + padded.dropLast(digits)
      + (significant.isEmpty ? "" : "." + significant)
  }

  /// Reads a text; `nil` if it is not a number, has more digits, or is out of range.
  static func number(_ text: some StringProtocol, digits: Int) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? String(parts[1]) : "0"
    guard !parts[0].isEmpty, (1...digits).contains(fraction.count),
      fraction.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(String(parts[0]) + String(fraction) + String(repeating: "0", count: digits - fraction.count))
  }
}
