import SequencePlatform
import SequenceFiles
import SequenceRunner

/// A reader for workouts of Zwift.
///
/// Steps become countdowns with power and cadence in the note, and `IntervalsT` becomes a group. Source:
/// the elements of Zwift's own workouts, as listed by github.com/h4l/zwift-workout-file-reference.
struct ZwiftReader: WorkoutReader {
  private var report: ImportReport
  private var title = ""
  private var elements: [SequenceElement] = []
  private var messages: [TimedMessage] = []
  private var boundaries = Boundaries()
  /// The names of the open elements, outermost first.
  private var path: [String] = []
  private var start: Duration = .zero
  private var text = ""
  /// Whether the workout is a run: some programs write a meaningless pace for rides.
  private let isRun: Bool

  static let readsJSON = false

  static func recognizes(_ text: String) -> Bool { text.prefix(4096).contains("<workout_file") }

  static func sequence(
    from text: String, named name: String, as format: WorkoutFormat, _ report: inout ImportReport
  ) throws(ImportError) -> SequenceDefinition {
    let events = try MarkupEvent.events(of: text)
    var reader = ZwiftReader(report: report, isRun: isRun(events))
    for event in events {
      switch event.kind {
      case .start(let name, let attributes):
        reader.dropText()
        try reader.begin(name, ZwiftAttributes(attributes), line: event.line)
        reader.path.append(name)
      case .text(let text): reader.text += text
      case .comment: reader.report.drop("comment")
      case .end:
        try reader.end(line: event.line)
        reader.dropText()
        reader.path.removeLast()
      }
    }
    report = reader.report
    let title = reader.title.isEmpty ? PlainText.title(ofFileNamed: name, &report) : reader.title
    let elements = TimedMessage.place(reader.messages, in: reader.elements, &report)
    return SequenceDefinition(title) { for element in elements { element } }
  }

  private init(report: ImportReport, isRun: Bool) {
    self.report = report
    self.isRun = isRun
  }

  private static func isRun(_ events: [MarkupEvent]) -> Bool {
    zip(events, events.dropFirst()).contains { event, next in
      guard case .start(let name, _) = event.kind, name.lowercased() == "sporttype",
        case .text(let sport) = next.kind
      else { return false }
      return sport[...].trimming(while: \.isWhitespace).lowercased() == "run"
    }
  }

  private mutating func begin(
    _ name: String, _ attributes: ZwiftAttributes, line: Int
  ) throws(ImportError) {
    switch path.count {
    case 0:
      guard name.lowercased() == "workout_file" else {
        throw ImportError(
          "a Zwift workout begins with workout_file, not with \(quoted(name))", line: line)
      }
    case 1:
      for attribute in attributes.rest {
        report.drop("attribute \(PlainText.name(attribute)) of \(PlainText.name(name))")
      }
    case 2 where path[1].lowercased() == "workout": try step(name, attributes, line: line)
    case 3 where path[1].lowercased() == "workout": try inner(name, attributes, line: line)
    default: report.drop("element \(PlainText.name(name))")
    }
  }

  private mutating func dropText() {
    if let name = path.last, text.contains(where: { !$0.isWhitespace }) {
      report.drop("text in \(PlainText.name(name))")
    }
    text = ""
  }

  private mutating func end(line: Int) throws(ImportError) {
    guard path.count == 2, let name = path.last, name.lowercased() != "workout" else { return }
    defer { text = "" }
    let lines = PlainText.lines(text, &report)
    switch name.lowercased() {
    case "name": title = lines.joined(separator: " ")
    case "description": report.comments += lines
    case "author": report.comments += lines.map { "by \($0)" }
    case "durationtype":
      guard lines.first?.lowercased() != "distance" else {
        throw ImportError(
          "the steps have distances instead of times, so there is nothing to count down", line: line)
      }
    case "tags": report.drop("text in tags", count: lines.isEmpty ? 0 : 1)
    default: report.drop("element \(PlainText.name(name))")
    }
  }

  private mutating func step(
    _ name: String, _ attributes: ZwiftAttributes, line: Int
  ) throws(ImportError) {
    var attributes = attributes
    start = boundaries.exact
    switch name.lowercased() {
    case "steadystate", "solidstate": try card("Steady", &attributes, line: line)
    case "warmup": try card("Warm-up", &attributes, line: line)
    case "cooldown": try card("Cool-down", isDownward: true, &attributes, line: line)
    case "ramp": try card("Ramp", &attributes, line: line)
    case "freeride": try card("Free ride", &attributes, line: line)
    case "maxeffort": try card("Max effort", &attributes, line: line)
    case "intervalst": try intervals(&attributes, line: line)
    case "textevent", "textnotification": return try inner(name, attributes, line: line)
    default: return report.drop("element \(PlainText.name(name))")
    }
    for name in attributes.rest { report.drop("attribute \(PlainText.name(name))") }
  }

  private mutating func card(
    _ title: String, isDownward: Bool = false, _ attributes: inout ZwiftAttributes, line: Int
  ) throws(ImportError) {
    let duration = try boundaries.step(of: try time("Duration", &attributes, line: line), line: line)
    let pace = pace(&attributes)
    let notes = attributes.notes(of: pace, isDownward: isDownward, &report)
    guard duration > .zero else { return report.drop("step without time") }
    elements.append(.card(countdown(title, pace, duration, notes)))
  }

  private mutating func intervals(
    _ attributes: inout ZwiftAttributes, line: Int
  ) throws(ImportError) {
    let count = attributes.take("Repeat") ?? "1"
    guard let rounds = Int(count), (0...SequenceLimits.mostSteps).contains(rounds) else {
      throw ImportError(
        "\(quoted(count)) is not a number of rounds from 0 to \(SequenceLimits.mostSteps)",
        line: line)
    }
    let times = [
      try time("OnDuration", &attributes, line: line), try time("OffDuration", &attributes, line: line),
    ]
    let durations = try boundaries.rounds(rounds, of: times, line: line)
    let pace = pace(&attributes)
    let notes = [
      attributes.notes(on: "On", of: pace, &report),
      attributes.notes(on: "Off", of: pace, cadence: "CadenceResting", &report),
    ]
    var cards: [SequenceElement] = []
    for (title, (duration, notes)) in zip(["Work", "Rest"], zip(durations, notes)) where duration > .zero {
      cards.append(.card(countdown(title, pace, duration, notes)))
    }
    guard rounds > 0, !cards.isEmpty else { return report.drop("step without time") }
    elements += rounds == 1 ? cards : [.group(Group(rounds: .times(rounds), elements: cards))]
  }

  /// Reads a message that is shown during a step, or during the workout if it is next to the steps.
  private mutating func inner(
    _ name: String, _ attributes: ZwiftAttributes, line: Int
  ) throws(ImportError) {
    guard ["textevent", "textnotification"].contains(name.lowercased()) else {
      return report.drop("element \(PlainText.name(name))")
    }
    var attributes = attributes
    let message = attributes.take("message") ?? attributes.take("text")
    let offset = attributes.take("timeoffset")
    let distance = attributes.take("distoffset")
    for rest in attributes.rest {
      report.drop("attribute \(PlainText.name(rest)) of \(PlainText.name(name))")
    }
    let text = PlainText.line(message ?? "", &report)
    guard !text.isEmpty else { return report.drop("message without text") }
    guard offset != nil || distance == nil else { return report.drop("message at a distance") }
    // A message without a time is shown at once.
    guard let moment = offset.map({ DecimalNumber.duration($0) }) ?? .zero else {
      return report.drop("message at \(quoted(PlainText.name(offset ?? "")))")
    }
    messages.append(TimedMessage(moment: (path.count == 2 ? .zero : start) + moment, text: text))
  }

  private func countdown(
    _ title: String, _ pace: String?, _ duration: Duration, _ notes: [String]
  ) -> Card {
    Card(
      pace.map { "\(title), \($0)" } ?? title, .countdown(duration, advance: .automatic),
      note: notes.isEmpty ? nil : notes.joined(separator: "; "))
  }

  private mutating func pace(_ attributes: inout ZwiftAttributes) -> String? {
    guard let pace = attributes.take("pace").map({ PlainText.line($0, &report) }), !pace.isEmpty else {
      return nil
    }
    guard isRun else {
      report.drop("attribute pace")
      return nil
    }
    // The best times of a runner, as listed by github.com/breiko83/zwo-editor.
    let races = ["1 mile", "5 km", "10 km", "half marathon", "marathon"]
    guard let index = Int(pace), races.indices.contains(index) else { return "pace \(pace)" }
    return "\(races[index]) pace"
  }

  /// Takes a time in seconds; zero if it is missing.
  private func time(
    _ name: String, _ attributes: inout ZwiftAttributes, line: Int
  ) throws(ImportError) -> Duration {
    guard let text = attributes.take(name) else { return .zero }
    guard let time = DecimalNumber.duration(text) else {
      throw ImportError("\(quoted(text)) is not a \(name) in seconds", line: line)
    }
    return time
  }
}

/// The attributes of a Zwift element, which are taken one by one; names ignore case.
struct ZwiftAttributes {
  private var values: [(name: String, value: String)]

  init(_ attributes: [(name: String, value: String)]) { values = attributes }

  var rest: [String] { values.map(\.name) }

  mutating func take(_ name: String) -> String? {
    guard let index = values.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) else {
      return nil
    }
    return values.remove(at: index).value
  }

  /// Takes the power, the cadence and similar attributes, and returns them as parts of a note.
  ///
  /// - Parameters:
  ///   - on: the word in the names of the power: empty, or `On` or `Off` in intervals.
  ///   - pace: the pace to which the power is relative; `nil` for the FTP.
  ///   - isDownward: whether the larger power is first.
  ///   - cadence: the name of the cadence.
  mutating func notes(
    on: String = "", of pace: String?, isDownward: Bool = false, cadence: String = "Cadence",
    _ report: inout ImportReport
  ) -> [String] {
    var notes: [String] = []
    let single = take(on.isEmpty ? "Power" : "\(on)Power")
    let bounds = (take("Power\(on)Low"), take("Power\(on)High"))
    if let power = range(
      single.map { ($0, nil) } ?? bounds, scale: 100, isDownward: isDownward, "power", &report)
    {
      notes.append("\(power.replacing(" to ", with: " % to ")) % of \(pace ?? "FTP")")
    }
    if let zone = take(on.isEmpty ? "Zone" : "Power\(on)Zone") {
      notes.append("zone \(PlainText.line(zone, &report))")
    }
    let cadences = on == "Off" ? (nil, nil) : (take("CadenceLow"), take("CadenceHigh"))
    if let cadence = range(take(cadence).map { ($0, nil) } ?? cadences, scale: 1, "cadence", &report) {
      notes.append("\(cadence) rpm")
    }
    return notes
  }

  /// Returns one number, or two different numbers such as `25 to 75`; `nil` without any.
  private func range(
    _ bounds: (String?, String?), scale: Double, isDownward: Bool = false, _ what: String,
    _ report: inout ImportReport
  ) -> String? {
    var numbers: [Double] = []
    for text in [bounds.0, bounds.1].compactMap({ $0 }) {
      if let number = DecimalNumber.number(text.filter { !$0.isWhitespace }) {
        numbers.append(number)
      } else {
        report.drop("\(what) \(quoted(PlainText.name(text)))")
      }
    }
    if isDownward { numbers.sort(by: >) }
    let texts = numbers.map { DecimalNumber.short($0 * scale) }
    guard let first = texts.first, let last = texts.last else { return nil }
    return first == last ? first : "\(first) to \(last)"
  }
}
