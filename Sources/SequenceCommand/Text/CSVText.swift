import Platform
import SequenceFiles
import SequenceRunner

/// Records of comma-separated values as RFC 4180 has them: each ends with CR LF, and what needs quotes has them.
enum CSVText {
  /// A value of a record.
  enum Field {
    /// A text that the program wrote itself.
    case text(String)
    /// A text of the user's, or of somebody whose file it came from.
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

  /// A text that no spreadsheet takes for a formula: an apostrophe before it says that it is text.
  ///
  /// Formulas begin with one of these characters, and may fetch or run something. (OWASP, "CSV Injection".)
  private static func harmless(_ text: String) -> String {
    let text = TextSafety.sanitised(text)
    // By scalars: with an accent on it the sign is still the first of a formula.
    guard let first = text.unicodeScalars.first(where: { $0 != " " }),
      "=+-@＝＋－＠".unicodeScalars.contains(first)
    else { return text }
    return "'" + text
  }

  private static func quoted(_ text: String) -> String {
    // By scalars: CR LF is one character, and neither of the two.
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
