/// A lexer that splits a template into texts and names in braces; `{{` and `}}` are literal braces.
struct TemplateReader {
  private var rest: Substring

  /// A piece of a template.
  enum Piece {
    /// A literal text; never empty.
    case text(String)
    /// The contents of a pair of braces.
    case braces(Substring)
  }

  init(_ text: String) {
    rest = text[...]
  }

  /// Returns the next piece; `nil` after the last one.
  mutating func next() throws(TemplateError) -> Piece? {
    guard let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) else {
      return take(upTo: rest.endIndex)
    }
    guard brace == rest.startIndex else { return take(upTo: brace) }
    let after = rest.dropFirst()
    if after.first == rest[brace] {
      rest = after.dropFirst()
      return .text(String(after.prefix(1)))
    }
    guard rest[brace] == "{", let end = after.firstIndex(of: "}") else { throw .unpairedBrace }
    rest = after[after.index(after: end)...]
    return .braces(after[..<end])
  }

  private mutating func take(upTo end: Substring.Index) -> Piece? {
    guard end > rest.startIndex else { return nil }
    defer { rest = rest[end...] }
    return .text(String(rest[..<end]))
  }
}
