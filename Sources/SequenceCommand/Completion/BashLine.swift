/// A command line of bash up to the cursor, taken apart as bash does it; nothing in it is run or expanded.
///
/// bash's own `COMP_WORDS` are split at colons and equals signs, and keep their quotes.
struct BashLine: Equatable {
  /// The words before the one at the cursor.
  private(set) var words: [String] = []
  /// The word at the cursor, without its quotes.
  private(set) var current = ""
  /// The quote that is open at the cursor.
  private(set) var quote: Unicode.Scalar?
  /// Whether the shell reads from the word at the cursor, or writes to it; such words are none of the command.
  private(set) var isRedirection = false
  private var isBegun = false

  /// Takes a line apart by scalars: a quote that carries an accent is a quote to bash.
  init(_ line: String) {
    var rest = Substring(line).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\" where quote != "'":
        let next = rest.popFirst()
        // Between double quotes a backslash is one, unless it takes a meaning away.
        if quote == "\"", next.map("\"\\$`".unicodeScalars.contains) == false { add(scalar) }
        if let next { add(next) }
      case _ where scalar == quote: quote = nil
      case "\"" where quote == nil, "'" where quote == nil:
        quote = scalar
        isBegun = true
      case "<" where quote == nil, ">" where quote == nil:
        // The number before it, as in `2>`, belongs to it, and so does the rest of `>>`, `>|` and the like.
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

  /// A text as it is written where the quote is open that is open at the cursor.
  func quoted(_ text: some StringProtocol) -> String {
    text.unicodeScalars.map { scalar in
      switch (quote, scalar) {
      case ("'", "'"): #"'\''"#
      case ("'", _): String(scalar)
      // The history is searched in double quotes too, and a backslash before the sign would stay.
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
