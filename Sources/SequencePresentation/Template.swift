import FoundationEssentials
package import SequencePlatform
package import SequenceRunner

/// A text with fields in braces, for `sequence status --format` and hooks.
///
/// - `{step}` is a field.
/// - `{step:20}` is padded or cut to 20 columns, `{step:.20}` is cut to 20 columns, `{time:>7}` is
///   right-aligned in 7.
/// - `{next?, then }` inserts the text only if the field is not empty.
/// - `{{` and `}}` are braces.
package struct Template: Equatable, Sendable {
  package let text: String
  private let parts: [Part]

  private enum Part: Equatable {
    case text(String)
    case field(TemplateField, FieldWidth?)
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

  package init(_ text: String) throws(Problem) {
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

  package init(plain text: String) {
    self.text = text
    parts = [.text(text)]
  }

  /// Parses the contents of a pair of braces.
  private static func part(_ text: Substring) throws(Problem) -> Part {
    let mark = text.firstIndex { $0 == ":" || $0 == "?" }
    let name = String(text[..<(mark ?? text.endIndex)])
    guard let field = TemplateField(rawValue: name) else { throw unknownField(name) }
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

  private static func unknownField(_ name: String) -> Problem {
    // Braces of a shell or of JSON, and no name.
    let isBrace = name.contains { !$0.isLetter && !$0.isNumber && !"._".contains($0) }
    return Problem(
      "unknown field \(quote(name))",
      remedy: isBrace
        ? "to write a brace that is no field, double it: {{ and }}" : "use \(TemplateField.names)")
  }

  package func filled(with status: RunStatus, escape: (String) -> String = { $0 }) -> String {
    let view = RunView(status)
    return filled(escape: escape) { field in view.map(field.value) ?? field.idleValue }
  }
}

/// A lexer that splits a template into texts and names in braces; `{{` and `}}` are literal braces.
struct TemplateReader {
  private var rest: Substring

  enum Piece {
    /// A literal text; never empty.
    case text(String)
    case braces(Substring)
  }

  init(_ text: String) {
    rest = text[...]
  }

  mutating func next() throws(Problem) -> Piece? {
    guard let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) else {
      return take(upTo: rest.endIndex)
    }
    guard brace == rest.startIndex else { return take(upTo: brace) }
    let after = rest.dropFirst()
    if after.first == rest[brace] {
      rest = after.dropFirst()
      return .text(String(after.prefix(1)))
    }
    guard rest[brace] == "{", let end = after.firstIndex(of: "}") else {
      throw Problem(
        "a brace in the template is not closed or opened", remedy: "to print a brace, write {{ or }}")
    }
    rest = after[after.index(after: end)...]
    return .braces(after[..<end])
  }

  private mutating func take(upTo end: Substring.Index) -> Piece? {
    guard end > rest.startIndex else { return nil }
    defer { rest = rest[end...] }
    return .text(String(rest[..<end]))
  }
}

/// The width of a template field, written after the colon: `20`, `<20`, `>7` or `.30`.
struct FieldWidth: Equatable, Sendable {
  let columns: Int
  let filling: Filling

  enum Filling: Equatable, Sendable {
    /// Spaces after the text.
    case right
    /// Spaces before the text.
    case left
    case none
  }

  private static let most = 1000

  init(_ text: Substring) throws(Problem) {
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
      throw Problem(
        "\(quote(String(text))) is not a valid width", remedy: "write it like 20, <20, >7 or .30")
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

/// The fields of a run or an event that a template can contain; the raw value is the name in braces.
package enum TemplateField: String, CaseIterable, Sendable {
  case state, sequence, step, note, time, elapsed, remaining, duration, overtime, percent, number, count,
    round,
    rounds, next, paused, until, late, event, at
  case runID = "run.id"
  case runName = "run.name"
  case totalElapsed = "total.elapsed"
  case totalRemaining = "total.remaining"

  package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  package var idleValue: String { self == .state ? "idle" : "" }

  /// Returns the value for a run; empty if the field does not apply.
  package func value(of view: RunView) -> String {
    let position = view.position
    return switch self {
    case .state: position.state.rawValue
    case .sequence: view.sequence
    case .step: view.title
    case .note: view.note ?? ""
    case .time: view.time
    case .elapsed: ClockText.elapsed(position.elapsed)
    case .remaining: position.remaining.map { ClockText.remaining($0) } ?? ""
    case .duration: position.target.map { ClockText.remaining($0) } ?? ""
    case .overtime: position.isPastTarget ? ClockText.elapsed(position.overtime) : ""
    case .percent: view.percent.map { String($0) } ?? ""
    case .number: String(position.step.number)
    case .count: position.stepCount.map { String($0) } ?? ""
    case .round: position.step.rounds.last.map { String($0.round) } ?? ""
    case .rounds: position.step.rounds.last?.of.map { String($0) } ?? ""
    case .next: view.next?.title ?? ""
    case .paused: view.isPaused ? "paused" : ""
    case .until: view.stepEnd ?? ""
    case .late: view.lateness ?? ""
    case .event, .at: ""
    case .runID: view.runID.uuidString
    case .runName: view.runName
    case .totalElapsed: ClockText.elapsed(position.totalElapsed)
    case .totalRemaining: position.totalRemaining.map { ClockText.remaining($0) } ?? ""
    }
  }

  /// Returns the value for an event; `nil` for a field of the run.
  package func value(of event: RunEvent) -> String? {
    switch self {
    case .event: event.kind.name.rawValue
    case .at: event.at.wall.description
    case .state, .sequence, .step, .note, .time, .elapsed, .remaining, .duration, .overtime, .percent,
      .number,
      .count,
      .round, .rounds, .next, .paused, .until, .late, .runID, .runName, .totalElapsed, .totalRemaining:
      nil
    }
  }

  /// The clock that changes the value within a step; empty if no clock does.
  package var clocks: VisibleClocks {
    switch self {
    case .time, .percent: .time
    case .elapsed: .elapsed
    case .remaining: .remaining
    case .overtime: .overtime
    case .totalElapsed: .totalElapsed
    case .totalRemaining: .totalRemaining
    case .state, .sequence, .step, .note, .duration, .number, .count, .round, .rounds, .next, .paused, .until,
      .late, .event, .at,
      .runID, .runName:
      []
    }
  }
}
