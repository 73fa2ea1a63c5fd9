/// `help`: the overview, or the help of a command.
enum HelpCommand {
  static let command = Command(
    "help", "show help for a command", argument: argument,
    examples: [
      .init("sequence help", "list the commands"),
      .init("sequence help run", "show the options of sequence run"),
    ], perform: perform)

  private static let argument = Argument<String>("COMMAND", isOptional: true, kind: .command)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let name = try arguments[argument]
    try context.print(
      try name.map { name throws(Failure) in
        HelpText.text(for: try CommandTable.command(named: name), width: context.helpWidth)
      } ?? HelpText.overview(width: context.helpWidth))
    return .done
  }
}
