import Platform
package import SequenceRunner

/// A text with fields in braces, such as `sequence status --format` and hooks have.
///
/// `{step}` is a field, `{step:20}` one of 20 columns, `{step:.20}` one of at most 20, `{time:>7}` one at the right of 7,
/// `{next?, then }` a text that is there if the field isn't empty, and `{{` and `}}` are braces.
package struct Template: Equatable, Sendable {
  /// The text as it is written.
  package let text: String
  private let parts: [Part]

  private enum Part: Equatable {
    case text(String)
    case field(TemplateField, FieldWidth?)
    /// A text that is there if the field isn't empty.
    case condition(TemplateField, String)
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

  /// A template without fields, whatever braces the text has.
  package init(plain text: String) {
    self.text = text
    parts = [.text(text)]
  }

  /// Parses what is between two braces.
  private static func part(_ text: Substring) throws(TemplateError) -> Part {
    let mark = text.firstIndex { $0 == ":" || $0 == "?" }
    let name = String(text[..<(mark ?? text.endIndex)])
    guard let field = TemplateField(rawValue: name) else { throw .unknownField(name) }
    guard let mark else { return .field(field, nil) }
    let rest = text[text.index(after: mark)...]
    return text[mark] == "?" ? .condition(field, String(rest)) : .field(field, try FieldWidth(rest))
  }

  /// The text, if there is no field in it.
  package var plain: String? {
    var plain = ""
    for part in parts {
      guard case .text(let text) = part else { return nil }
      plain += text
    }
    return plain
  }

  /// Whether the first thing in it is the value of a field.
  package var beginsWithField: Bool {
    if case .field? = parts.first { true } else { false }
  }

  /// The clocks that the text changes with.
  package var beats: VisibleClocks {
    parts.reduce(into: []) { beats, part in
      switch part {
      case .field(let field, _): beats.formUnion(field.beats)
      // Whether a clock is empty changes with the state of the run only.
      case .text, .condition: break
      }
    }
  }

  /// The text with the values of its fields.
  ///
  /// - Parameters:
  ///   - escape: makes a value harmless where the text goes; the template's own text stays.
  ///   - value: the value of a field, which gets rid of control characters here.
  package func filled(escape: (String) -> String = { $0 }, with value: (TemplateField) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let field, nil): escape(TextSafety.sanitised(value(field)))
      case .field(let field, let width?): escape(width.fitted(TextSafety.sanitised(value(field))))
      case .condition(let field, let text): value(field).isEmpty ? "" : text
      }
    }.joined()
  }

  /// The text with the status of a run.
  package func filled(with status: RunStatus, escape: (String) -> String = { $0 }) -> String {
    let position = status.position
    return filled(escape: escape) { field in
      guard let run = status.run, let position else { return field.idleValue }
      return field.value(of: run, at: position)
    }
  }
}

/// Why a text is not a template.
package enum TemplateError: ExplainedError, Equatable {
  /// A brace has no partner.
  case unpairedBrace
  /// No field has this name.
  case unknownField(String)
  /// A field can't have this width.
  case invalidWidth(String)

  package var problem: String {
    switch self {
    case .unpairedBrace: "a brace in the template has no partner"
    case .unknownField(let name): "there is no field \(quote(name))"
    case .invalidWidth(let width): "\(quote(width)) is no width of a field"
    }
  }

  package var remedy: String? {
    switch self {
    case .unpairedBrace: "write {{ for a brace"
    case .unknownField: "there are \(TemplateField.names)"
    case .invalidWidth: "write it like 20, <20, >7 or .30"
    }
  }
}
