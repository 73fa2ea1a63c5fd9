import Presentation

/// The help texts, made from the table of commands.
enum HelpText {
  /// The program in one phrase, as the manual and packages name it too.
  static let summary = "timer that runs steps one after the other"
  /// The program in one sentence, as the README and packages have it too.
  static let pitch =
    "A timer for anything that has more than one step: workouts, Pomodoros, morning routines, recipes."

  /// The output of `sequence help`.
  static var overview: String {
    let width = CommandTable.commands.map(\.name.count).max() ?? 0
    let groups = CommandTable.groups.map { group in
      let lines = group.commands.map { "  \(padded($0.name, width))  \($0.summary)" }
      return "\(group.title):\n\(lines.joined(separator: "\n"))"
    }
    return """
      \(pitch)

      Usage: sequence COMMAND [OPTIONS]

      \(groups.joined(separator: "\n\n"))

      Try: sequence timer 5m Tea
           sequence run --card "Work 20s" --card "Rest 10s" --rounds 8

      "sequence help COMMAND" shows the options of a command and examples, --version (-V) the version.
      """
  }

  /// The output of `sequence help COMMAND`.
  static func text(for command: Command) -> String {
    let options = command.allOptions
    let width = options.map(\.usage.count).max() ?? 0
    let list = options.map { "  \(padded($0.usage, width))  \(summary($0))" }.joined(separator: "\n")
    let discussion = command.discussion.map { "\n\n" + wrapped($0, at: 100) }.joined()
    return """
      \(sentence(command.summary))

      Usage: \(command.usage) [OPTIONS]

      \(list)\(discussion)

      Examples:
      \(examples(command.examples))
      """
  }

  /// A summary as a sentence.
  static func sentence(_ summary: String) -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }

  /// The summary of an option, which says if the option can be repeated.
  static func summary(_ option: any OptionSpec) -> String {
    option.summary + (option.isRepeatable ? " (repeatable)" : "")
  }

  private static func examples(_ examples: [Command.Example]) -> String {
    let width = examples.map(\.line.count).max() ?? 0
    guard width <= 50 else {
      return examples.map { "  \($0.line)\n      \($0.effect)" }.joined(separator: "\n")
    }
    return examples.map { "  \(padded($0.line, width))   \($0.effect)" }.joined(separator: "\n")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func wrapped(_ text: String, at width: Int) -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}
