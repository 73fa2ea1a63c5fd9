import SequencePlatform

/// An unfinished command line, parsed as far as possible.
struct PartialCommandLine {
  private(set) var arguments: [String] = []
  /// The first argument.
  var argument: String? { arguments.first }
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
      case .argument(let word): arguments.append(word)
      case .option(let option, let text): options.append((option, text))
      case .missingValue(let option): unfinished = option
      case .unknownOption, .unexpectedValue: break
      }
    }
    isOnlyArguments = scanner.isOnlyArguments
  }

  /// The argument of a command that the word at the cursor belongs to; `nil` if it takes no more.
  func next(of command: Command) -> (any ArgumentSpec)? {
    guard let first = command.argument, !arguments.isEmpty else { return command.argument }
    // An argument may have several words.
    if first.count(in: arguments + ["x"]) > arguments.count { return first }
    return first.count(in: arguments) == arguments.count ? command.second : nil
  }

  func has(_ option: any OptionSpec) -> Bool { options.contains { $0.spec.name == option.name } }

  func values<Value>(_ option: Option<Value>) -> [String] {
    options.filter { $0.spec.name == option.name }.map(\.text)
  }
}
