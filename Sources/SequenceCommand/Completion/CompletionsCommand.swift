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
