import Platform
import Presentation
import SequenceRunner

/// A text with fields in braces that are filled from the status.
///
/// `{step}` is a field, `{step:20}` one of 20 columns, `{step:.20}` one of 20 at most, `{time:>7}` one at the right of
/// 7, `{next?, then }` a text that is there where the field says something, and `{{` and `}}` are braces.
struct StatusTemplate: Equatable, Sendable {
  private let parts: [Part]

  private enum Part: Equatable {
    case text(String)
    case field(StatusField, FieldWidth?)
    /// A text that is there where the field is not empty.
    case condition(StatusField, String)
  }

  /// The template of a text.
  init(_ text: String) throws(UsageError) {
    var parts: [Part] = []
    var reader = TemplateReader(text)
    while let piece = try StatusTemplate.next(&reader) {
      switch piece {
      case .text(let text): parts.append(.text(text))
      case .braces(let text): parts.append(try StatusTemplate.part(text))
      }
    }
    self.parts = parts
  }

  private static func next(_ reader: inout TemplateReader) throws(UsageError) -> TemplateReader.Piece? {
    do throws(TemplateReader.LonelyBrace) {
      return try reader.next()
    } catch {
      throw UsageError("a brace in the template has no partner", remedy: "write {{ for a brace")
    }
  }

  /// What the braces of a template enclose.
  private static func part(_ text: Substring) throws(UsageError) -> Part {
    let mark = text.firstIndex { $0 == ":" || $0 == "?" }
    let name = String(text[..<(mark ?? text.endIndex)])
    guard let field = StatusField(rawValue: name) else {
      throw UsageError("there is no field \(quote(name))", remedy: "there are \(StatusField.names)")
    }
    guard let mark else { return .field(field, nil) }
    let rest = text[text.index(after: mark)...]
    return text[mark] == "?" ? .condition(field, String(rest)) : .field(field, try FieldWidth(rest))
  }

  /// The clocks that the text changes with.
  var beats: Beats {
    parts.reduce(into: []) { beats, part in
      switch part {
      case .field(let field, _): beats.formUnion(field.beats)
      // Whether a clock says anything changes with the state of the run only.
      case .text, .condition: break
      }
    }
  }

  /// The text with what the run of a look has for each field.
  ///
  /// - Parameter escape: makes what a field says harmless where the text goes; what the template itself says stays.
  func filled(with look: RunLook, escape: (String) -> String = { $0 }) -> String {
    let position = look.position
    func value(_ field: StatusField) -> String {
      guard let run = look.run, let position else { return field.idleValue }
      return TextSafety.sanitised(field.value(of: run, at: position))
    }
    return parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let field, nil): escape(value(field))
      case .field(let field, let width?): escape(width.fitted(value(field)))
      case .condition(let field, let text): value(field).isEmpty ? "" : text
      }
    }.joined()
  }
}
