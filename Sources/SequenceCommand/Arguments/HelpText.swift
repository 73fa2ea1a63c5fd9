import Presentation

/// The help texts, made from the table of commands.
enum HelpText {
  /// What `sequence help` prints.
  static var overview: String {
    let width = CommandTable.commands.map(\.name.count).max() ?? 0
    let lines = CommandTable.commands.map { "  \(padded($0.name, width))  \($0.summary)" }
    return """
      sequence runs a list of timed cards, one after the other, and tells by desktop notifications what is over
      and what comes next.

      usage: sequence COMMAND [OPTION …]

      \(lines.joined(separator: "\n"))

      Every command takes --state-dir DIR. sequence help COMMAND explains one; sequence --version says which this is.
      """
  }

  /// What `sequence help COMMAND` prints.
  static func text(for command: Command) -> String {
    let options = command.allOptions
    let names = options.map { "--\($0.name)" + ($0.value.map { " \($0)" } ?? "") }
    let width = names.map(\.count).max() ?? 0
    let usage = ["usage: sequence", command.name, command.argument?.usage, "[OPTION …]"].compactMap { $0 }
      .joined(separator: " ")
    let list = zip(names, options).map { "  \(padded($0, width))  \($1.summary)" }.joined(separator: "\n")
    let discussion = command.discussion.map { "\n\n" + wrapped($0, at: 100) }.joined()
    return "\(command.summary)\n\n\(usage)\n\n\(list)\(discussion)"
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
