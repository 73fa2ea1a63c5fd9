/// `completions`: what a shell reads to complete command lines.
enum CompletionsCommand {
  static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let script =
      switch arguments.positional.first {
      case "bash": BashCompletion.script
      case "zsh": ZshCompletion.script
      default: FishCompletion.script
      }
    // Each line of a script has its line feed, and printing adds one.
    try context.print(script.hasSuffix("\n") ? String(script.dropLast()) : script)
    return .done
  }
}

/// Text as the shells' own languages have it.
enum ShellText {
  /// A word in single quotes, as bash and zsh read it.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// A word in single quotes, as fish reads it.
  static func quotedForFish(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
