/// A command line that is being written: what is understood of it so far.
struct PartialCommandLine {
  private(set) var positional: [String] = []
  private var options: [(name: String, value: String)] = []

  /// Understands the words before the one that is being written, the first of which names the command.
  ///
  /// What makes no sense is passed over, since there may be more to come.
  init(_ words: [String]) {
    let command = CommandTable.commands.first { $0.name == words.first }
    guard let command else { return }
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        positional.append(word)
        continue
      }
      guard word != "--" else {
        positional += rest
        return
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let option = command.allOptions.first { "--" + $0.name == parts[0] }
      guard let option, option.value != nil else { continue }
      if let value = parts.count == 2 ? parts[1] : rest.popFirst() {
        options.append((option.name, value))
      }
    }
  }

  func values<Value>(_ option: Option<Value>) -> [String] {
    options.filter { $0.name == option.name }.map(\.value)
  }
}
