/// `completions`: what a shell reads to complete command lines.
enum CompletionsCommand {
  static let command = Command(
    "completions", "print what a shell needs to complete command lines of sequence", argument: shell,
    discussion: [
      "make install puts it where the shells look for it. Elsewhere: source <(sequence completions bash) in "
        + "~/.bashrc, the same with zsh in ~/.zshrc after compinit, or sequence completions fish >"
        + "~/.config/fish/completions/sequence.fish."
    ], perform: perform)

  private static let shell = Argument<Shell>()

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    try context.print(try arguments.required(shell).completionScript)
    return .done
  }
}
