/// The words of command lines, for the shell syntax that the documentation uses.
enum ShellWords {
  /// Returns the arguments of each command of a line that calls a program.
  static func commands(named program: String, in line: String) -> [[String]] {
    simpleCommands(of: line).compactMap { words in
      guard let name = words.first, name.split(separator: "/").last ?? "" == program else { return nil }
      return Array(words.dropFirst())
    }
  }

  /// Returns the simple commands of a line, each split into words, without redirections.
  private static func simpleCommands(of line: String) -> [[String]] {
    var (commands, words, word) = ([[String]](), [String](), String?.none)
    var quote: Character?
    var isComment = false
    var isTarget = false
    func endWord() {
      guard let whole = word else { return }
      if !isTarget { words.append(whole) }
      isTarget = false
      word = nil
    }
    func endCommand() {
      endWord()
      // Reserved words such as `do` precede a command.
      let rest = words.drop { ["do", "then", "else", "!", "{"].contains($0) }
      if !rest.isEmpty { commands.append(Array(rest)) }
      words = []
    }
    for character in line where !isComment {
      switch (quote, character) {
      case (let open?, character) where open == character: quote = nil
      case (.some, _): word = (word ?? "") + String(character)
      case (nil, "\""), (nil, "'"):
        quote = character
        word = word ?? ""
      case (nil, "#") where word == nil: isComment = true
      case (nil, " "): endWord()
      case (nil, "<"), (nil, ">"):
        // Preceding digits are the number of a file descriptor.
        if word?.allSatisfy(\.isNumber) == true { word = nil }
        endWord()
        isTarget = true
      case (nil, ";"), (nil, "|"), (nil, "&"), (nil, "("), (nil, ")"), (nil, "`"): endCommand()
      case (nil, _): word = (word ?? "") + String(character)
      }
    }
    endCommand()
    return commands
  }
}
