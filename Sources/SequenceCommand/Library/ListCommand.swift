import FoundationEssentials
import SequenceRunner

/// `list`: the sequences of the library.
enum ListCommand {
  static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let library = try context.library()
    let sequences = try library.entries().map(ListedSequence.init)
    if arguments.has("json") {
      try context.print(JSONText.encode(ListDocument(directory: library.path, sequences: sequences)))
    } else if sequences.isEmpty {
      context.printError(
        TextSafety.sanitised("\(library.path) has no sequences yet; sequence new NAME begins one"))
    } else {
      try context.print(lines(sequences).joined(separator: "\n"))
    }
    return .done
  }

  /// A line for each: name, steps, length and title, or what is wrong with it.
  private static func lines(_ sequences: [ListedSequence]) -> [String] {
    let cells = sequences.map { sequence in
      [TextSafety.sanitised(sequence.name), sequence.stepsText, sequence.lengthText]
    }
    let widths = (0..<3).map { column in cells.map { TextWidth.columns($0[column]) }.max() ?? 0 }
    return zip(sequences, cells).map { sequence, cells in
      guard let content = sequence.content else {
        return "\(padded(cells[0], widths[0]))  \(TextSafety.sanitised(sequence.mistake ?? ""))"
      }
      let columns = zip(cells, widths).map { padded($0, $1) } + [TextSafety.sanitised(content.title)]
      return columns.joined(separator: "  ")
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - TextWidth.columns(text)))
  }
}

/// A sequence of the library, or what is wrong with its file.
struct ListedSequence {
  let name: String
  let path: String
  let content: SequenceDefinition?
  /// What is wrong with it; `nil` if nothing is.
  let mistake: String?
  /// How many steps it has, and how long its countdowns take together.
  let length: SequenceLength?

  init(_ entry: SequenceLibrary.Entry) {
    name = entry.name
    path = entry.files[0]
    switch Result(catching: { try ListedSequence.read(entry) }) {
    case .success(let parsed):
      content = parsed.definition
      length = SequenceLength(parsed.timeline)
      mistake = nil
    case .failure(let error):
      content = nil
      length = nil
      mistake = Failure(error).text
    }
  }

  private static func read(_ entry: SequenceLibrary.Entry) throws -> ParsedSequence {
    let file = try SequenceLookup.file(of: entry)
    do throws(SequenceNameError) {
      _ = try SequenceName(entry.name)
    } catch {
      throw Failure("no sequence can be called so: \(error.text); rename \(file)", .data)
    }
    return try SequenceSource.read(file, as: file)
  }

  var stepsText: String { length?.stepsText ?? "" }
  var lengthText: String { length?.timeText ?? "" }
}

/// How much a sequence is.
struct SequenceLength: Equatable {
  let steps: Int
  /// The countdowns together.
  let countdowns: Duration
  /// Whether that is all: no card is a count-up or waits for the user.
  let isAll: Bool
  /// Whether a card has no duration.
  let hasCountUp: Bool

  init(_ timeline: Timeline) {
    steps = timeline.count
    countdowns = timeline.duration(of: 0..<timeline.count)
    isAll = timeline.firstStop(from: 0) == timeline.count
    hasCountUp = timeline.hasCountUp(from: 0)
  }

  var stepsText: String { steps == 1 ? "1 step" : "\(steps) steps" }
  var timeText: String {
    isAll ? DurationText.format(countdowns) : DurationText.format(countdowns) + " and more"
  }
}

/// What `list --json` prints.
private struct ListDocument: Encodable {
  let schema = JSONText.schema
  let directory: String
  let sequences: [Entry]

  struct Entry: Encodable {
    let name: String
    let path: String
    let title: String?
    let id: String?
    let steps: Int?
    let duration: Double?
    let mistake: String?
  }

  init(directory: String, sequences: [ListedSequence]) {
    self.directory = directory
    self.sequences = sequences.map {
      Entry(
        name: $0.name, path: $0.path, title: $0.content?.title, id: $0.content?.id.uuidString,
        steps: $0.length?.steps, duration: $0.length.flatMap { $0.hasCountUp ? nil : $0.countdowns.seconds },
        mistake: $0.mistake)
    }
  }
}
