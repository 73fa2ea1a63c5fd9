import SequencePlatform
import SequenceRunner

/// A time of day as people write it, such as `14:30`, `7pm`, `7:30 in the evening` or `noon`.
package struct TimeOfDay: Equatable, Sendable {
  package let hour: Int
  package let minute: Int
  /// The time as clocks of the user's locale show it, such as `07:52` or `7:52 AM`.
  package var shown: String { clockTime(hour: hour, minute: minute) }
  /// The time as a clock of 24 hours shows it, such as `07:52`.
  package var text: String {
    [hour, minute].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
  }

  /// - Returns: `nil` for numbers that no clock shows.
  package init?(hour: Int, minute: Int) {
    guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
    self.hour = hour
    self.minute = minute
  }

  package static let midnight = TimeOfDay()

  private init() { (hour, minute) = (0, 0) }

  /// The time of a text: hours and two digits of minutes, or hours of a half of the day, or `noon`, `12 noon`,
  /// `midnight`, `12 midnight`; `nil` for another text.
  package init?(_ text: String) {
    var clock = text.lowercased()[...]
    let name = clock.hasPrefix("12 ") ? clock.dropFirst(3) : clock
    guard name != "noon", name != "midnight" else {
      (hour, minute) = (name == "noon" ? 12 : 0, 0)
      return
    }
    let half = TimeOfDay.takeHalf(&clock)
    // A point is that of a number unless a half of the day follows, as in `7.30pm`.
    let separator: Character = half != nil && clock.contains(".") ? "." : ":"
    let parts = clock.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }),
      parts[0].utf8.count <= 2,
      parts.count == 2 && parts[1].utf8.count == 2 || parts.count == 1 && half != nil,
      let hour = Int(parts[0]), let minute = parts.count == 1 ? 0 : Int(parts[1]), minute < 60,
      half == nil ? hour < 24 : (1...12).contains(hour)
    else { return nil }
    self.hour = half.map { hour % 12 + $0 } ?? hour
    self.minute = minute
  }

  private static let halves = [
    ("am", 0), ("a.m.", 0), ("pm", 12), ("p.m.", 12), ("in the morning", 0), ("in the afternoon", 12),
    ("in the evening", 12),
  ]

  /// Removes the half of the day from the end of a text in lower case; returns its first hour.
  private static func takeHalf(_ text: inout Substring) -> Int? {
    guard let (name, hour) = halves.first(where: { text.hasSuffix($0.0) }) else { return nil }
    text = text.dropLast(name.count)
    if text.last == " " { text.removeLast() }
    return hour
  }

  /// Refuses a word with a half of the day that isn't a time, such as `13pm`.
  static func check(_ word: Substring) throws(Problem) {
    var clock = word.lowercased()[...]
    guard TimeOfDay(String(word)) == nil, let half = takeHalf(&clock), clock.first?.isNumber == true,
      clock.allSatisfy({ $0.isNumber || $0 == ":" })
    else { return }
    let hours = clock.prefix { $0 != ":" }
    let hour = Int(hours) ?? 0
    let isAfternoon = half == 12 || hour > 12
    let other = "\(hour == 0 ? 12 : hour - 12)\(clock[hours.endIndex...])\(isAfternoon ? "pm" : "am")"
    throw Problem(
      "\(quoted(String(word))) is not a time of day",
      remedy: TimeOfDay(other) == nil ? "write it like 7pm or 7:30am" : "write \(other)")
  }

  // MARK: - Times among words

  /// The words before a time of day, as in `until 19:00`.
  private static let prepositions: Set<String> = ["until", "till", "til", "at", "by", "before", "to", "@"]

  /// Finds a time at an end of words without a duration, behind a preposition, as in `until 19:00`, or so that it can't
  /// be a duration, as in `7pm`.
  ///
  /// - Returns: the time, and the range of its words with the preposition; `nil` if there is none, or if the only other
  ///   word is a number.
  package static func find(in words: [Substring]) -> (time: TimeOfDay, range: Range<Int>)? {
    for count in [5, 3, 2] where count <= words.count {
      for range in [0..<count, words.count - count..<words.count] {
        guard prepositions.contains(words[range.lowerBound].lowercased()),
          let time = TimeOfDay(words[range.dropFirst()].joined(separator: " ")),
          !hasDuration(others(words, range))
        else { continue }
        return (time, range)
      }
    }
    for count in [4, 2, 1] where count <= words.count {
      for range in [0..<count, words.count - count..<words.count] {
        guard let time = TimeOfDay(words[range].joined(separator: " ")) else { continue }
        let others = others(words, range)
        if others.count == 1, DurationText.isPlainNumber(others[0]) { return nil }
        // The 7:30 of "7:30 pm" would be a duration alone.
        let name = words[range].dropFirst().joined(separator: " ").lowercased()
        let hasHalf = halves.contains { $0.0 == name }
        if !hasDuration(hasHalf ? others : words) { return (time, range) }
      }
    }
    return nil
  }

  private static func others(_ words: [Substring], _ range: Range<Int>) -> [Substring] {
    Array(words[..<range.lowerBound] + words[range.upperBound...])
  }

  private static func hasDuration(_ words: [Substring]) -> Bool {
    !words.isEmpty
      && (DurationText.find(in: words) != nil || DurationText.find(in: words, atEnd: true) != nil)
  }
}
