/// `help`: the commands, or one of them.
enum HelpCommand {
  static let command = Command(
    "help", "explain a command", argument: argument, perform: perform)

  private static let argument = Argument<String>("COMMAND", isOptional: true, kind: .command)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let name = try arguments[argument]
    try context.print(
      try name.map { name throws(UsageError) in
        HelpText.text(for: try CommandTable.command(named: name))
      } ?? HelpText.overview)
    return .done
  }
}
