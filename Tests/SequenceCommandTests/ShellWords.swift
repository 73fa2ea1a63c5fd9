/// The words of command lines, as far as the documentation uses what a shell does with them.
enum ShellWords {
  /// The arguments of each command of a line that calls a program.
  static func commands(named program: String, in line: String) -> [[String]] {
    simpleCommands(of: line).compactMap { words in
      guard let name = words.first, name.split(separator: "/").last ?? "" == program else { return nil }
      return Array(words.dropFirst())
    }
  }

  /// The simple commands of a line, each split into words; redirections are left out.
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
      // Words such as `do` come before a command.
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
        // Digits before it are the number of a file descriptor.
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
