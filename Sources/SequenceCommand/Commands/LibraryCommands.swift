import FoundationEssentials
import Glibc
import SequenceClient
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner

enum ListCommand {
  static let command = Command(
    "list", "list your sequences", options: [Flag.json],
    discussion: [
      """
      They are the files in your library: $XDG_DATA_HOME/sequence or ~/.local/share/sequence. A file with a \
      mistake is listed with the mistake.
      """
    ],
    examples: [
      .init("sequence list", "list the sequences of your library"),
      .init("sequence list --json", "list them with paths, IDs and lengths"),
    ], perform: perform)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let library = try context.clientContext.library()
    let sequences = try ListedSequence.all(of: library)
    if arguments.has(.json) {
      try context.print(JSONText.encode(ListDocument(directory: library.path, sequences: sequences)))
    } else if sequences.isEmpty {
      context.printError(
        TextSafety.sanitised(
          translated(
            "no sequences in {folder} yet; create one with {command}",
            ["folder": library.path, "command": "sequence new pomodoro"])))
    } else {
      try context.print(lines(sequences, context.activeRuns(arguments)).joined(separator: "\n"))
      for warning in sequences.sharedIDs { context.say(warning) }
    }
    return .done
  }

  private static func lines(_ sequences: [ListedSequence], _ runs: [ActiveRunSnapshot]) -> [String] {
    let cells = sequences.map { sequence in
      [
        TextSafety.isolated(sequence.name), sequence.length?.stepsText ?? "",
        sequence.length?.timeText ?? "",
      ]
    }
    let widths = (0..<3).map { column in cells.map { TextWidth.columns($0[column]) }.max() ?? 0 }
    return zip(sequences, cells).map { sequence, cells in
      guard let content = sequence.content else {
        return
          "\(TextWidth.padded(cells[0], to: widths[0]))  \(TextSafety.sanitised(sequence.mistake?.line.translation ?? ""))"
      }
      let (isRunning, isChanged) = sequence.isRunning(runs)
      let note =
        isRunning
        ? " " + (isChanged ? translated("(running with its former content)") : translated("(running)")) : ""
      let columns =
        zip(cells, widths).map { TextWidth.padded($0, to: $1) } + [TextSafety.isolated(content.title) + note]
      return columns.joined(separator: "  ")
    }
  }
}

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

enum NewCommand {
  static let command = Command(
    "new", "create a sequence from a starter", argument: place, options: [list],
    discussion: [
      """
      NAME can be a starter: \(alternatives(Starter.allCases.map(\.rawValue))). Any other NAME begins with a \
      short workout, whose comments explain the file format.
      """,
      """
      A NAME creates a file in your library and prints its path. Without a NAME, the workout goes to \
      standard output. Existing files are never overwritten.
      """,
    ],
    examples: [
      .init("sequence new pomodoro", "create ~/.local/share/sequence/pomodoro.yaml"),
      .init("sequence new ./workout.yaml", "create a file in this directory"),
      .init("sequence new --list", "list the starters"),
    ], perform: perform)

  private static let place = Argument<String>("NAME|FILE", isOptional: true, kind: .starter)
  private static let list = Flag("list", "list the starters")

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let word = try arguments[place]
    guard !arguments.has(list) else {
      guard word == nil else {
        throw Failure(usage: "a NAME and --list cannot be combined", remedy: "remove one of them")
      }
      let width = Starter.allCases.map(\.rawValue.count).max() ?? 0
      for starter in Starter.allCases {
        try context.print("\(TextWidth.padded(starter.rawValue, to: width))  \(starter.summary)")
      }
      return .done
    }
    guard let word, word != "-" else {
      try context.print(String(try NewSequence.text().dropLast()))
      return .done
    }
    try context.print(TextSafety.sanitised(try NewSequence.write(word, context.clientContext)))
    return .done
  }
}

enum EditCommand {
  static let command = Command(
    "edit", "edit a sequence and check it", argument: sequence,
    discussion: [
      "The editor is $VISUAL or $EDITOR, which may have arguments, otherwise sensible-editor or vi.",
      "Exit status: 65 if the file has a mistake afterwards.",
    ],
    examples: [
      .init("sequence edit tabata", "edit a sequence of your library"),
      .init("sequence edit ./pomodoro.yaml", "edit a file"),
    ], perform: perform)

  private static let sequence = Argument<String>("NAME|FILE", kind: .sequence)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let word = try arguments.required(sequence)
    let path = try place(word, context)
    let former = sequence(at: path)
    try edit(path, calledBy: word, context)
    let parsed = try SequenceSource.read(path, as: path)
    let length = SequenceLength(parsed.timeline)
    try context.print(
      TextSafety.sanitised("\(parsed.definition.title): \(length.stepsText), \(length.timeText)"))
    if parsed.definition != former {
      let ids = Set([former?.id, parsed.definition.id].compactMap { $0 })
      if context.activeRuns(arguments).contains(where: { ids.contains($0.sequence.id) }) {
        context.say(
          Problem(
            "the active run keeps the former content", remedy: "to start again, add --replace to run or start"
          ))
      }
    }
    return .done
  }

  private static func sequence(at path: String) -> SequenceDefinition? {
    do throws(ClientError) {
      return try SequenceSource.read(path, as: path).definition
    } catch {
      // The user may be about to correct the mistake.
      return nil
    }
  }

  /// The path of the file to edit, which must exist, so that a typo doesn't create a new sequence.
  private static func place(_ word: String, _ context: CommandContext) throws -> String {
    guard word != "-" else {
      throw Failure(usage: "standard input cannot be edited", remedy: "give a name or a file")
    }
    let path = try context.clientContext.sequencePath(word)
    guard FileKind(of: path) != .nothing else {
      throw Failure(
        "file not found: \(quote(path))", remedy: "create it with sequence new \(word)", .inputOutput)
    }
    return path
  }

  private static func edit(_ path: String, calledBy word: String, _ context: CommandContext) throws {
    // An editor would read a name that begins with a hyphen as an option.
    let file = path.hasPrefix("-") ? "./" + path : path
    let words = EditCommand.words(environment: context.environment) + [file]
    switch try TerminalProgram.run(words, environment: context.environment) {
    case .exit(0): return
    case .exit(let status):
      throw Failure(
        "the editor failed with exit status \(status), so \(path) was not checked",
        remedy: (status == 127
          ? "set VISUAL or EDITOR to an installed editor" : "check it with sequence check \(word)"),
        .inputOutput)
    case .signal(let number):
      throw Failure(
        "the editor was killed by signal \(number), so \(path) was not checked",
        remedy: "check it with sequence check \(word)", .inputOutput)
    }
  }

  /// The words that start the editor; the path of the file is added to them.
  ///
  /// A shell splits the variables, because they may contain arguments and quotes.
  static func words(environment: EnvironmentVariables) -> [String] {
    let editor = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let script =
      editor.map { "\($0) \"$@\"" }
      ?? "if command -v sensible-editor >/dev/null; then exec sensible-editor \"$@\"; else exec vi \"$@\"; fi"
    return ["/bin/sh", "-c", script, "sequence"]
  }
}

/// Runs programs that use the terminal, such as an editor.
enum TerminalProgram {
  /// The signals that keys send to all processes in the terminal; only the program in the foreground handles them.
  private static let keys = [SIGINT, SIGQUIT]

  /// Runs a program with the streams of this process, and waits until it ends.
  static func run(
    _ words: [String], environment: EnvironmentVariables
  ) throws(SystemError) -> Termination {
    let handlers = keys.map { key in (key, signal(key, SIG_IGN)) }
    defer { for handler in handlers { _ = signal(handler.0, handler.1) } }
    let process = try Subprocess(
      words, environment: environment.entries,
      streams: (.descriptor(STDIN_FILENO), .descriptor(STDOUT_FILENO), .descriptor(STDERR_FILENO)),
      session: .shared)
    return try process.wait()
  }
}
