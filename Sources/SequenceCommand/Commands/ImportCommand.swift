import Platform
import SequenceRunner

/// `import`: a sequence file made of a file of another program.
///
/// A program of its own does it, since what reads those formats would be loaded at every start of this one.
enum ImportCommand {
  /// Replaces this process by that program, which has the same streams; returns only by throwing.
  static func perform(_ arguments: ParsedArguments) throws -> ExitStatus {
    let program = try AgentLauncher.path(of: "sequence-import")
    try replaceThisProcess(by: program, [program] + (try words(arguments)))
    return .done
  }

  /// What the program is told.
  static func words(_ arguments: ParsedArguments) throws(UsageError) -> [String] {
    var words: [String] = []
    for option in ["format", "output"] {
      if let value = arguments.value(option) { words += ["--\(option)", value] }
    }
    for option in ["force", "json"] where arguments.has(option) { words.append("--\(option)") }
    if arguments.has("json"), arguments.value("output") == nil {
      throw UsageError(
        "--json prints to standard output, where the sequence goes; name a file for that with --output")
    }
    if arguments.has("force"), arguments.value("output") == nil {
      throw UsageError("--force is about a file that is there already; name it with --output")
    }
    return words + ["--"] + arguments.positional
  }
}
