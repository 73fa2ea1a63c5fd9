/// A command line of bash up to the cursor, split into words as bash does it, without running or expanding anything.
///
/// The `COMP_WORDS` of bash don't help: they are split at colons and equals signs too, and keep their quotes.
struct BashLine: Equatable {
  /// The words before the one at the cursor.
  private(set) var words: [String] = []
  /// The word at the cursor, without its quotes.
  private(set) var current = ""
  /// The quote that is open at the cursor.
  private(set) var quote: Unicode.Scalar?
  /// Whether the word at the cursor is the target of a redirection, and not an argument of the command.
  private(set) var isRedirection = false
  private var isBegun = false

  /// Splits a line by scalars, because bash reads a quote with a combining accent as a quote.
  init(_ line: String) {
    var rest = Substring(line).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\" where quote != "'":
        let next = rest.popFirst()
        // Between double quotes, a backslash is literal unless it escapes a special character.
        if quote == "\"", next.map("\"\\$`".unicodeScalars.contains) == false { add(scalar) }
        if let next { add(next) }
      case _ where scalar == quote: quote = nil
      case "\"" where quote == nil, "'" where quote == nil:
        quote = scalar
        isBegun = true
      case "<" where quote == nil, ">" where quote == nil:
        // The operator includes a number before it, as in `2>`, and the rest of `>>`, `>|` and similar.
        if current.unicodeScalars.allSatisfy({ "0"..."9" ~= $0 }) { isBegun = false }
        endWord()
        isRedirection = true
        rest = rest.drop { "<>|&".unicodeScalars.contains($0) }
      case " " where quote == nil, "\t" where quote == nil, "\n" where quote == nil: endWord()
      default: add(scalar)
      }
    }
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    current.unicodeScalars.append(scalar)
    isBegun = true
  }

  private mutating func endWord() {
    if isBegun, !isRedirection { words.append(current) }
    if isBegun { isRedirection = false }
    (current, isBegun) = ("", false)
  }

  /// Escapes a text for the quote that is open at the cursor.
  func quoted(_ text: some StringProtocol) -> String {
    text.unicodeScalars.map { scalar in
      switch (quote, scalar) {
      case ("'", "'"): #"'\''"#
      case ("'", _): String(scalar)
      // bash expands the history in double quotes too, and would keep a backslash before the sign.
      case ("\"", "!"): #""\!""#
      case ("\"", "\""), ("\"", "\\"), ("\"", "$"), ("\"", "`"): "\\\(scalar)"
      case ("\"", _): String(scalar)
      default:
        !scalar.isASCII || scalar.properties.isAlphabetic
          || "0123456789_-+@%:=./".unicodeScalars.contains(scalar)
          ? String(scalar) : "\\\(scalar)"
      }
    }.joined()
  }
}
