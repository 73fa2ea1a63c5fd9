import SequencePlatform

/// A command: its place in parsing, help, completion and the manual, and the code that performs it.
///
/// It is declared next to that code, with its options as typed constants; `CommandTable` lists all commands.
struct Command: Sendable {
  let name: String
  private let makeSummary: @Sendable () -> LocalizedText
  let argument: (any ArgumentSpec)?
  /// The argument after the first one; `nil` if there may be none.
  let second: (any ArgumentSpec)?
  /// The name of all words after the argument, in the usage line; `nil` if there may be none.
  let rest: String?
  let perform: @Sendable (ParsedArguments, CommandContext) throws -> ExitStatus
  private let makeOptions: @Sendable () -> [any OptionSpec]
  private let makeDiscussion: @Sendable () -> [LocalizedText]
  private let makeExamples: @Sendable () -> [Example]

  /// Its own options; every command takes `CommandTable.common` too.
  var options: [any OptionSpec] { makeOptions() }

  var summary: LocalizedText { makeSummary() }

  var discussion: [LocalizedText] { makeDiscussion() }

  var examples: [Example] { makeExamples() }

  struct Example: Sendable {
    let line: String
    let effect: LocalizedText

    init(_ line: String, _ effect: LocalizedText) {
      self.line = line
      self.effect = effect
    }
  }

  var allOptions: [any OptionSpec] { options + CommandTable.common }

  /// The usage line, such as `sequence run [FILE|NAME]`, without options.
  var usage: String {
    ["sequence", name, argument?.usage, second?.usage, rest.map { "[\($0)…]" }].compactMap { $0 }.joined(
      separator: " ")
  }

  func scanner(_ words: [String]) -> CommandLineScanner<any OptionSpec> {
    CommandLineScanner(
      words,
      // A negative duration begins with a digit, or with P in the form of ISO 8601.
      isArgument: { word in
        argument?.takesNegativeNumbers == true
          && word.dropFirst().first.map { $0.isNumber || $0 == "P" } == true
      },
      find: { word in option(written: word).map { ($0, $0.value != nil) } })
  }

  func option(written word: String) -> (any OptionSpec)? { allOptions.first { $0.isWritten(word) } }

  /// A command; its options and texts are built only when read, because every start of the program builds all commands.
  init(
    _ name: String, _ summary: @autoclosure @escaping @Sendable () -> LocalizedText,
    argument: (any ArgumentSpec)? = nil, second: (any ArgumentSpec)? = nil,
    rest: String? = nil, options: @autoclosure @escaping @Sendable () -> [any OptionSpec] = [],
    discussion: @autoclosure @escaping @Sendable () -> [LocalizedText] = [],
    examples: @autoclosure @escaping @Sendable () -> [Example],
    perform: @escaping @Sendable (ParsedArguments, CommandContext) throws -> ExitStatus
  ) {
    self.name = name
    makeSummary = summary
    self.argument = argument
    self.second = second
    self.rest = rest
    self.perform = perform
    makeOptions = options
    makeDiscussion = discussion
    makeExamples = examples
  }
}

/// The one table of commands: parsing, help, completion and the manual come from it.
enum CommandTable {
  static let groups: [(title: LocalizedText, commands: [Command])] = [
    (
      LocalizedText("Run"),
      [
        TimerCommand.command, RunningCommands.run, RunningCommands.start, RunningCommands.attach,
        ScheduleCommand.command, StatusCommand.command, WaitCommand.command, WindowCommand.command,
      ]
    ),
    (LocalizedText("Control the run"), ActingCommand.commands),
    (
      LocalizedText("Sequences"),
      [
        CheckCommand.command, ListCommand.command, NewCommand.command, EditCommand.command,
        ImportCommand.command,
      ]
    ),
    (
      LocalizedText("Look back"),
      [HistoryCommand.command, NoteCommand.command, StatsCommand.command, NotificationsCommand.command]
    ),
    (
      LocalizedText("Set up"),
      [AgentCommand.command, DoctorCommand.command, CompletionsCommand.command, HelpCommand.command]
    ),
  ]

  static let commands: [Command] = groups.flatMap(\.commands)

  /// The options that replace a command.
  static let program: [any OptionSpec] = [
    Flag("help", short: "h", "list the commands"), Flag("version", short: "V", "print the version"),
  ]

  static let common: [any OptionSpec] = [CommandContext.stateDirectory, Flag.help]

  /// Returns a scanner of a whole command line, up to the name of the command; common options may be before it.
  static func scanner(_ words: [String]) -> CommandLineScanner<any OptionSpec> {
    CommandLineScanner(words) { word in
      (program + common).first { $0.isWritten(word) }.map { ($0, $0.value != nil) }
    }
  }

  static func command(named name: String) throws(Failure) -> Command {
    guard let command = commands.first(where: { $0.name == name }) else {
      throw Failure(usage: "unknown command \(quote(name))", remedy: "see sequence help")
    }
    return command
  }
}
