package import FoundationEssentials
package import SequencePlatform

package struct CalendarPattern: Hashable, Sendable {
  /// The components, without calendar and time zone.
  package let components: DateComponents
  /// The identifier of the time zone; `nil` for the time zone of the system.
  package let zone: String?
  /// The weekdays that match, from 1 for Sunday to 7; empty for those of the components.
  package var weekdays: Set<Int> = []
  /// The days from one that matches to the next, counted from the day of `first`; 1 for each day.
  package var days = 1
  package var first: Moment?
  package var last: Moment?
  /// How many dates match, from `first` on; `nil` for any number.
  package var count: Int?

  package static let numbers = 1...1000

  /// Why nothing matches, whatever the calendar; `nil` if something may.
  package var contradiction: String? {
    if !CalendarPattern.numbers.contains(days) { return "repeats after \(days) days" }
    if let count, !CalendarPattern.numbers.contains(count) { return "has \(count) times" }
    if days > 1 || count != nil, first == nil { return "has no first date to count from" }
    return nil
  }

  /// The components that count, with their names in a text and the values that they can have.
  private static let known: [(name: String, component: Calendar.Component, range: ClosedRange<Int>)] = [
    ("year", .year, 1...9999), ("month", .month, 1...12), ("day", .day, 1...31),
    ("weekday", .weekday, 1...7),
    ("weekday-ordinal", .weekdayOrdinal, 1...5), ("hour", .hour, 0...23), ("minute", .minute, 0...59),
    ("second", .second, 0...59),
  ]

  /// The first component that no date has, with its name and the values that it can have.
  package var impossible: (name: String, value: Int, range: ClosedRange<Int>)? {
    for (name, component, range) in CalendarPattern.known {
      if let value = components.value(for: component), !range.contains(value) { return (name, value, range) }
    }
    return nil
  }

  package init(_ components: DateComponents, zone: String?) {
    var own = DateComponents()
    for (_, component, _) in CalendarPattern.known {
      own.setValue(components.value(for: component), for: component)
    }
    // Components that don't count would make another pattern; the rest of the value has to be refused.
    var rest = components
    (rest.calendar, rest.timeZone) = (nil, nil)
    let calendar = components.calendar?.identifier ?? .gregorian
    isComplete = rest == own && [.gregorian, .iso8601].contains(calendar)
    self.components = own
    self.zone = zone
  }

  /// Whether all components that it was made of count, and are those of the Gregorian calendar.
  package let isComplete: Bool

  /// The pattern as words, such as `hour=8`.
  var words: [String] {
    CalendarPattern.known.compactMap { name, component, _ in
      components.value(for: component).map { "\(name)=\($0)" }
    } + numbers.compactMap { name, number in number.map { "\(name)=\($0)" } }
      + (zone.map { ["zone=\($0)"] } ?? [])
  }

  /// The numbers that aren't the default, with their names and their values in a text.
  private var numbers: [(name: String, text: String?)] {
    func text(_ moment: Moment?) -> String? {
      moment.map { "@" + DecimalText.text($0.microseconds, digits: 6) }
    }
    return [
      ("weekdays", weekdays.isEmpty ? nil : weekdays.sorted().map(String.init).joined(separator: ",")),
      ("days", days == 1 ? nil : String(days)), ("first", text(first)), ("last", text(last)),
      ("count", count.map(String.init)),
    ]
  }

  /// Takes the value of a name in a text; whether there is such a name and the value is one.
  private mutating func take(_ value: Substring, of name: Substring) -> Bool {
    func moment() -> Moment? {
      guard value.first == "@" else { return nil }
      return DecimalText.number(value.dropFirst(), digits: 6).map { Moment(microseconds: $0) }
    }
    switch name {
    case "weekdays":
      let numbers = value.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      weekdays = Set(numbers)
      return numbers.allSatisfy((1...7).contains)
    case "days":
      days = Int(value) ?? 0
      return days > 0
    case "count":
      count = Int(value)
      return count != nil
    case "first":
      first = moment()
      return first != nil
    case "last":
      last = moment()
      return last != nil
    default: return false
    }
  }

  init?(words: some Sequence<String>) {
    var components = DateComponents()
    var zone: String?
    var rest: [(value: Substring, name: Substring)] = []
    for word in words {
      guard let sign = word.firstIndex(of: "=") else { return nil }
      let (name, value) = (word[..<sign], word[word.index(after: sign)...])
      if name == "zone" {
        zone = String(value)
      } else if let known = CalendarPattern.known.first(where: { $0.name == name }), let number = Int(value) {
        components.setValue(number, for: known.component)
      } else {
        rest.append((value, name))
      }
    }
    self.init(components, zone: zone)
    for (value, name) in rest {
      guard take(value, of: name) else { return nil }
    }
  }
}
