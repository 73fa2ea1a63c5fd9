import SequencePlatform
import SequenceFiles
import SequenceRunner

/// A reader for workouts of Zwift.
///
/// Steps become countdowns with power and cadence in the note, and `IntervalsT` becomes a group. Source:
/// the elements of Zwift's own workouts, as listed by github.com/h4l/zwift-workout-file-reference.
struct ZwiftReader {
  private var draft: WorkoutDraft
  private var boundaries = Boundaries()
  private var cues: [Cue] = []
  /// The names of the open elements, outermost first.
  private var path: [String] = []
  /// The start of the open step.
  private var start: Duration = .zero
  /// The text of the open element.
  private var text = ""

  static func draft(
    of text: String, named name: String, _ report: ImportReport
  ) throws(ImportError) -> WorkoutDraft {
    var reader = ZwiftReader(draft: WorkoutDraft(title: "", report: report))
    for event in try MarkupEvent.events(of: text) {
      switch event.kind {
      case .start(let name, let attributes):
        try reader.begin(name, ZwiftAttributes(attributes), line: event.line)
        reader.path.append(name)
        reader.text = ""
      case .text(let text): reader.text += text
      case .end:
        try reader.end(line: event.line)
        reader.path.removeLast()
      }
    }
    if reader.draft.title.isEmpty {
      reader.draft.title = PlainText.title(ofFileNamed: name, &reader.draft.report)
    }
    reader.draft.place(reader.cues)
    return reader.draft
  }

  private init(draft: WorkoutDraft) { self.draft = draft }

  private mutating func begin(
    _ name: String, _ attributes: ZwiftAttributes, line: Int
  ) throws(ImportError) {
    switch path.count {
    case 0:
      guard name.lowercased() == "workout_file" else {
        throw ImportError(
          "a Zwift workout begins with workout_file, not with \(quoted(name))", line: line)
      }
    case 1: break
    case 2 where path[1].lowercased() == "workout": try step(name, attributes, line: line)
    case 3 where path[1].lowercased() == "workout": try inner(name, attributes, line: line)
    default: draft.report.drop("element \(PlainText.name(name))")
    }
  }

  /// Reads the end of an element about the whole workout.
  private mutating func end(line: Int) throws(ImportError) {
    guard path.count == 2, let name = path.last else { return }
    let lines = PlainText.lines(text, &draft.report)
    switch name.lowercased() {
    case "name": draft.title = lines.joined(separator: " ")
    case "description": draft.comments += lines
    case "author": draft.comments += lines.map { "by \($0)" }
    case "durationtype":
      guard lines.first?.lowercased() != "distance" else {
        throw ImportError(
          "the steps have distances instead of times, so there is nothing to count down", line: line)
      }
    case "workout", "tags": break
    default: draft.report.drop("element \(PlainText.name(name))")
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
    case "cooldown": try card("Cool-down", &attributes, line: line)
    case "ramp": try card("Ramp", &attributes, line: line)
    case "freeride": try card("Free ride", &attributes, line: line)
    case "maxeffort": try card("Max effort", &attributes, line: line)
    case "intervalst": try intervals(&attributes, line: line)
    case "textevent", "textnotification": return try inner(name, attributes, line: line)
    default: return draft.report.drop("element \(PlainText.name(name))")
    }
    for name in attributes.rest { draft.report.drop("attribute \(PlainText.name(name))") }
  }

  private mutating func card(
    _ title: String, _ attributes: inout ZwiftAttributes, line: Int
  ) throws(ImportError) {
    let duration = try boundaries.step(of: try time("Duration", &attributes, line: line), line: line)
    let notes = attributes.notes(&draft.report)
    guard duration > .zero else { return draft.report.drop("step without time") }
    draft.elements.append(.card(countdown(title, duration, notes)))
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
    let notes = [
      attributes.notes(on: "On", &draft.report),
      attributes.notes(on: "Off", cadence: "CadenceResting", &draft.report),
    ]
    var cards: [WorkoutElement] = []
    for (title, (duration, notes)) in zip(["Work", "Rest"], zip(durations, notes)) where duration > .zero {
      cards.append(.card(countdown(title, duration, notes)))
    }
    guard rounds > 0, !cards.isEmpty else { return draft.report.drop("step without time") }
    draft.elements += rounds == 1 ? cards : [.group(rounds: .times(rounds), cards)]
  }

  /// Reads a message that is shown during a step, or during the workout if it is next to the steps.
  private mutating func inner(
    _ name: String, _ attributes: ZwiftAttributes, line: Int
  ) throws(ImportError) {
    guard ["textevent", "textnotification"].contains(name.lowercased()) else {
      return draft.report.drop("element \(PlainText.name(name))")
    }
    var attributes = attributes
    let message = attributes.take("message") ?? attributes.take("text")
    let offset = attributes.take("timeoffset")
    for rest in attributes.rest {
      draft.report.drop("attribute \(PlainText.name(rest)) of \(PlainText.name(name))")
    }
    let text = PlainText.line(message ?? "", &draft.report)
    guard !text.isEmpty else { return draft.report.drop("message without text") }
    guard let offset, let moment = DecimalNumber.duration(offset) else {
      return draft.report.drop("message without a time")
    }
    cues.append(Cue(moment: (path.count == 2 ? .zero : start) + moment, text: text))
  }

  private func countdown(_ title: String, _ duration: Duration, _ notes: [String]) -> WorkoutCard {
    WorkoutCard(title: title, notes: notes, timing: .countdown(duration, advance: .automatic))
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
