/// The width of a template field, written after the colon: `20`, `<20`, `>7` or `.30`.
struct FieldWidth: Equatable, Sendable {
  let columns: Int
  let filling: Filling

  /// The use of the columns that the text does not fill.
  enum Filling: Equatable, Sendable {
    /// Spaces after the text.
    case right
    /// Spaces before the text.
    case left
    /// No spaces.
    case none
  }

  /// The largest number of columns of a field.
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

  /// Returns a text cut with an ellipsis or padded with spaces; it must have no control characters.
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
