import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceFiles
import SequenceRunner

/// `list`: lists the sequences of the library.
enum ListCommand {
  static let command = Command(
    "list", "list your sequences", options: [Flag.json],
    discussion: [
      "They are the files in your library: $XDG_DATA_HOME/sequence or ~/.local/share/sequence. A file with a mistake is "
        + "listed with the mistake."
    ],
    examples: [
      .init("sequence list", "list the sequences of your library"),
      .init("sequence list --json", "list them with paths, IDs and lengths"),
    ], perform: perform)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let library = try context.clientContext.library()
    let sequences = try library.sequences()
    if arguments.has(.json) {
      try context.print(JSONText.encode(ListDocument(directory: library.path, sequences: sequences)))
    } else if sequences.isEmpty {
      context.printError(
        TextSafety.sanitised("no sequences in \(library.path) yet; create one with sequence new NAME"))
    } else {
      try context.print(lines(sequences, context.activeRuns(arguments)).joined(separator: "\n"))
      for warning in sequences.sharedIDs { context.say(warning) }
    }
    return .done
  }

  /// The lines of the list: name, steps, length and title, or name and mistake.
  private static func lines(_ sequences: [ListedSequence], _ runs: [ActiveRunSnapshot]) -> [String] {
    let cells = sequences.map { sequence in
      [
        TextSafety.sanitised(sequence.name), sequence.length?.stepsText ?? "",
        sequence.length?.timeText ?? "",
      ]
    }
    let widths = (0..<3).map { column in cells.map { TextWidth.columns($0[column]) }.max() ?? 0 }
    return zip(sequences, cells).map { sequence, cells in
      guard let content = sequence.content else {
        return
          "\(TextWidth.padded(cells[0], to: widths[0]))  \(TextSafety.sanitised(sequence.mistake?.description ?? ""))"
      }
      let (isRunning, isChanged) = sequence.isRunning(runs)
      let note = isRunning ? isChanged ? " (running with its former content)" : " (running)" : ""
      let columns =
        zip(cells, widths).map { TextWidth.padded($0, to: $1) } + [TextSafety.sanitised(content.title) + note]
      return columns.joined(separator: "  ")
    }
  }
}

/// The document of `list --json`.
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
        steps: $0.length?.steps, duration: $0.length?.duration?.seconds,
        mistake: $0.mistake?.description)
    }
  }
}
