import CSequenceLinux
import FoundationEssentials
import Glibc
import SequenceClient
import SequencePlatform
import SequenceRunner
import SequenceStore

/// The properties of an argument that parsing, help, completion and the manual read.
protocol ArgumentSpec: Sendable {
  var name: String { get }
  var isOptional: Bool { get }
  var kind: ValueKind { get }
  /// Whether a word that begins with a minus and a digit is the argument and not an option.
  var takesNegativeNumbers: Bool { get }
  /// Returns how many of some words are the argument, which are joined by spaces.
  func count(in words: [String]) -> Int
  func check(_ text: String) throws(Failure)
}

extension ArgumentSpec {
  var usage: String { isOptional ? "[\(name)]" : name }
}

struct Argument<Value: Sendable>: ArgumentSpec {
  var name: String { makeName() }
  let isOptional: Bool
  let kind: ValueKind
  let takesNegativeNumbers: Bool
  let parse: @Sendable (String) throws(Failure) -> Value
  private let counted: @Sendable ([String]) -> Int
  /// Called for messages and help only: every command builds the table of all commands.
  private let makeName: @Sendable () -> String

  init(
    _ name: @autoclosure @escaping @Sendable () -> String, isOptional: Bool = false, kind: ValueKind = .text,
    takesNegativeNumbers: Bool = false, counted: @escaping @Sendable ([String]) -> Int = { _ in 1 },
    parse: @escaping @Sendable (String) throws(Failure) -> Value
  ) {
    makeName = name
    self.isOptional = isOptional
    self.kind = kind
    self.takesNegativeNumbers = takesNegativeNumbers
    self.counted = counted
    self.parse = parse
  }

  func count(in words: [String]) -> Int { counted(words) }

  func check(_ text: String) throws(Failure) { _ = try parse(text) }
}

extension Argument<String> {
  init(_ name: String, isOptional: Bool = false, kind: ValueKind = .text) {
    self.init(name, isOptional: isOptional, kind: kind, parse: { $0 })
  }
}

extension Argument where Value: CaseIterable & RawRepresentable<String> {
  /// An argument that takes one of several words, which are its name.
  ///
  /// - Parameter noun: the word for a value in messages, such as "action".
  init(of noun: LocalizedText, isOptional: Bool = false) {
    self.init(
      Value.allCases.map(\.rawValue).joined(separator: "|"), isOptional: isOptional,
      kind: .words(of: Value.self)
    ) { text throws(Failure) in
      guard let value = Value(rawValue: text) else {
        throw Failure(
          usage: "unknown \(noun) \(quote(text))", remedy: "use \(ValueKind.list(of: Value.self))")
      }
      return value
    }
  }
}

/// The properties of an option that parsing, help, completion and the manual read.
protocol OptionSpec: Sendable {
  /// The long name, without its two hyphens.
  var name: String { get }
  var short: String? { get }
  var value: String? { get }
  var summary: LocalizedText { get }
  var isRepeatable: Bool { get }
  var kind: ValueKind? { get }
  func check(_ text: String) throws(Failure)
}

extension OptionSpec {
  var short: String? { nil }

  func isWritten(_ word: String) -> Bool { word == "--" + name || short.map { word == "-" + $0 } == true }

  /// The forms of the option with the name of its value, such as `--help, -h` or `--rounds N`.
  var usage: String {
    "--\(name)" + (short.map { ", -\($0)" } ?? "") + (value.map { " \($0)" } ?? "")
  }
}

struct Flag: OptionSpec {
  let name: String
  let short: String?
  let summary: LocalizedText
  var value: String? { nil }
  var kind: ValueKind? { nil }
  var isRepeatable: Bool { false }

  init(_ name: String, short: String? = nil, _ summary: LocalizedText) {
    self.name = name
    self.short = short
    self.summary = summary
  }

  func check(_: String) {}
}

extension Flag {
  static let json = Flag("json", "print JSON")
  static let help = Flag("help", short: "h", "show this help")
}

struct Option<Value: Sendable>: OptionSpec {
  let name: String
  let value: String?
  let summary: LocalizedText
  let isRepeatable: Bool
  let kind: ValueKind?
  let parse: @Sendable (String) throws(Failure) -> Value

  init(
    _ name: String, _ value: String, _ summary: LocalizedText, isRepeatable: Bool = false,
    kind: ValueKind = .text,
    parse: @escaping @Sendable (String) throws(Failure) -> Value
  ) {
    self.name = name
    self.value = value
    self.summary = summary
    self.isRepeatable = isRepeatable
    self.kind = kind
    self.parse = parse
  }

  func check(_ text: String) throws(Failure) { _ = try parse(text) }
}

extension Option<String> {
  init(
    _ name: String, _ value: String, _ summary: LocalizedText, isRepeatable: Bool = false,
    kind: ValueKind = .text
  ) {
    self.init(name, value, summary, isRepeatable: isRepeatable, kind: kind, parse: { $0 })
  }
}

extension Option where Value: CaseIterable & RawRepresentable<String> {
  init(_ name: String, _ value: String, _ summary: LocalizedText) {
    self.init(name, value, summary, kind: .words(of: Value.self)) { text throws(Failure) in
      guard let choice = Value(rawValue: text) else {
        throw Failure(
          usage: "--\(name) cannot be \(quote(text))", remedy: "use \(ValueKind.list(of: Value.self))")
      }
      return choice
    }
  }
}

enum ValueKind: Equatable, Sendable {
  case text
  case choice([String])
  case file
  case directory
  /// A sequence file, or the name of a sequence of the library.
  case sequence
  /// A sequence, or what to do with the schedules.
  case scheduled
  case command
  case starter
  /// A card of the sequence that the command line names.
  case card
  /// The title and the length of such a card, as in `Work=40s`.
  case cardLength
  case activeRun
  /// An active run, or one that has ended.
  case run
  /// A run that has ended, or the word `delete` before one.
  case endedRun
  /// A card of an active run, by its id.
  case activeCard
  /// The sequence of an active run, by its id.
  case activeSequence
  case label

  static func words<Value: CaseIterable & RawRepresentable<String>>(of _: Value.Type) -> ValueKind {
    .choice(Value.allCases.map(\.rawValue))
  }

  /// The raw values of an enum as text, such as `day, week or sequence`.
  static func list<Value: CaseIterable & RawRepresentable<String>>(of _: Value.Type) -> LocalizedText {
    alternatives(Value.allCases.map(\.rawValue))
  }
}

/// A date on the command line, of which `history` and `stats` show everything since its beginning.
enum DateArgument: Equatable {
  case moment(Moment)
  /// The beginning of a day.
  case day(CivilDay)
  /// The beginning of the day this many days before today.
  case daysAgo(Int)
  /// The beginning of the last day of the week with this number, from 0 for Monday, which may be today.
  case weekday(Int)
  /// The beginning of the week.
  case week
  /// The beginning of the month.
  case month

  static let since = Option<DateArgument>(
    "since", "DATE", "only runs since DATE (2026-11-21, today, monday, 7d)", parse: parse)

  /// Parses a local date, which means its beginning, a number of days, or ISO 8601 with a time and a zone.
  static func parse(_ text: String) throws(Failure) -> DateArgument {
    if let day = day(text) { return .day(day) }
    if let days = daysAgo(text) { return .daysAgo(days) }
    if let word = word(text.lowercased()) { return word }
    for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
      // A text of neither form is rejected below.
      if let date = try? style.parse(text) { return .moment(Moment(date)) }
    }
    throw Failure(
      usage: "\(quote(text)) is not a valid date",
      remedy: "write it like 2026-11-21, today, monday, 7d or 2026-11-21T09:00:00Z")
  }

  func moment(at now: Moment, _ days: LocalDays) -> Moment {
    let today = days.day(of: now).day
    return switch self {
    case .moment(let moment): moment
    case .day(let day): days.start(of: day)
    case .daysAgo(let count): days.start(of: today + -count)
    case .weekday(let weekday): days.start(of: today.last(weekday: weekday))
    case .week: days.start(of: days.week(of: today))
    case .month: days.start(of: today.month)
    }
  }

  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  private static func word(_ text: String) -> DateArgument? {
    switch text {
    case "week", "this week": .week
    case "month", "this month": .month
    default: weekdays.firstIndex { $0 == text || $0.prefix(3) == text }.map(DateArgument.weekday)
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
