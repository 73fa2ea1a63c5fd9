/// How many columns a field of a template takes, as it is written after the colon: `20`, `<20`, `>7` or `.30`.
struct FieldWidth: Equatable, Sendable {
  let columns: Int
  let filling: Filling

  /// What becomes of the columns that are left.
  enum Filling: Equatable, Sendable {
    /// They stay empty at the right.
    case right
    /// They stay empty at the left.
    case left
    /// They are left out.
    case none
  }

  /// The most columns that a field can have.
  private static let most = 1000

  init(_ text: Substring) throws(TemplateError) {
    let (filling, digits): (Filling, Substring) =
      switch text.first {
      case "<": (.right, text.dropFirst())
      case ">": (.left, text.dropFirst())
      case ".": (.none, text.dropFirst())
      default: (.right, text)
      }
    guard digits.allSatisfy(\.isWholeNumber), let columns = Int(digits),
      (1...FieldWidth.most).contains(columns)
    else {
      throw .invalidWidth(String(text))
    }
    self.columns = columns
    self.filling = filling
  }

  /// A text, cut with an ellipsis or filled up with spaces; it has no control characters.
  func fitted(_ text: String) -> String {
    let cut = TextWidth.truncated(text, to: columns)
    let spaces = String(repeating: " ", count: max(0, columns - TextWidth.columns(cut)))
    return switch filling {
    case .right: cut + spaces
    case .left: spaces + cut
    case .none: cut
    }
  }
}
