import CSequenceLinux
import FoundationEssentials
import Glibc
import SequenceClient
import SequencePlatform
import SequenceRunner
import SequenceStore

/// A date on the command line, of which `history` and `stats` show everything since its beginning.
enum DateArgument: Equatable {
  /// A moment, such as the beginning of a date in local time.
  case moment(Moment)
  /// The beginning of the day this many days before today.
  case daysAgo(Int)

  static let since = Option<DateArgument>(
    "since", "DATE", "only runs since DATE (2026-11-21, yesterday, 7d)", parse: parse)

  /// Parses a local date, which means its beginning, a number of days, or ISO 8601 with a time and a zone.
  static func parse(_ text: String) throws(Failure) -> DateArgument {
    if let day = day(text) { return .moment(LocalDays.start(of: day)) }
    if let days = daysAgo(text) { return .daysAgo(days) }
    for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
      // A text of neither form is rejected below.
      if let date = try? style.parse(text) { return .moment(Moment(date)) }
    }
    throw Failure(
      usage: "\(quote(text)) is not a valid date",
      remedy: "write it like 2026-11-21, yesterday, 7d or 2026-11-21T09:00:00Z")
  }

  func moment(at now: Moment) -> Moment {
    switch self {
    case .moment(let moment): moment
    case .daysAgo(let days): LocalDays.start(of: LocalDays().day(of: now).day + -days)
    }
  }

  private static func daysAgo(_ text: String) -> Int? {
    switch text {
    case "today": return 0
    case "yesterday": return 1
    default:
      guard text.hasSuffix("d"), text.utf8.dropLast().allSatisfy({ (48...57).contains($0) }) else {
        return nil
      }
      return Int(text.dropLast()).flatMap { $0 <= mostDays ? $0 : nil }
    }
  }

  /// A century.
  private static let mostDays = 36_525

  private static func day(_ text: String) -> CivilDay? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, text.count == 10, let year = Int(parts[0]), let month = Int(parts[1]),
      let number = Int(parts[2]), (1...12).contains(month)
    else { return nil }
    let day = CivilDay(year: year, month: month, day: number)
    // `CivilDay` would turn the 31st of April into the 1st of May.
    return day.date == (year, month, number) ? day : nil
  }
}

/// A local time of day on the command line, such as `14:30`, `7pm` or `noon`.
struct TimeOfDay: Equatable {
  let hour: Int
  let minute: Int

  /// The time of a text: hours and two digits of minutes, or hours of a half of the day, or `noon`, `12 noon`,
  /// `midnight`, `12 midnight`; `nil` for another text.
  init?(_ text: String) {
    var clock = text.lowercased()[...]
    let name = clock.hasPrefix("12 ") ? clock.dropFirst(3) : clock
    guard name != "noon", name != "midnight" else {
      (hour, minute) = (name == "noon" ? 12 : 0, 0)
      return
    }
    var half: Int?
    for (name, hours) in [("am", 0), ("a.m.", 0), ("pm", 12), ("p.m.", 12)] where clock.hasSuffix(name) {
      clock = clock.dropLast(name.count)
      if clock.last == " " { clock.removeLast() }
      half = hours
    }
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }),
      parts[0].utf8.count <= 2,
      parts.count == 2 && parts[1].utf8.count == 2 || parts.count == 1 && half != nil,
      let hour = Int(parts[0]), let minute = parts.count == 1 ? 0 : Int(parts[1]), minute < 60,
      half == nil ? hour < 24 : (1...12).contains(hour)
    else { return nil }
    self.hour = half.map { hour % 12 + $0 } ?? hour
    self.minute = minute
  }

  func next(after now: Moment) -> Moment {
    var day = LocalDays().day(of: now).day
    while true {
      let moments = LocalDays.moments(of: day, hour: hour, minute: minute)
      if let next = moments.first(where: { $0 > now }) { return next }
      day = day + 1
    }
  }

  // MARK: - Times among words

  /// The words before a time of day, as in `until 19:00`.
  private static let prepositions: Set<String> = ["until", "till", "til", "at", "by", "before", "to", "@"]

  /// Finds a preposition and a time of day at an end of words that have no duration besides.
  ///
  /// - Returns: the range of the preposition and the time; `nil` if there is none.
  static func phrase(in words: [String]) -> Range<Int>? {
    for count in [3, 2] where count <= words.count {
      for range in [0..<count, words.count - count..<words.count] {
        let others = (words[..<range.lowerBound] + words[range.upperBound...]).map { $0[...] }
        if prepositions.contains(words[range.lowerBound].lowercased()),
          TimeOfDay(words[range.dropFirst()].joined(separator: " ")) != nil, !hasDuration(others)
        {
          return range
        }
      }
    }
    return nil
  }

  /// Finds a time that can't be a duration, such as `7pm`, at an end of words without a duration.
  ///
  /// - Returns: the time, and the range of its words; `nil` if there is none, or if the only other word is a
  ///   number.
  static func find(in words: [String]) -> (time: TimeOfDay, range: Range<Int>)? {
    for count in [2, 1] where count <= words.count {
      for range in [0..<count, words.count - count..<words.count] {
        guard let time = TimeOfDay(words[range].joined(separator: " ")) else { continue }
        let others = (words[..<range.lowerBound] + words[range.upperBound...]).map { $0[...] }
        if others.count == 1, DurationText.isPlainNumber(others[0]) { return nil }
        // The 7:30 of "7:30 pm" would be a duration alone.
        let hasHalf = count == 2 && halves.contains(words[range.upperBound - 1].lowercased())
        if !hasDuration(hasHalf ? others : words.map { $0[...] }) { return (time, range) }
      }
    }
    return nil
  }

  private static let halves: Set<String> = ["am", "a.m.", "pm", "p.m."]

  private static func hasDuration(_ words: [Substring]) -> Bool {
    !words.isEmpty
      && (DurationText.find(in: words) != nil || DurationText.find(in: words, atEnd: true) != nil)
  }
}
