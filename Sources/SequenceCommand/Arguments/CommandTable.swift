import SequencePlatform
import SequenceFiles
import SequenceRunner

/// The one table of commands: parsing, help, completion and the manual come from it.
enum CommandTable {
  /// The commands by purpose, in the order of the help.
  static let groups: [(title: String, commands: [Command])] = [
    (
      "Run",
      [
        TimerCommand.command, RunningCommands.run, RunningCommands.start, RunningCommands.attach,
        StatusCommand.command, WaitCommand.command, WindowCommand.command,
      ]
    ),
    ("Control the run", ActingCommand.commands),
    (
      "Sequences",
      [
        CheckCommand.command, ListCommand.command, NewCommand.command, EditCommand.command,
        ImportCommand.command,
      ]
    ),
    ("Look back", [HistoryCommand.command, StatsCommand.command, NotificationsCommand.command]),
    (
      "Set up",
      [AgentCommand.command, DoctorCommand.command, CompletionsCommand.command, HelpCommand.command]
    ),
  ]

  /// All commands, in the order of the help.
  static let commands: [Command] = groups.flatMap(\.commands)

  /// The options that replace a command.
  static let program: [any OptionSpec] = [
    Flag("help", short: "h", "list the commands"), Flag("version", short: "V", "print the version"),
  ]

  /// The options that every command takes.
  static let common: [any OptionSpec] = [CommandContext.stateDirectory, Flag.help]

  /// Returns a scanner of a whole command line, up to the name of the command; common options may be before it.
  static func scanner(_ words: [String]) -> CommandLineScanner<any OptionSpec> {
    CommandLineScanner(words) { word in
      (program + common).first { $0.isWritten(word) }.map { ($0, $0.value != nil) }
    }
  }

  /// Returns the command with a name.
  static func command(named name: String) throws(Failure) -> Command {
    guard let command = commands.first(where: { $0.name == name }) else {
      throw Failure(usage: "unknown command \(quote(name))", remedy: remedy(for: name))
    }
    return command
  }

  private static func remedy(for word: String) -> String {
    let near = NearNames.of(word, among: commands.map(\.name))
    guard near.isEmpty else { return "did you mean \(alternatives(near))?" }
    if case (_, .success)? = DurationText.find(in: [word[...]]) {
      return "did you mean sequence timer \(word)?"
    }
    if SequenceLibrary.name(ofFile: word) != nil, TextSafety.isSafe(word) {
      return "did you mean sequence run \(word)?"
    }
    return "see sequence help"
  }
}
