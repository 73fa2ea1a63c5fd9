import SequencePlatform
import SequenceFiles
import SequenceRunner

/// Records of comma-separated values (RFC 4180): each ends with CR LF, and fields are quoted if needed.
enum CSVText {
  /// A value of a record.
  enum Field {
    /// A text of the program.
    case text(String)
    /// A text of the user, or from a file.
    case foreign(String)
    case number(Double)
    case none
  }

  /// A record without its line end.
  static func record(_ fields: [Field]) -> String { fields.map(text).joined(separator: ",") }

  private static func text(_ field: Field) -> String {
    switch field {
    case .text(let text): quoted(text)
    case .foreign(let text): quoted(harmless(text))
    case .number(let number):
      number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    case .none: ""
    }
  }

  /// Puts an apostrophe before a text that a spreadsheet would read as a formula.
  ///
  /// Formulas begin with one of these characters, and may load or run something (OWASP, "CSV Injection").
  private static func harmless(_ text: String) -> String {
    let text = TextSafety.sanitised(text)
    // By scalars, because a sign with a combining accent still starts a formula.
    guard let first = text.unicodeScalars.first(where: { $0 != " " }),
      "=+-@＝＋－＠".unicodeScalars.contains(first)
    else { return text }
    return "'" + text
  }

  private static func quoted(_ text: String) -> String {
    // By scalars, because CR LF is one character in Swift.
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
    // A quote with a combining accent is one character, too.
    var doubled = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { doubled += scalar == "\"" ? [scalar, scalar] : [scalar] }
    return "\"\(String(doubled))\""
  }
}
