import SequencePlatform
import SequencePresentation

enum HelpText {
  /// The program in one sentence, as the README and packages have it too.
  static var pitch: String {
    translated(
      "A timer for anything that has more than one step: workouts, Pomodoros, morning routines, recipes.")
  }

  /// The widest help, however wide the terminal is.
  private static let widest = 100
  /// The width without a terminal.
  static let usualWidth = 80

  /// The columns for help in a terminal of some columns.
  static func width(in columns: Int) -> Int { min(columns, widest) }

  static func overview(width: Int = usualWidth) -> String {
    let first = CommandTable.commands.map(\.name.count).max() ?? 0
    let groups = CommandTable.groups.map { group in
      "\(group.title.translation):\n"
        + table(group.commands.map { ($0.name, $0.summary.translation) }, first, width)
    }
    let last = translated(
      "\"sequence help COMMAND\" shows the options of a command and examples, --version (-V) the version.")
    let examples = translated("Try:")
    return """
      \(wrapped(pitch, at: width))

      \(usage("sequence COMMAND"))

      \(examples)
        sequence timer 5m Tea
        sequence new pomodoro
        sequence run pomodoro

      \(groups.joined(separator: "\n\n"))

      \(wrapped(last, at: width))
      """
  }

  static func text(for command: Command, width: Int = usualWidth) -> String {
    let options = command.allOptions.map { ($0.usage, summary($0)) }
    let list = table(options, options.map(\.0.count).max() ?? 0, width)
    let discussion = command.discussion.map { "\n\n" + wrapped($0.translation, at: width) }.joined()
    let title = translated("Examples:")
    return """
      \(wrapped(sentence(command.summary.translation), at: width))

      \(usage(command.usage))

      \(list)\(discussion)

      \(title)
      \(examples(command.examples, width))
      """
  }

  private static func usage(_ command: String) -> String { translated("Usage: {}", command + " [OPTIONS]") }

  /// Returns rows of a name and its meaning, which is wrapped beside the names, or below them in a narrow terminal.
  private static func table(_ rows: [(name: String, meaning: String)], _ first: Int, _ width: Int) -> String {
    let isNarrow = width < first + 4 + 20
    let indent = isNarrow ? 6 : first + 4
    return rows.map { name, meaning in
      let text = wrapped(meaning, at: width - indent).replacing(
        "\n", with: "\n" + String(repeating: " ", count: indent))
      return isNarrow ? "  \(name)\n      \(text)" : "  \(TextWidth.padded(name, to: first))  \(text)"
    }.joined(separator: "\n")
  }

  private static func sentence(_ summary: String) -> String {
    translated("{}.", summary.prefix(1).uppercased() + summary.dropFirst())
  }

  private static func summary(_ option: any OptionSpec) -> String {
    option.summary.translation + (option.isRepeatable ? " " + translated("(repeatable)") : "")
  }

  private static func examples(_ examples: [Command.Example], _ width: Int) -> String {
    let first = examples.map(\.line.count).max() ?? 0
    let examples = examples.map { (line: $0.line, effect: $0.effect.translation) }
    let second = examples.map { TextWidth.columns($0.effect) }.max() ?? 0
    guard first <= 50, first + second + 5 <= width else {
      return examples.map { "  \($0.line)\n      \($0.effect)" }.joined(separator: "\n")
    }
    return examples.map { "  \(TextWidth.padded($0.line, to: first))   \($0.effect)" }.joined(separator: "\n")
  }

  private static func wrapped(_ text: String, at width: Int) -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, TextWidth.columns(last) + TextWidth.columns(String(word)) < width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}

enum HelpCommand {
  static let command = Command(
    "help", "show help for a command", argument: argument,
    examples: [
      .init("sequence help", "list the commands"),
      .init("sequence help run", "show the options of sequence run"),
    ], perform: perform)

  private static let argument = Argument<String>("COMMAND", isOptional: true, kind: .command)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let name = try arguments[argument]
    try context.print(
      try name.map { name throws(Failure) in
        HelpText.text(for: try CommandTable.command(named: name), width: HelpText.width(in: context.columns))
      } ?? HelpText.overview(width: HelpText.width(in: context.columns)))
    return .done
  }
}
