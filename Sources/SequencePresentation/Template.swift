import SequencePlatform
package import SequenceRunner

/// A text with fields in braces, for `sequence status --format` and hooks.
///
/// - `{step}` is a field.
/// - `{step:20}` is padded or cut to 20 columns, `{step:.20}` is cut to 20 columns, `{time:>7}` is
///   right-aligned in 7.
/// - `{next?, then }` inserts the text only if the field is not empty.
/// - `{{` and `}}` are braces.
package struct Template: Equatable, Sendable {
  /// The template as written.
  package let text: String
  private let parts: [Part]

  private enum Part: Equatable {
    case text(String)
    case field(TemplateField, FieldWidth?)
    /// A text that is inserted only if the field is not empty.
    case condition(TemplateField, String)

    func filled(_ escape: (String) -> String, _ value: (TemplateField) -> String) -> String {
      switch self {
      case .text(let text): text
      case .field(let field, nil): escape(TextSafety.sanitised(value(field)))
      case .field(let field, let width?): escape(width.fitted(TextSafety.sanitised(value(field))))
      case .condition(let field, let text): value(field).isEmpty ? "" : text
      }
    }
  }

  /// Parses a template.
  package init(_ text: String) throws(TemplateError) {
    self.text = text
    var parts: [Part] = []
    var reader = TemplateReader(text)
    while let piece = try reader.next() {
      switch piece {
      case .text(let text): parts.append(.text(text))
      case .braces(let text): parts.append(try Template.part(text))
      }
    }
    self.parts = parts
  }

  /// Creates a template without fields; braces in the text have no meaning.
  package init(plain text: String) {
    self.text = text
    parts = [.text(text)]
  }

  /// Parses the contents of a pair of braces.
  private static func part(_ text: Substring) throws(TemplateError) -> Part {
    let mark = text.firstIndex { $0 == ":" || $0 == "?" }
    let name = String(text[..<(mark ?? text.endIndex)])
    guard let field = TemplateField(rawValue: name) else { throw .unknownField(name) }
    guard let mark else { return .field(field, nil) }
    let rest = text[text.index(after: mark)...]
    return text[mark] == "?" ? .condition(field, String(rest)) : .field(field, try FieldWidth(rest))
  }

  /// The text of a template without fields; `nil` if it has fields.
  package var plain: String? {
    var plain = ""
    for part in parts {
      guard case .text(let text) = part else { return nil }
      plain += text
    }
    return plain
  }

  /// The clocks that change the text.
  package var clocks: VisibleClocks {
    parts.reduce(into: []) { clocks, part in
      switch part {
      case .field(let field, _): clocks.formUnion(field.clocks)
      // A condition changes only with the state of the run, not with a clock.
      case .text, .condition: break
      }
    }
  }

  /// Returns the text with the values of its fields.
  ///
  /// - Parameters:
  ///   - escape: makes a value safe for the target format; not applied to the template's own text.
  ///   - value: returns the value of a field; control characters in it are removed.
  package func filled(escape: (String) -> String = { $0 }, with value: (TemplateField) -> String) -> String {
    parts.map { $0.filled(escape, value) }.joined()
  }

  /// Whether the text, with the values of its fields, begins with one of these values.
  package func beginsWithValue(_ value: (TemplateField) -> String) -> Bool {
    let first = parts.first { !$0.filled({ $0 }, value).isEmpty }
    return if case .field? = first { true } else { false }
  }

  /// Returns the text with the values of a run's status.
  package func filled(with status: RunStatus, escape: (String) -> String = { $0 }) -> String {
    let view = RunView(status)
    return filled(escape: escape) { field in view.map(field.value) ?? field.idleValue }
  }
}

/// The reason why a text is not a valid template.
package enum TemplateError: ExplainedError, Equatable {
  /// A brace without a partner.
  case unpairedBrace
  /// An unknown field name.
  case unknownField(String)
  /// An invalid width of a field.
  case invalidWidth(String)

  package var problem: String {
    switch self {
    case .unpairedBrace: "a brace in the template is not closed or opened"
    case .unknownField(let name): "unknown field \(quote(name))"
    case .invalidWidth(let width): "\(quote(width)) is not a valid width"
    }
  }

  package var remedy: String? {
    switch self {
    case .unpairedBrace: "to print a brace, write {{ or }}"
    // Braces of a shell or of JSON, and no name.
    case .unknownField(let name)
    where name.contains(where: { !$0.isLetter && !$0.isNumber && !"._".contains($0) }):
      "to write a brace that is no field, double it: {{ and }}"
    case .unknownField: "use \(TemplateField.names)"
    case .invalidWidth: "write it like 20, <20, >7 or .30"
    }
  }
}
