import SequencePlatform
import SequenceFiles
import SequenceRunner

struct ParsedArguments {
  let command: Command
  private var arguments: [String] = []
  private var options: [(spec: any OptionSpec, text: String)] = []

  /// Parses the words of a command line without the name of the command.
  ///
  /// With `--help` nothing is checked except that the options exist.
  init(_ words: [String], of command: Command) throws(Failure) {
    self.command = command
    var scanner = command.scanner(words)
    while let part = scanner.next() { try take(part) }
    if let count = command.argument?.count(in: arguments), count > 1 {
      arguments.replaceSubrange(..<count, with: [arguments[..<count].joined(separator: " ")])
    }
    if !has(.help) { try check() }
  }

  func has(_ option: some OptionSpec) -> Bool { options.contains { $0.spec.name == option.name } }

  func has(_ flag: Flag) -> Bool { options.contains { $0.spec.name == flag.name } }

  subscript<Value>(_ option: Option<Value>) -> Value? {
    get throws(Failure) { try values(option).last }
  }

  func values<Value>(_ option: Option<Value>) throws(Failure) -> [Value] {
    var values: [Value] = []
    for given in options where given.spec.name == option.name { values.append(try option.parse(given.text)) }
    return values
  }

  /// All arguments.
  var words: [String] { arguments }

  var rest: ArraySlice<String> { arguments.dropFirst() }

  subscript<Value>(_ argument: Argument<Value>) -> Value? {
    get throws(Failure) {
      let isSecond = command.argument?.name != argument.name && command.second?.name == argument.name
      guard let text = isSecond ? rest.first : arguments.first else { return nil }
      return try argument.parse(text)
    }
  }

  func required<Value>(_ argument: Argument<Value>) throws(Failure) -> Value {
    guard let value = try self[argument] else {
      throw Failure(
        usage: "\(command.name) needs \(argument.name)", remedy: "see sequence help \(command.name)")
    }
    return value
  }

  private mutating func take(_ part: CommandLineScanner<any OptionSpec>.Part) throws(Failure) {
    switch part {
    case .argument(let word): arguments.append(word)
    case .option(let option, let text):
      try checkCount(option)
      options.append((option, text))
    case .unknownOption(let word):
      throw Failure(
        usage: "\(command.name) has no option \(quote(word))", remedy: "see sequence help \(command.name)")
    case .missingValue(let option):
      try checkCount(option)
      throw Failure(missingValueOf: option)
    case .unexpectedValue(let option, let text):
      try checkCount(option)
      throw Failure(unexpected: text, of: option)
    }
  }

  private func checkCount(_ option: any OptionSpec) throws(Failure) {
    guard option.isRepeatable || !has(option) else {
      throw Failure(usage: "--\(option.name) is given twice", remedy: "give it once")
    }
  }

  private func check() throws(Failure) {
    for (option, text) in options { try option.check(text) }
    // Counting them in a list makes a type at run time.
    let most = (command.argument == nil ? 0 : 1) + (command.second == nil ? 0 : 1)
    if command.rest == nil, let extra = arguments.dropFirst(most).first {
      throw Failure(
        usage: "unexpected argument \(quote(extra))",
        remedy: most > 0
          ? LocalizedText("put words that belong together in quotes, or see sequence help \(command.name)")
          : LocalizedText("see sequence help \(command.name)"))
    }
    if let text = arguments.first, let argument = command.argument {
      do throws(Failure) {
        try argument.check(text)
      } catch {
        throw Failure(usage: error.problem.text, remedy: swapped(argument) ?? error.problem.remedy)
      }
    }
    if let text = rest.first { try command.second?.check(text) }
  }

  /// The remedy if the words of the two arguments are in the wrong order.
  private func swapped(_ argument: any ArgumentSpec) -> LocalizedText? {
    guard let second = command.second, let text = rest.first else { return nil }
    do throws(Failure) { try argument.check(text) } catch { return nil }
    return LocalizedText("write \(argument.name) before \(second.name)")
  }
}
