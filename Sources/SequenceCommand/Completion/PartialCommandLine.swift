import SequencePlatform

/// An unfinished command line, parsed as far as possible.
struct PartialCommandLine {
  private(set) var argument: String?
  /// Whether a `--` made all following words arguments.
  let isOnlyArguments: Bool
  /// The option whose value is the next word.
  private(set) var unfinished: (any OptionSpec)?
  private var options: [(spec: any OptionSpec, text: String)] = []

  /// Parses the words before the word at the cursor; invalid words are ignored.
  init(_ scanner: CommandLineScanner<any OptionSpec>) {
    var scanner = scanner
    while let part = scanner.next() {
      switch part {
      case .argument(let word): argument = argument ?? word
      case .option(let option, let text): options.append((option, text))
      case .missingValue(let option): unfinished = option
      case .unknownOption, .unexpectedValue: break
      }
    }
    isOnlyArguments = scanner.isOnlyArguments
  }

  func has(_ option: any OptionSpec) -> Bool { options.contains { $0.spec.name == option.name } }

  func values<Value>(_ option: Option<Value>) -> [String] {
    options.filter { $0.spec.name == option.name }.map(\.text)
  }
}
