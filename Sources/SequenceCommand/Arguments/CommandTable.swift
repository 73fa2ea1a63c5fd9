import Platform

/// The one table of commands: parsing, help, completion and the manual come from it.
enum CommandTable {
  /// All commands, in the order in which help lists them.
  static let commands: [Command] =
    [RunningCommands.run, RunningCommands.start, RunningCommands.attach, StatusCommand.command]
    + ActingCommand.commands
    + [
      WaitCommand.command, CheckCommand.command, ListCommand.command, NewCommand.command,
      EditCommand.command, ImportCommand.command, NotificationsCommand.command, HistoryCommand.command,
      StatsCommand.command, AgentCommand.command, DoctorCommand.command, CompletionsCommand.command,
      HelpCommand.command,
    ]

  /// The options that stand in place of a command.
  static let program = [Flag("help", "list the commands"), Flag("version", "say which version this is")]

  /// The options that every command takes.
  static let common: [any OptionSpec] = [CommandContext.stateDirectory, Flag.help]

  /// The command of a name.
  static func command(named name: String) throws(UsageError) -> Command {
    guard let command = commands.first(where: { $0.name == name }) else {
      throw UsageError("there is no command \(quote(name))", remedy: "see sequence help")
    }
    return command
  }
}
