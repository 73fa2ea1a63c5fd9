import SequencePlatform
import SequencePresentation

/// The rendering of the view of a run as lines of a terminal.
///
/// The result depends only on the view, the message, the size and the style. It never exceeds the size of the terminal.
struct DisplayFrame {
  let view: RunView
  /// The other active runs, in the order in which Tab shows them.
  let others: [RunView]
  /// A text that replaces the help on keys.
  let message: String?
  let size: TerminalSize
  let style: DisplayStyle
  let tone: Ink.Tone

  /// Renders the view of a run; returns the lines from top to bottom.
  ///
  /// - Parameters:
  ///   - others: the other active runs, in the order in which Tab shows them; they have a line above the others.
  ///   - message: a text that replaces the help on keys.
  static func lines(
    _ view: RunView, others: [RunView] = [], message: String? = nil, size: TerminalSize, style: DisplayStyle
  ) -> [String] {
    guard size.columns > 0, size.rows > 0 else { return [] }
    let hasOthers = !others.isEmpty && size.rows >= DisplayFrame.leastRowsForOthers
    let frame = DisplayFrame(
      view: view, others: others, message: message.map(TextSafety.sanitised),
      size: TerminalSize(columns: size.columns, rows: size.rows - (hasOthers ? 1 : 0)), style: style,
      tone: Ink.Tone(view))
    let ofRun = frame.size.rows < 3 ? frame.tiny : frame.full(FrameLayout(frame.size))
    let lines = (hasOthers ? [frame.othersLine] : []) + ofRun.prefix(frame.size.rows)
    return lines.prefix(size.rows).map { $0.truncated(to: size.columns, style).rendered(style) }
  }

  /// The least height of a terminal with a line for the other runs.
  private static let leastRowsForOthers = 6

  /// The contents of one or two lines: the time first, then the state and the step.
  private var tiny: [StyledLine] {
    var line = StyledLine(view.time, .tone(tone))
    if let word = stateWord { line.append(" \(word)", .tone(tone)) }
    line.append(" \(view.title)", .strong)
    guard size.rows == 2 else { return [line] }
    return [line] + stepBar(columns: size.columns, rows: 1)
  }

  private func full(_ layout: FrameLayout) -> [StyledLine] {
    let time = bigTime(rows: layout.timeRows)
    let content = contentColumns(layout)
    let gap = blank(layout.gap)
    var lines: [StyledLine] = []
    if layout.hasHeader { lines.append(header) }
    lines += blank(layout.margins.above)
    lines += title(layout)
    if layout.hasNote { lines.append(middle(StyledLine(view.note ?? "", .dim))) }
    lines += gap + time.map(middle) + gap
    if layout.hasState { lines.append(middle(stateLine)) }
    lines += stepBar(columns: content, rows: layout.barRows).map(middle)
    if layout.hasRounds { lines.append(middle(roundsLine(columns: size.columns))) }
    if layout.hasNext { lines.append(middle(nextLine)) }
    lines += blank(layout.margins.below)
    if layout.hasWhole { lines.append(middle(wholeLine(columns: content))) }
    if layout.hasKeys { lines.append(middle(bottomLine)) }
    return lines
  }

  /// Returns the width of the bars: that of a usual time in large digits, but not too narrow to be readable.
  private func contentColumns(_ layout: FrameLayout) -> Int {
    let time = BigTime(rows: layout.timeRows, glyphs: style.glyphs).columns("00:00")
    return min(max(time, 56), size.columns - (size.columns >= 40 ? 4 : 0))
  }

  private func blank(_ count: Int) -> [StyledLine] { Array(repeating: .blank, count: count) }

  private func middle(_ line: StyledLine) -> StyledLine { line.centered(in: size.columns, style) }

  /// Returns the title in large letters if they fit, otherwise as text in the middle of its lines.
  private func title(_ layout: FrameLayout) -> [StyledLine] {
    for scale in (0...layout.titleScale).reversed() where scale > 0 {
      let columns = size.columns - 4
      let large = BigTitle.lines(view.title, scale: scale, columns: columns, glyphs: style.glyphs)
      guard let large else { continue }
      return blank(layout.titleRows - large.count) + large.map { middle(StyledLine($0, .strong)) }
    }
    var line = StyledLine()
    if !layout.hasState, layout.timeRows > 1, let word = stateWord {
      line.append(word, .tone(tone))
      line.append(style.glyphs.separator, .dim)
    }
    line.append(view.title, .strong)
    return blank(layout.titleRows / 2) + [middle(line)] + blank((layout.titleRows - 1) / 2)
  }

  /// Returns the time in the largest digits that fit, centered in a number of lines.
  private func bigTime(rows: Int) -> [StyledLine] {
    let room = size.columns - (size.columns >= 40 ? 4 : 0)
    guard let big = BigTime.fitting(view.time, columns: room, rows: rows, glyphs: style.glyphs) else {
      var line = StyledLine(view.time, .tone(tone))
      if rows == 1, let word = stateWord { line.append(" \(word)", .tone(tone)) }
      return blank(rows / 2) + [line] + blank((rows - 1) / 2)
    }
    let above = (rows - big.rows) / 2
    let lines = big.lines(view.time).map { StyledLine($0, .tone(tone)) }
    return blank(above) + lines + blank(rows - big.rows - above)
  }
}
