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

  private enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let script =
      switch try arguments.required(shell) {
      case .bash: BashCompletion.script
      case .zsh: ZshCompletion.script
      case .fish: FishCompletion.script
      }
    // Each line of a script has its line feed, and printing adds one.
    try context.print(script.hasSuffix("\n") ? String(script.dropLast()) : script)
    return .done
  }
}
