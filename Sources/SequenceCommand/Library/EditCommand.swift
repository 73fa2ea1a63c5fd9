import SequencePlatform
import SequenceClient
import SequenceFiles
import SequenceRunner

/// `edit`: opens a sequence in the user's editor and checks it afterwards.
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

  /// The sequence of a file before it is edited; `nil` if it has a mistake.
  private static func sequence(at path: String) -> SequenceDefinition? {
    // A mistake is what the user may be about to correct.
    try? SequenceSource.read(path, as: path).definition
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
