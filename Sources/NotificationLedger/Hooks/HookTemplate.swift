/// A text with fields in braces that are filled from what happened; `{{` and `}}` stand for braces.
package struct HookTemplate: Equatable, Sendable {
  /// The text as it is written.
  package let text: String
  private let parts: [Part]

  private enum Part: Equatable, Sendable {
    case text(String)
    case field(HookField)
  }

  /// Why a text is no template.
  package enum Mistake: Error, Equatable {
    /// A brace has no partner.
    case lonelyBrace
    case unknownField(String)
  }

  /// A text in which nothing is filled, whatever braces it has.
  package init(plain text: String) {
    self.text = text
    parts = [.text(text)]
  }

  package init(_ text: String) throws(Mistake) {
    self.text = text
    var parts: [Part] = []
    var rest = text[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
      let after = rest[rest.index(after: brace)...]
      if after.first == rest[brace] {
        parts.append(.text(String(rest[brace])))
        rest = after.dropFirst()
        continue
      }
      guard rest[brace] == "{", let end = after.firstIndex(of: "}") else { throw .lonelyBrace }
      let name = String(after[..<end])
      guard let field = HookField(rawValue: name) else { throw .unknownField(name) }
      parts.append(.field(field))
      rest = after[after.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  /// The text, if there is nothing in it to be filled.
  package var plain: String? {
    var plain = ""
    for part in parts {
      guard case .text(let text) = part else { return nil }
      plain += text
    }
    return plain
  }

  /// The text with the values of its fields, as one argument of a program.
  ///
  /// A value with a hyphen at the beginning gets a space before it: a title must not become an option.
  package func filled(with words: HookWords) -> String {
    let filled = parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let field): words[field]
      }
    }.joined()
    guard filled.hasPrefix("-"), case .field? = parts.first else { return filled }
    return " " + filled
  }
}
