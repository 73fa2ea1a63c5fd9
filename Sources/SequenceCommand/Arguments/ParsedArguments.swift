import Platform
import SequenceRunner

/// A command line, understood.
struct ParsedArguments: Equatable {
  let command: CommandName
  private(set) var positional: [String] = []
  /// The options, in the order in which they were given.
  private var options: [GivenOption] = []

  private struct GivenOption: Equatable {
    let name: String
    /// What it was given; empty if it takes no value.
    let value: String
  }

  /// Understands the words after the program's name, the first of which names the command.
  ///
  /// Options may stand anywhere, `--name VALUE` and `--name=VALUE` are the same, and after `--` every word is
  /// an argument.
  init(_ words: [String], of spec: CommandSpec) throws(UsageError) {
    command = spec.name
    var rest = words[...]
    var isOnlyPositional = false
    while let word = rest.popFirst() {
      if isOnlyPositional || !ParsedArguments.isOption(word, spec) {
        positional.append(word)
      } else if word == "--" {
        isOnlyPositional = true
      } else {
        try takeOption(word, &rest, spec)
      }
    }
    try checkPositional(spec)
  }

  func has(_ option: String) -> Bool { options.contains { $0.name == option } }

  func value(_ option: String) -> String? { options.last { $0.name == option }?.value }

  func values(_ option: String) -> [String] { options.filter { $0.name == option }.map(\.value) }

  private static func isOption(_ word: String, _ spec: CommandSpec) -> Bool {
    guard word.hasPrefix("-"), word != "-" else { return false }
    // A negative duration begins with a digit, or with P in the form of ISO 8601.
    return !(spec.takesNegativeNumbers && word.dropFirst().first.map { $0.isNumber || $0 == "P" } == true)
  }

  private mutating func takeOption(
    _ word: String, _ rest: inout ArraySlice<String>, _ spec: CommandSpec
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let given = parts.first ?? word
    let written = given == "-h" ? "--help" : given
    guard let option = (spec.options + CommandTable.common).first(where: { "--" + $0.name == written }) else {
      throw UsageError(
        "\(spec.name.rawValue) has no option \(quote(given)); see sequence help \(spec.name.rawValue)")
    }
    guard option.isRepeatable || !has(option.name) else {
      throw UsageError("\(written) is given twice; give it once")
    }
    if option.value == nil {
      guard parts.count == 1 else {
        throw UsageError("\(written) takes no value; leave \(quote(parts[1])) out")
      }
      options.append(GivenOption(name: option.name, value: ""))
    } else {
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
        throw UsageError("\(written) needs a value; write \(written) \(option.value ?? "")")
      }
      options.append(GivenOption(name: option.name, value: value))
    }
  }

  private static func check(_ word: String, _ kind: ValueKind) throws(UsageError) {
    let choices = kind.choices
    guard choices.isEmpty || choices.contains(word) else {
      throw UsageError("\(quote(word)) is not one of \(choices.joined(separator: ", "))")
    }
  }

  private func checkPositional(_ spec: CommandSpec) throws(UsageError) {
    guard !has("help") else { return }
    if positional.count > spec.arguments.count {
      throw UsageError(
        "\(quote(positional[spec.arguments.count])) is one argument too many; see sequence help \(spec.name.rawValue)"
      )
    }
    for (index, argument) in spec.arguments.enumerated() {
      guard index < positional.count else {
        if argument.isOptional { continue }
        throw UsageError(
          "\(spec.name.rawValue) needs \(argument.name); see sequence help \(spec.name.rawValue)")
      }
      try ParsedArguments.check(positional[index], argument.kind)
    }
  }
}

/// A command line that makes no sense.
struct UsageError: Error, Equatable {
  /// What is wrong; what to do about it.
  let text: String

  init(_ text: String) {
    self.text = text
  }
}
