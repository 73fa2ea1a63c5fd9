import SequencePlatform

/// `complete`: prints the candidates for a command line; the completion scripts call it at each press of the tab key.
///
/// It isn't in the table of commands. The first line of its output is the kind of files that the shell adds.
enum CompleteCommand {
  static func perform(_ words: [String], _ context: CommandContext) throws -> ExitStatus {
    let completer = Completer(context: context)
    let lines: [String]
    switch (words.first, words.count) {
    case ("bash", 3): lines = try bash(BashLine(words[1]), replacing: words[2], completer)
    case ("bash-files", 5...):
      lines = bashFiles(words[4...], after: words[3], BashLine(words[1]), replacing: words[2])
    case ("zsh", 2...), ("fish", 2...):
      lines = try described(
        Array(words[1..<(words.count - 1)]), words[words.count - 1], completer, words[0] == "fish")
    default:
      throw Failure(usage: "complete is for the completion scripts", remedy: "see sequence help completions")
    }
    if !lines.isEmpty { try context.print(lines.joined(separator: "\n")) }
    return .done
  }

  /// The kind of files to add, then the candidates, each with its description after a tab.
  private static func described(
    _ words: [String], _ current: String, _ completer: Completer, _ isFish: Bool
  ) throws -> [String] {
    let completion = try completer.completion(of: words, current)
    // zsh completes only the value, fish the whole word.
    let before = isFish ? completion.before : ""
    var candidates = safe(completion).map { (value: before + $0.value, description: $0.description) }
    // fish would also offer options that contain the letters of the word anywhere.
    if isFish, current.hasPrefix("-") { candidates.removeAll { !$0.value.hasPrefix(current) } }
    return [completion.files.rawValue]
      + candidates.map {
        $0.value + ($0.description.isEmpty ? "" : "\t" + TextSafety.sanitised($0.description))
      }
  }

  private static func safe(_ completion: Completion) -> [Completion.Candidate] {
    completion.candidates.filter { !$0.value.isEmpty && TextSafety.isSafe($0.value) }
  }

  /// The kind of files to add, the beginning of their names, and the candidates that begin with the word at the cursor.
  ///
  /// - Parameter replaced: the end of that word, which readline replaces with the candidate.
  private static func bash(
    _ line: BashLine, replacing replaced: String, _ completer: Completer
  ) throws -> [String] {
    guard !line.isRedirection else { return [Completion.Files.files.rawValue, line.current] }
    let completion = try completer.completion(of: Array(line.words.dropFirst()), line.current)
    let candidates = safe(completion).map { completion.before + $0.value }.filter {
      $0.hasPrefix(line.current)
    }
    return [completion.files.rawValue, String(line.current.dropFirst(completion.before.count))]
      + candidates.map { replaced + line.quoted($0.dropFirst(line.current.count)) }
  }

  /// The files that bash has found, written as readline inserts them at the end of the word at the cursor.
  ///
  /// The part that the user typed stays unchanged, because quotes would disable variables in it.
  private static func bashFiles(
    _ files: ArraySlice<String>, after written: String, _ line: BashLine, replacing replaced: String
  ) -> [String] {
    // Directories are listed twice, with and without a slash.
    let directories = Set(files.filter { $0.hasSuffix("/") })
    return files.filter { !directories.contains($0 + "/") && TextSafety.isSafe($0) }.map { file in
      file.hasPrefix(written)
        ? replaced + line.quoted(file.dropFirst(written.count)) : line.quoted(file)
    }
  }
}

enum CompletionsCommand {
  static let command = Command(
    "completions", "print the completion script for your shell", argument: shell,
    discussion: [
      """
      make install and the Debian package install the scripts. If your shell doesn't find them, add source \
      <(sequence completions bash) to ~/.bashrc, or the same with zsh to ~/.zshrc after compinit, or \
      sequence completions fish | source to ~/.config/fish/config.fish.
      """
    ],
    examples: [
      .init("source <(sequence completions bash)", "complete in this bash"),
      .init("sequence completions fish | source", "complete in this fish"),
    ], perform: perform)

  private static let shell = Argument<Shell>(of: LocalizedText("shell"))

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    try context.print(try arguments.required(shell).completionScript)
    return .done
  }
}
