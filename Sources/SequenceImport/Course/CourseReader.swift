import SequencePlatform
import SequenceFiles
import SequenceRunner

/// A reader for `.erg` and `.mrc` files: a curve of power over time whose points become the boundaries of steps.
///
/// There is no specification; this follows GoldenCheetah (src/Train/ErgFile.cpp).
struct CourseReader {
  private var draft: WorkoutDraft
  private var isPercent: Bool
  private var points: [Point] = []
  private var cues: [CourseCue] = []
  private var fileName: String?

  /// A point of the curve.
  private struct Point {
    let time: Duration
    let power: Double
    let line: Int
  }

  /// - Parameter isPercent: whether power is in percent if the header does not set the unit.
  static func draft(
    of text: String, named name: String, isPercent: Bool, _ report: ImportReport
  ) throws(ImportError) -> WorkoutDraft {
    var reader = CourseReader(
      draft: WorkoutDraft(title: "", report: report), isPercent: isPercent)
    try reader.read(text)
    try reader.makeSteps()
    reader.placeCues()
    if reader.draft.title.isEmpty {
      reader.draft.title = PlainText.title(ofFileNamed: reader.fileName ?? name, &reader.draft.report)
    }
    return reader.draft
  }

  private init(draft: WorkoutDraft, isPercent: Bool) {
    self.draft = draft
    self.isPercent = isPercent
  }

  private mutating func read(_ text: String) throws(ImportError) {
    var section: CourseSection?
    var hasData = false
    // A single carriage return also ends a line; with a line feed it is one character in Swift.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let line = line.trimming(while: \.isWhitespace)
      if line.isEmpty || line.hasPrefix(";") { continue }
      switch CourseSection.mark(line) {
      case .begin(let begun):
        section = begun
        hasData = hasData || begun == .data
      case .end: section = nil
      case .unknown(let name):
        section = nil
        draft.report.drop("section \(PlainText.name(name))")
      case nil:
        switch section {
        case .header: try header(line, line: index + 1)
        case .data: try data(line, line: index + 1)
        case .text: cue(line)
        case nil: draft.report.drop("line outside of the sections")
        }
      }
    }
    guard hasData else { throw ImportError("[COURSE DATA] with the times is missing") }
  }

  private mutating func header(_ line: Substring, line number: Int) throws(ImportError) {
    guard let equals = line.firstIndex(of: "=") else { return try units(line, line: number) }
    let key = line[..<equals].trimming(while: \.isWhitespace).uppercased()
    let value = PlainText.line(line[line.index(after: equals)...], &draft.report)
    guard !value.isEmpty else { return }
    switch key {
    case "DESCRIPTION": draft.title = value
    case "FILE NAME": fileName = value
    case "FTP": draft.comments.append("FTP \(value) W")
    case "VERSION", "UNITS": break
    default: draft.report.drop("setting \(PlainText.name(key))")
    }
  }

  /// Reads the line with the units of the columns.
  private mutating func units(_ line: Substring, line number: Int) throws(ImportError) {
    switch line.uppercased().split(whereSeparator: \.isWhitespace) {
    case ["MINUTES", "WATTS"]: isPercent = false
    case ["MINUTES", "PERCENT"], ["MINUTES", "FTP"]: isPercent = true
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
    let words = line.prefix { $0 != ";" }.split { $0.isWhitespace || $0 == "," }
    if words.contains(where: { $0.uppercased() == "LAP" }) { return draft.report.drop("lap marker") }
    guard words.count == 2, let time = DecimalNumber.duration(words[0], unit: 60),
      let power = DecimalNumber.number(words[1].hasSuffix("%") ? words[1].dropLast() : words[1])
    else {
      throw ImportError("\(quoted(String(line))) is not a pair of minutes and power", line: number)
    }
    guard time >= points.last?.time ?? .zero else {
      throw ImportError(
        "\(quoted(String(line))) is earlier than the line above", remedy: "sort the lines by time",
        line: number)
    }
    if words[1].hasSuffix("%") { isPercent = true }
    // The first power applies from the start, even if the curve begins later.
    if points.isEmpty, time > .zero { points.append(Point(time: .zero, power: power, line: number)) }
    points.append(Point(time: time, power: power, line: number))
  }

  private mutating func cue(_ line: Substring) {
    guard let cue = CourseCue(line, &draft.report) else {
      return draft.report.drop("message without a time or a text")
    }
    cues.append(cue)
  }

  /// Adds a step between each two points; two points with the same time are a jump and no step.
  private mutating func makeSteps() throws(ImportError) {
    var boundaries = Boundaries()
    for (from, to) in zip(points, points.dropFirst()) {
      let duration = try boundaries.step(of: to.time - from.time, line: to.line)
      guard duration > .zero else { continue }
      let ends = [from.power, to.power].map {
        DecimalNumber.short($0) + (isPercent ? " %" : " W")
      }
      let (title, note) =
        ends[0] == ends[1]
        ? ("Steady", ends[0])
        : (from.power < to.power ? "Ramp up" : "Ramp down", ends.joined(separator: " to "))
      draft.elements.append(
        .card(
          WorkoutCard(
            title: title, notes: [note + (isPercent ? " of FTP" : "")],
            timing: .countdown(duration, advance: .automatic))))
    }
  }

  private mutating func placeCues() {
    let isInMinutes = CourseCue.areInMinutes(cues, of: points.last?.time ?? .zero)
    if isInMinutes { draft.report.change("time of a message read as minutes", count: cues.count) }
    draft.place(cues.compactMap { $0.cue(unit: isInMinutes ? 60 : 1) })
  }
}
