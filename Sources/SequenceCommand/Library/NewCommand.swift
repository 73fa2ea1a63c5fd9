import SequencePlatform
import SequenceClient

/// `new`: creates a sequence file from a starter.
enum NewCommand {
  static let command = Command(
    "new", "create a sequence from a starter", argument: place,
    discussion: [
      "A NAME creates a file in your library and prints its path. Without a NAME, the starter goes to standard output. "
        + "Existing files are never overwritten."
    ],
    examples: [
      .init("sequence new tabata", "create ~/.local/share/sequence/tabata.yaml"),
      .init("sequence new ./pomodoro.yaml", "create a file in this directory"),
    ], perform: perform)

  private static let place = Argument<String>("NAME|FILE", isOptional: true)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    guard let word = try arguments[place], word != "-" else {
      try context.print(String(try NewSequence.text().dropLast()))
      return .done
    }
    try context.print(TextSafety.sanitised(try NewSequence.write(word, context.clientContext)))
    return .done
  }
}
