import Platform
import SequenceClient

/// `new`: a sequence file to start from.
enum NewCommand {
  static let command = Command(
    "new", "write a sequence file to start from, with comments", argument: place,
    discussion: [
      "A NAME is put into the library; without one the text goes to standard output. A file that is there already "
        + "is never overwritten. The path of the file is printed."
    ], perform: perform)

  private static let place = Argument<String>("NAME|FILE", isOptional: true)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    guard let word = try arguments[place], word != "-" else {
      try context.print(String(NewSequence.text.dropLast()))
      return .done
    }
    try context.print(TextSafety.sanitised(try NewSequence.write(word, context.clientContext)))
    return .done
  }
}
