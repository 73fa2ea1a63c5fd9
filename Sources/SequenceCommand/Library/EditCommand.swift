import Platform
import SequenceClient
import SequenceFiles
import SequenceRunner

/// `edit`: a sequence in the user's editor, checked afterwards.
enum EditCommand {
  static let command = Command(
    "edit", "edit a sequence, and check it afterwards", argument: sequence,
    discussion: [
      "The editor is $VISUAL, else $EDITOR, which may have arguments, else sensible-editor or vi.",
      "Exit status: 65 if the file is wrong after it.",
    ], perform: perform)

  private static let sequence = Argument<String>("NAME|FILE", kind: .sequence)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let word = try arguments.required(sequence)
    let path = try place(word, context)
    try edit(path, context)
    let parsed = try SequenceSource.read(path, as: path)
    let length = SequenceLength(parsed.timeline)
    try context.print(
      TextSafety.sanitised("\(parsed.definition.title): \(length.stepsText), \(length.timeText)"))
    return .done
  }

  /// The file to edit, which has to be there: a name that was mistyped shall not become a new sequence.
  private static func place(_ word: String, _ context: CommandContext) throws -> String {
    guard word != "-" else { throw UsageError("standard input cannot be edited", remedy: "name a sequence") }
    let path = try context.clientContext.sequencePath(word)
    guard FileKind(of: path) != .nothing else {
      throw Failure(
        "there is no file \(quote(path))", remedy: "sequence new \(word) begins one", .inputOutput)
    }
    return path
  }

  private static func edit(_ path: String, _ context: CommandContext) throws {
    // It may begin with a hyphen, which an editor would take for an option.
    let file = path.hasPrefix("-") ? "./" + path : path
    let words = EditCommand.words(environment: context.environment) + [file]
    switch try ForegroundProcess.run(words, environment: context.environment) {
    case .exit(0): return
    case .exit(let status):
      throw Failure(
        "the editor ended with exit status \(status), so \(path) was not checked",
        remedy: (status == 127 ? "set VISUAL or EDITOR to one that is installed" : "see sequence check"),
        .inputOutput)
    case .signal(let number):
      throw Failure(
        "the editor was ended by signal \(number), so \(path) was not checked", remedy: "see sequence check",
        .inputOutput)
    }
  }

  /// The words that start the editor, to which the path of the file is added.
  ///
  /// The shell takes the variables apart, since they may hold arguments and quotes.
  static func words(environment: EnvironmentVariables) -> [String] {
    let editor = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let script =
      editor.map { "\($0) \"$@\"" }
      ?? "if command -v sensible-editor >/dev/null; then exec sensible-editor \"$@\"; else exec vi \"$@\"; fi"
    return ["/bin/sh", "-c", script, "sequence"]
  }
}
