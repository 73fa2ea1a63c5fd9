package import FoundationEssentials

/// The date components that must match, and their time zone.
package struct CalendarPattern: Hashable, Sendable {
  /// The components, without calendar and time zone.
  package let components: DateComponents
  /// The identifier of the time zone; `nil` for the time zone of the system.
  package let zone: String?

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

  /// The pattern of some components.
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
    } + (zone.map { ["zone=\($0)"] } ?? [])
  }

  /// Reads the words of a pattern; `nil` if one of them is not known.
  init?(words: some Sequence<String>) {
    var components = DateComponents()
    var zone: String?
    for word in words {
      guard let sign = word.firstIndex(of: "=") else { return nil }
      let (name, value) = (word[..<sign], word[word.index(after: sign)...])
      if name == "zone" {
        zone = String(value)
      } else if let known = CalendarPattern.known.first(where: { $0.name == name }), let number = Int(value) {
        components.setValue(number, for: known.component)
      } else {
        return nil
      }
    }
    self.init(components, zone: zone)
  }
}
