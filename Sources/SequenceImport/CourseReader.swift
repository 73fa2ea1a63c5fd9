import SequencePlatform
import SequenceFiles
import SequenceRunner

/// A reader for `.erg` and `.mrc` files: a curve of power over time whose points become the boundaries of steps.
///
/// There is no specification; this follows GoldenCheetah (src/Train/ErgFile.cpp).
struct CourseReader: WorkoutReader {
  private var report: ImportReport
  private var title = ""
  private var isPercent: Bool
  private var points: [Point] = []
  private var messages: [CourseMessage] = []
  private var intervals: [Interval] = []
  private var fileName: String?

  private struct Point {
    /// The time as written.
    let exact: Duration
    /// The time to the precision of its digits.
    var time: Duration
    let power: Double
    let line: Int
  }

  private struct Interval {
    let times: Range<Duration>
    let name: String
  }

  static let readsJSON = false

  static func recognizes(_ text: String) -> Bool {
    let head = text.prefix(4096)
    return head.contains("[COURSE HEADER]") || head.contains("[COURSE DATA]")
  }

  static func sequence(
    from text: String, named name: String, as format: WorkoutFormat, _ report: inout ImportReport
  ) throws(ImportError) -> SequenceDefinition {
    // The header may set the unit.
    var reader = CourseReader(report: report, isPercent: format == .mrc)
    try reader.read(text)
    reader.restoreOrder()
    let cards = reader.withMessages(try reader.cards())
    report = reader.report
    let title =
      reader.title.isEmpty ? PlainText.title(ofFileNamed: reader.fileName ?? name, &report) : reader.title
    return SequenceDefinition(title) { for card in cards { card } }
  }

  private init(report: ImportReport, isPercent: Bool) {
    self.report = report
    self.isPercent = isPercent
  }

  private mutating func read(_ text: String) throws(ImportError) {
    var section: CourseSection?
    var hasData = false
    // A single carriage return also ends a line; with a line feed it is one character in Swift.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let line = line.trimming(while: \.isWhitespace)
      if line.isEmpty { continue }
      if line.hasPrefix(";") {
        report.drop("comment")
        continue
      }
      switch CourseSection.bracket(line) {
      case .begin(let begun):
        section = begun
        hasData = hasData || begun == .data
      case .end: section = nil
      case nil:
        switch section {
        case .header: try header(line, line: index + 1)
        case .data: try data(line, line: index + 1)
        case .text: message(line)
        case .intervals: interval(line)
        case .unknown(let name): report.drop("line of [\(PlainText.name(name))]")
        case nil: report.drop("line outside of the sections")
        }
      }
    }
    guard hasData else { throw ImportError("[COURSE DATA] with the times is missing") }
  }

  private mutating func header(_ line: Substring, line number: Int) throws(ImportError) {
    guard let equals = line.firstIndex(of: "=") else { return try units(line, line: number) }
    let key = line[..<equals].trimming(while: \.isWhitespace).uppercased()
    let value = PlainText.line(line[line.index(after: equals)...], &report)
    guard !value.isEmpty else { return }
    switch key {
    case "DESCRIPTION": title = value
    case "FILE NAME": fileName = value
    case "FTP": report.comments.append("FTP \(value) W")
    case "VERSION", "UNITS": break
    default: report.drop("setting \(PlainText.name(key))")
    }
  }

  private mutating func units(_ line: Substring, line number: Int) throws(ImportError) {
    switch line.uppercased().split(whereSeparator: \.isWhitespace) {
    case ["MINUTES", "WATTS"]: isPercent = false
    case ["MINUTES", "PERCENT"], ["MINUTES", "PERCENTAGE"], ["MINUTES", "FTP"]: isPercent = true
    case let columns where columns.first == "DISTANCE":
      throw ImportError(
        "this course has distances instead of times, so there is nothing to count down", line: number)
    default:
      throw ImportError(
        "\(quoted(String(line))) is neither a setting nor a pair of columns",
        remedy: "columns are MINUTES WATTS or MINUTES PERCENT",
        line: number)
    }
  }

  private mutating func data(_ line: Substring, line number: Int) throws(ImportError) {
    let parts = line.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count > 1 { report.drop("comment") }
    let words = parts[0].split { $0.isWhitespace || $0 == "," }
    if words.contains(where: { $0.uppercased() == "LAP" }) { return report.drop("lap marker") }
    guard words.count == 2, let time = DecimalNumber.duration(words[0], unit: 60),
      let power = DecimalNumber.number(words[1].hasSuffix("%") ? words[1].dropLast() : words[1])
    else {
      throw ImportError("\(quoted(String(line))) is not a pair of minutes and power", line: number)
    }
    guard time >= points.last?.exact ?? .zero else {
      throw ImportError(
        "\(quoted(String(line))) is earlier than the line above", remedy: "sort the lines by time",
        line: number)
    }
    if words[1].hasSuffix("%") { isPercent = true }
    // The first power applies from the start, even if the curve begins later.
    if points.isEmpty, time > .zero {
      points.append(Point(exact: .zero, time: .zero, power: power, line: number))
    }
    points.append(
      Point(exact: time, time: DecimalNumber.minutes(time, writtenAs: words[0]), power: power, line: number))
  }

  /// Takes the times as written if a rounded time comes before an earlier one.
  private mutating func restoreOrder() {
    guard zip(points, points.dropFirst()).contains(where: { $0.time > $1.time }) else { return }
    for index in points.indices { points[index].time = points[index].exact }
  }

  private mutating func interval(_ line: Substring) {
    let words = line.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    guard words.count == 3, let start = DecimalNumber.duration(words[0]),
      let end = DecimalNumber.duration(words[1]), start < end
    else { return report.drop("line of [INTERVAL DATA]") }
    let name = PlainText.line(words[2], &report)
    if !name.isEmpty { intervals.append(Interval(times: start..<end, name: name)) }
  }

  private mutating func message(_ line: Substring) {
    guard let message = CourseMessage(line, &report) else {
      return report.drop("message \(quoted(PlainText.name(line))) without a time or a text")
    }
    messages.append(message)
  }

  /// Returns a card between each two points; two points with the same time are a jump and no step.
  private mutating func cards() throws(ImportError) -> [SequenceElement] {
    var cards: [SequenceElement] = []
    var boundaries = Boundaries()
    var names = names()[...]
    var begun: [Interval] = []
    var used: Set<String> = []
    for (from, to) in zip(points, points.dropFirst()) {
      // Of intervals in each other the innermost is last.
      while let next = names.first, next.times.lowerBound <= from.time {
        begun.append(next); names.removeFirst()
      }
      while let last = begun.last, last.times.upperBound <= from.time { begun.removeLast() }
      let duration = try boundaries.step(of: to.time - from.time, line: to.line)
      guard duration > .zero else {
        if from.exact < to.exact { report.drop("step of less than a second") }
        continue
      }
      let name = begun.last?.name
      if let name { used.insert(name) }
      let ends = [from.power, to.power].map {
        DecimalNumber.short($0) + (isPercent ? " %" : " W")
      }
      let (kind, power) =
        ends[0] == ends[1]
        ? ("Steady", ends[0])
        : (from.power < to.power ? "Ramp up" : "Ramp down", ends.joined(separator: " to "))
      let title = "\(name ?? kind) \(power)" + (isPercent ? " of FTP" : "")
      cards.append(.card(Card(title, .countdown(duration, advance: .automatic))))
    }
    report.drop("name of an interval", count: intervals.count { !used.contains($0.name) })
    return cards
  }

  /// Returns the intervals with a name, outer before inner ones, without a name for the whole workout.
  private func names() -> [Interval] {
    let total = points.last?.time ?? .zero
    return intervals.filter { $0.times.lowerBound > .zero || $0.times.upperBound < total }
      .sorted {
        ($0.times.lowerBound, $1.times.upperBound) < ($1.times.lowerBound, $0.times.upperBound)
      }
  }

  private mutating func withMessages(_ cards: [SequenceElement]) -> [SequenceElement] {
    let isInMinutes = CourseMessage.areInMinutes(messages, of: points.last?.time ?? .zero)
    if isInMinutes { report.change("time of a message read as minutes", count: messages.count) }
    return TimedMessage.place(
      messages.compactMap { $0.timed(unit: isInMinutes ? 60 : 1) }, in: cards, &report)
  }
}

private enum CourseSection: Equatable {
  case header
  case data
  case text
  case intervals
  case unknown(String)

  private init(_ name: String) {
    self =
      switch name {
      case "COURSE HEADER": .header
      case "COURSE DATA": .data
      case "COURSE TEXT": .text
      case "INTERVAL DATA": .intervals
      default: .unknown(name)
      }
  }

  static func bracket(_ line: Substring) -> Bracket? {
    guard line.hasPrefix("["), line.hasSuffix("]") else { return nil }
    let name = line.dropFirst().dropLast().uppercased()
    return name.hasPrefix("END ") ? .end : .begin(CourseSection(name))
  }

  enum Bracket {
    case begin(CourseSection)
    case end
  }
}

/// A message of `[COURSE TEXT]`: a time, a text, and optionally a display time.
private struct CourseMessage {
  private let time: Substring
  private let text: String

  /// Parses a line; `nil` if it has no time or no text.
  ///
  /// Tabs separate the columns. Without tabs the time ends at the first space and the rest is text, even a
  /// number at the end, because nothing marks it as a display time.
  init?(_ line: Substring, _ report: inout ImportReport) {
    let columns = line.split(separator: "\t").map { $0.trimming(while: \.isWhitespace) }
    let time: Substring
    var words: [Substring]
    if let first = columns.first, columns.count > 1 {
      time = first
      words = Array(columns.dropFirst())
      // The display time is the last column, or the one after the time.
      let isNumber = words.map { DecimalNumber.duration($0) != nil }
      if words.count > 1, isNumber.last == true {
        words.removeLast()
        report.drop("display time of a message")
      } else if words.count > 1, isNumber.first == true {
        words.removeFirst()
        report.drop("display time of a message")
      }
    } else {
      time = line.prefix { !$0.isWhitespace }
      words = [line.dropFirst(time.count)]
    }
    text = PlainText.line(words.joined(separator: " "), &report)
    guard DecimalNumber.duration(time) != nil, !text.isEmpty else { return nil }
    self.time = time
  }

  /// Returns whether the times of the messages are minutes, like those of the points, rather than seconds.
  ///
  /// Most programs write seconds, without a fraction. The times are taken as minutes if any has a fraction
  /// and all of them are within the workout.
  static func areInMinutes(_ messages: [CourseMessage], of total: Duration) -> Bool {
    messages.contains { $0.time.contains(".") }
      && messages.allSatisfy { DecimalNumber.duration($0.time, unit: 60).map { $0 <= total } == true }
  }

  /// - Parameter unit: the unit of its time in seconds.
  func timed(unit: Int) -> TimedMessage? {
    DecimalNumber.duration(time, unit: unit).map { moment in
      TimedMessage(moment: unit == 60 ? DecimalNumber.minutes(moment, writtenAs: time) : moment, text: text)
    }
  }
}
