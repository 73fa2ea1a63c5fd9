import Platform
import SequenceClient

/// `import`: a sequence file made of a file of another program.
///
/// A program of its own does it, since what reads those formats would be loaded at every start of this one.
enum ImportCommand {
  static let command = Command(
    "import", "make a sequence file of a file of another program", argument: file,
    options: [format, output, force, json],
    discussion: [
      "It reads workouts of Zwift, ERG and MRC courses, uair.toml, workouts of Garmin Connect and of Just Another "
        + "Workout Timer in JSON, and the timers of Cooklang recipes. FILE may be -.",
      "What has no place in a sequence is told on standard error, a line for each kind of thing.",
      "Exit status: 65 if the file cannot be imported, 74 if it cannot be read or written.",
    ]
  ) { arguments, _ in try perform(arguments) }

  private static let file = Argument<String>("FILE", kind: .file)
  private static let format = Option<Format>(
    "format", "FORMAT", "zwo, erg, mrc, uair, garmin, cooklang or jawt, where the name does not tell")
  private static let output = Option<String>(
    "output", "FILE", "write there, and not to standard output", kind: .file)
  private static let force = Flag("force", "write over a file that is there already")
  private static let json = Flag("json", "print the report as JSON; needs --output")

  private enum Format: String, CaseIterable {
    case zwo, erg, mrc, uair, garmin, cooklang, jawt
  }

  /// Replaces this process by that program, which has the same streams; returns only by throwing.
  private static func perform(_ arguments: ParsedArguments) throws -> ExitStatus {
    let program = try AgentLauncher.path(of: "sequence-import")
    try replaceThisProcess(by: program, [program] + (try words(arguments)))
    return .done
  }

  /// What the program is told.
  static func words(_ arguments: ParsedArguments) throws(UsageError) -> [String] {
    let path = try arguments[output]
    if arguments.has(json), path == nil {
      throw UsageError(
        "--json prints to standard output, where the sequence goes",
        remedy: "name a file for that with --output")
    }
    if arguments.has(force), path == nil {
      throw UsageError("--force is about a file that is there already", remedy: "name it with --output")
    }
    var words: [String] = []
    if let format = try arguments[format] { words += ["--" + ImportCommand.format.name, format.rawValue] }
    if let path { words += ["--" + output.name, path] }
    for flag in [force, json] where arguments.has(flag) { words.append("--" + flag.name) }
    return words + ["--", try arguments.required(file)]
  }
}
