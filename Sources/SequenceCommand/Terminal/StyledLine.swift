import SequencePresentation

/// A line of text in several inks, measured in columns.
struct StyledLine: Equatable, Sendable {
  /// Text in one ink.
  struct Span: Equatable, Sendable {
    var text: String
    var ink: Ink
  }

  private(set) var spans: [Span] = []
  /// The width in columns.
  private(set) var columns = 0

  /// An empty line.
  static let blank = StyledLine()

  init() {}

  /// Creates a line of text in one ink.
  init(_ text: String, _ ink: Ink = .normal) {
    append(text, ink)
  }

  /// Appends text.
  mutating func append(_ text: String, _ ink: Ink = .normal) {
    guard !text.isEmpty else { return }
    spans.append(Span(text: text, ink: ink))
    columns += TextWidth.columns(text)
  }

  /// Appends a line.
  mutating func append(_ line: StyledLine) {
    spans += line.spans
    columns += line.columns
  }

  /// Returns the line centered in a number of columns; cut if it is wider.
  func centered(in width: Int, _ style: DisplayStyle) -> StyledLine {
    guard columns > 0 else { return self }
    guard columns < width else { return truncated(to: width, style) }
    var line = StyledLine(String(repeating: " ", count: (width - columns) / 2))
    line.append(self)
    return line
  }

  /// Returns the line cut to a number of columns, with an ellipsis.
  func truncated(to width: Int, _ style: DisplayStyle) -> StyledLine {
    guard columns > width else { return self }
    var line = StyledLine()
    for span in spans {
      let room = width - line.columns
      let columns = TextWidth.columns(span.text)
      // The text after the span needs at least one column, so a span that fills all the room is cut too.
      guard columns > room || (columns == room && span != spans.last) else {
        line.append(span.text, span.ink)
        continue
      }
      let text = columns > room ? span.text : span.text + " "
      line.append(TextWidth.truncated(text, to: room, ellipsis: style.glyphs.ellipsis), span.ink)
      break
    }
    return line
  }

  /// Returns the line with escape sequences for the inks.
  func rendered(_ style: DisplayStyle) -> String {
    spans.reduce(into: "") { text, span in
      let start = span.ink.start(style.colors)
      text += start.isEmpty ? span.text : start + span.text + Ink.end
    }
  }
}
