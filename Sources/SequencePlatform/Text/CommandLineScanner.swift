/// Splits a command line into options and arguments, as far as it can be understood.
///
/// Options may appear anywhere, `--name VALUE` and `--name=VALUE` are the same, and after `--` every word is an
/// argument. A mistake is a part, too: parsing reports it, and completion ignores it.
package struct CommandLineScanner<Option>: Sequence, IteratorProtocol {
  package enum Part {
    /// An option and its value; the value is empty if the option takes none.
    case option(Option, String)
    case argument(String)
    /// A word that looks like an option, without its value.
    case unknownOption(String)
    /// An option at the end of the line, which has no value yet.
    case missingValue(Option)
    case unexpectedValue(Option, String)
  }

  package private(set) var rest: ArraySlice<String>
  package private(set) var isOnlyArguments = false
  private let isArgument: (String) -> Bool
  private let find: (String) -> (option: Option, takesValue: Bool)?

  /// - Parameters:
  ///   - isArgument: whether a word with a hyphen is an argument, such as `-1m`.
  ///   - find: returns the option of a word such as `--json` or `-h`; `nil` for an unknown one.
  package init(
    _ words: [String], isArgument: @escaping (String) -> Bool = { _ in false },
    find: @escaping (String) -> (option: Option, takesValue: Bool)?
  ) {
    rest = words[...]
    self.isArgument = isArgument
    self.find = find
  }

  package mutating func next() -> Part? {
    guard let word = rest.popFirst() else { return nil }
    guard !isOnlyArguments, word.hasPrefix("-"), word != "-", !isArgument(word) else {
      return .argument(word)
    }
    guard word != "--" else {
      isOnlyArguments = true
      return next()
    }
    let parts = word.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0) }
    guard let (option, takesValue) = find(parts[0]) else { return .unknownOption(parts[0]) }
    guard takesValue else {
      return parts.count == 1 ? .option(option, "") : .unexpectedValue(option, parts[1])
    }
    guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else { return .missingValue(option) }
    return .option(option, value)
  }
}
