/// `completions`: prints a completion script.
enum CompletionsCommand {
  static let command = Command(
    "completions", "print the completion script for your shell", argument: shell,
    discussion: [
      "make install and the Debian package install the scripts. If your shell doesn't find them, add source <(sequence "
        + "completions bash) to ~/.bashrc, or the same with zsh to ~/.zshrc after compinit, or sequence completions fish | "
        + "source to ~/.config/fish/config.fish."
    ],
    examples: [
      .init("source <(sequence completions bash)", "complete in this bash"),
      .init("sequence completions fish | source", "complete in this fish"),
    ], perform: perform)

  private static let shell = Argument<Shell>(of: "shell")

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    try context.print(try arguments.required(shell).completionScript)
    return .done
  }
}
