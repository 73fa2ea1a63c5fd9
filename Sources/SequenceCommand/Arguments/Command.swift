/// A command: its place in parsing, help, completion and the manual, and the code that performs it.
///
/// It is declared beside that code, with its options as typed constants; `CommandTable` lists all commands.
struct Command: Sendable {
  let name: String
  /// One line that says what it does.
  let summary: String
  let argument: (any ArgumentSpec)?
  /// Its own options; every command takes `CommandTable.common` too.
  let options: [any OptionSpec]
  let perform: @Sendable (ParsedArguments, CommandContext) throws -> ExitStatus
  private let makeDiscussion: @Sendable () -> [String]

  /// Everything else a user should know, as paragraphs.
  var discussion: [String] { makeDiscussion() }

  /// All options, in the order in which help lists them.
  var allOptions: [any OptionSpec] { options + CommandTable.common }

  /// The option of a word such as `--json`.
  func option(written word: String) -> (any OptionSpec)? { allOptions.first { "--" + $0.name == word } }

  /// A command; its discussion is made only to be read, since every start of the program makes all commands.
  init(
    _ name: String, _ summary: String, argument: (any ArgumentSpec)? = nil, options: [any OptionSpec] = [],
    discussion: @autoclosure @escaping @Sendable () -> [String] = [],
    perform: @escaping @Sendable (ParsedArguments, CommandContext) throws -> ExitStatus
  ) {
    self.name = name
    self.summary = summary
    self.argument = argument
    self.options = options
    self.perform = perform
    makeDiscussion = discussion
  }
}
