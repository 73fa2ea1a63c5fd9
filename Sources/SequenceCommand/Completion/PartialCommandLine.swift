/// An unfinished command line, parsed as far as possible.
struct PartialCommandLine {
  private(set) var argument: String?
  /// Whether a `--` made all following words arguments.
  private(set) var isOnlyArguments = false
  /// The option whose value is the next word.
  private(set) var unfinished: (any OptionSpec)?
  private var options: [(spec: any OptionSpec, text: String)] = []

  /// Parses the words between the name of a command and the word at the cursor.
  ///
  /// Invalid words are ignored.
  init(_ words: ArraySlice<String>, of command: Command) {
    for word in words {
      if let option = unfinished {
        options.append((option, word))
        unfinished = nil
      } else if isOnlyArguments || !command.isOption(word) {
        argument = argument ?? word
      } else if word == "--" {
        isOnlyArguments = true
      } else {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let option = command.option(written: String(parts[0])) else { continue }
        if option.value != nil, parts.count == 1 {
          unfinished = option
        } else {
          options.append((option, parts.count == 2 ? String(parts[1]) : ""))
        }
      }
    }
  }

  func has(_ option: any OptionSpec) -> Bool { options.contains { $0.spec.name == option.name } }

  func values<Value>(_ option: Option<Value>) -> [String] {
    options.filter { $0.spec.name == option.name }.map(\.text)
  }
}
