import SequencePlatform
import SequencePresentation

/// The parts of a frame that fit into a terminal, with the height of each in lines.
///
/// The layout depends only on the size and not on the contents, so that nothing moves from step to step.
struct FrameLayout: Sendable {
  /// Whether there is a line with the sequence's title and the step number.
  private(set) var hasHeader = false
  private(set) var titleRows = 1
  /// The scale of the letters of a large title; 0 for plain text.
  private(set) var titleScale = 0
  private(set) var hasNote = false
  /// The most lines of a note; the second one takes the place of a blank line, which the gap always has.
  var noteRows: Int { hasNote ? 2 : 0 }
  /// The height of the time; 1 is plain text.
  private(set) var timeRows = 1
  /// Whether the state has its own line; otherwise it is next to the title.
  private(set) var hasState = false
  private(set) var barRows = 0
  private(set) var hasRounds = false
  private(set) var hasNext = false
  private(set) var hasWhole = false
  private(set) var hasKeys = false
  /// The number of blank lines between the title and the time, and between the time and the part below it.
  private(set) var gap = 0
  /// The numbers of blank lines above and below the middle block.
  private(set) var margins = (above: 0, below: 0)

  /// Creates the layout for a terminal of at least three lines.
  init(_ size: TerminalSize) {
    var room = size.rows - 2
    // The order is by importance.
    take(1, of: &room) { $0.barRows = 1 }
    take(2, of: &room) { $0.timeRows = 3 }
    take(1, of: &room) { $0.hasNext = true }
    take(1, of: &room) { $0.hasKeys = true }
    take(1, of: &room) { $0.hasHeader = true }
    take(2, of: &room) { $0.timeRows = 5 }
    take(1, of: &room) { $0.hasWhole = true }
    take(1, of: &room) { $0.hasState = true }
    take(1, of: &room) { $0.hasRounds = true }
    take(2, of: &room) { $0.gap = 1 }
    take(1, of: &room) { $0.hasNote = true }
    guard timeRows == 5 else { return }
    enlarge(size, &room)
    margins = (room / 2, room - room / 2)
  }

  /// Gives lines to a part if enough are left; otherwise neither it nor any later part gets lines.
  private mutating func take(_ rows: Int, of room: inout Int, _ change: (inout FrameLayout) -> Void) {
    guard room >= rows else {
      room = 0
      return
    }
    room -= rows
    change(&self)
  }

  /// Distributes the remaining lines between the time, the title and blank lines.
  private mutating func enlarge(_ size: TerminalSize, _ room: inout Int) {
    let scale = size.rows >= 52 ? 3 : size.rows >= 34 ? 2 : 1
    if hasNote, room >= BigTitle.rows(scale: scale) + 2 {
      titleScale = scale
      titleRows = BigTitle.rows(scale: scale)
      room -= titleRows - 1
    }
    if size.rows >= 30, room >= 6 {
      gap += 1
      room -= 2
    }
    if size.rows >= 34, room >= 1 {
      barRows = 2
      room -= 1
    }
    // One line above and below stays free. The time takes as many of the other lines as its width allows.
    let widest = BigTime.fitting("00:00", columns: size.columns - 8, rows: 200, glyphs: .unicode)?.rows ?? 3
    let larger = min(max(0, room - 2), max(0, widest - timeRows))
    timeRows += larger
    room -= larger
  }
}

/// A line of text in several inks, measured in columns.
struct StyledLine: Equatable, Sendable {
  struct Span: Equatable, Sendable {
    var text: String
    var ink: Ink
  }

  private(set) var spans: [Span] = []
  private(set) var columns = 0

  static let blank = StyledLine()

  init() {}

  init(_ text: String, _ ink: Ink = .normal) {
    append(text, ink)
  }

  mutating func append(_ text: String, _ ink: Ink = .normal) {
    guard !text.isEmpty else { return }
    spans.append(Span(text: text, ink: ink))
    columns += TextWidth.columns(text)
  }

  mutating func append(_ line: StyledLine) {
    spans += line.spans
    columns += line.columns
  }

  func centered(in width: Int, _ style: DisplayStyle) -> StyledLine {
    guard columns > 0 else { return self }
    guard columns < width else { return truncated(to: width, style) }
    var line = StyledLine(String(repeating: " ", count: (width - columns) / 2))
    line.append(self)
    return line
  }

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

  func rendered(_ style: DisplayStyle) -> String {
    spans.reduce(into: "") { text, span in
      let start = span.ink.start(style)
      // A sentence may have isolated titles already.
      let words = span.text.unicodeScalars.contains("\u{2069}") ? span.text : TextSafety.isolated(span.text)
      text += start.isEmpty ? words : start + words + Ink.end
    }
  }
}
