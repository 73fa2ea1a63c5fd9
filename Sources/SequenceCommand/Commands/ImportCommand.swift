import SequencePlatform
import SequenceClient
import SequenceFiles

/// `import`: converts a file of another program to a sequence file.
///
/// The agent's program does it, because the libraries that read those formats would slow down every start of this one.
enum ImportCommand {
  static let command = Command(
    "import", "convert a file of another program", argument: file,
    options: [format, output, force, json],
    discussion: [
      "It reads \(WorkoutFormat.titles). FILE may be - for standard input. The name of the file decides its format, "
        + "unless you give --format.",
      "Everything that it drops or changes is listed on standard error, one line per kind.",
      "Exit status: 65 if the file cannot be imported, 74 if it cannot be read or written.",
    ],
    examples: [
      .init("sequence import ride.zwo --output ride.yaml", "convert a Zwift workout"),
      .init("sequence import recipe.cook | sequence run -", "run the timers of a recipe"),
    ]
  ) { arguments, context in try perform(arguments, context) }

  private static let file = Argument<String>("FILE", kind: .file)
  private static let format = Option<WorkoutFormat>("format", "FORMAT", WorkoutFormat.list)
  private static let output = Option<String>(
    "output", "FILE", "write to FILE instead of standard output", kind: .file)
  private static let force = Flag("force", "overwrite an existing file")
  private static let json = Flag("json", "print the report as JSON (needs --output)")

  /// Replaces this process with the program that converts; returns only by throwing.
  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let program = try context.agentProgram()
    try replaceThisProcess(by: program, [program, "--import"] + (try words(arguments)))
    return .done
  }

  /// The command line of that program.
  static func words(_ arguments: ParsedArguments) throws(UsageError) -> [String] {
    let path = try arguments[output]
    if let path, path.unicodeScalars.contains("\u{FFFD}") {
      throw UsageError("the file \(quote(path)) is not UTF-8", remedy: "choose another name")
    }
    if arguments.has(json), path == nil {
      throw UsageError(
        "--json needs --output, because the sequence goes to standard output", remedy: "add --output FILE")
    }
    if arguments.has(force), path == nil {
      throw UsageError("--force needs --output", remedy: "add --output FILE")
    }
    var words: [String] = []
    if let format = try arguments[format] { words += ["--" + ImportCommand.format.name, format.rawValue] }
    if let path { words += ["--" + output.name, path] }
    for flag in [force, json] where arguments.has(flag) { words.append("--" + flag.name) }
    return words + ["--", try arguments.required(file)]
  }
}
