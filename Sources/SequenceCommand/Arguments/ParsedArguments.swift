import SequencePlatform
import SequenceFiles
import SequenceRunner

/// The arguments and options of a parsed command line.
struct ParsedArguments {
  let command: Command
  private var arguments: [String] = []
  /// The options, in the order of the command line.
  private var options: [(spec: any OptionSpec, text: String)] = []

  /// Parses the words after the name of a command.
  ///
  /// Options may appear anywhere, `--name VALUE` and `--name=VALUE` are the same, and after `--` every word is
  /// an argument. With `--help` nothing is checked except that the options exist.
  init(_ words: [String], of command: Command) throws(UsageError) {
    self.command = command
    var rest = words[...]
    var isOnlyArguments = false
    while let word = rest.popFirst() {
      if isOnlyArguments || !command.isOption(word) {
        arguments.append(word)
      } else if word == "--" {
        isOnlyArguments = true
      } else {
        try takeOption(word, &rest)
      }
    }
    if let count = command.argument?.count(in: arguments), count > 1 {
      arguments.replaceSubrange(..<count, with: [arguments[..<count].joined(separator: " ")])
    }
    if !has(.help) { try check() }
  }

  func has(_ option: some OptionSpec) -> Bool { options.contains { $0.spec.name == option.name } }

  func has(_ flag: Flag) -> Bool { options.contains { $0.spec.name == flag.name } }

  /// The value of an option; `nil` if it isn't given.
  subscript<Value>(_ option: Option<Value>) -> Value? {
    get throws(UsageError) { try values(option).last }
  }

  /// The values of an option that may be given more than once.
  func values<Value>(_ option: Option<Value>) throws(UsageError) -> [Value] {
    var values: [Value] = []
    for given in options where given.spec.name == option.name { values.append(try option.parse(given.text)) }
    return values
  }

  /// The words after the argument.
  var rest: ArraySlice<String> { arguments.dropFirst() }

  /// The value of the argument; `nil` if it isn't given.
  subscript<Value>(_ argument: Argument<Value>) -> Value? {
    get throws(UsageError) {
      let isSecond = command.argument?.name != argument.name && command.second?.name == argument.name
      guard let text = isSecond ? rest.first : arguments.first else { return nil }
      return try argument.parse(text)
    }
  }

  /// The value of an argument that can't be left out.
  func required<Value>(_ argument: Argument<Value>) throws(UsageError) -> Value {
    guard let value = try self[argument] else {
      throw UsageError("\(command.name) needs \(argument.name)", remedy: "see sequence help \(command.name)")
    }
    return value
  }

  private mutating func takeOption(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let given = parts.first ?? word
    guard let option = command.option(written: given) else { throw unknown(given) }
    let written = "--" + option.name
    guard option.isRepeatable || !has(option) else {
      throw UsageError("\(written) is given twice", remedy: "give it once")
    }
    guard let name = option.value else {
      guard parts.count == 1 else {
        throw UsageError("\(written) takes no value", remedy: "remove \(quote("=" + parts[1]))")
      }
      return options.append((option, ""))
    }
    guard let text = parts.count == 2 ? parts[1] : rest.popFirst() else {
      throw UsageError("\(written) needs a value", remedy: "write \(written) \(name)")
    }
    options.append((option, text))
  }

  private func unknown(_ word: String) -> UsageError {
    let bare = String(word.drop { $0 == "-" })
    let near = NearNames.of(bare, among: command.allOptions.map(\.name)).map { "--" + $0 }
    return UsageError(
      "\(command.name) has no option \(quote(word))",
      remedy: near.isEmpty
        ? "see sequence help \(command.name)" : "did you mean \(alternatives(near))?")
  }

  private func check() throws(UsageError) {
    for (option, text) in options { try option.check(text) }
    let most = [command.argument, command.second].count { $0 != nil }
    if command.rest == nil, let extra = arguments.dropFirst(most).first {
      throw UsageError(
        "unexpected argument \(quote(extra))", remedy: "see sequence help \(command.name)")
    }
    if let text = arguments.first { try command.argument?.check(text) }
    if let text = rest.first { try command.second?.check(text) }
  }
}

/// A mistake in the command line.
struct UsageError: ExplainedError, Equatable {
  let problem: String
  let remedy: String?

  init(_ problem: String, remedy: String? = nil) {
    self.problem = problem
    self.remedy = remedy
  }

  init(_ error: some ExplainedError) { self.init(error.problem, remedy: error.remedy) }
}
