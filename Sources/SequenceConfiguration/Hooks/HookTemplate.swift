import Platform
import Presentation
import SequenceRunner

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
    var reader = TemplateReader(text)
    while let piece = try HookTemplate.next(&reader) {
      switch piece {
      case .text(let text): parts.append(.text(text))
      case .braces(let name):
        guard let field = HookField(rawValue: String(name)) else { throw .unknownField(String(name)) }
        parts.append(.field(field))
      }
    }
    self.parts = parts
  }

  private static func next(_ reader: inout TemplateReader) throws(Mistake) -> TemplateReader.Piece? {
    do throws(TemplateReader.LonelyBrace) { return try reader.next() } catch { throw .lonelyBrace }
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
