import SequencePlatform
import SequenceRunner

/// The rendering of a display model as lines of a terminal.
///
/// The result depends only on the model, the size and the style. It never exceeds the size of the terminal.
package struct DisplayFrame {
  let model: DisplayModel
  let size: TerminalSize
  let style: DisplayStyle
  let tone: Ink.Tone

  /// Renders a model; returns the lines from top to bottom.
  package static func lines(_ model: DisplayModel, size: TerminalSize, style: DisplayStyle) -> [String] {
    guard size.columns > 0, size.rows > 0 else { return [] }
    let frame = DisplayFrame(model, size: size, style: style)
    let lines = size.rows < 3 ? frame.tiny : frame.full(FrameLayout(size))
    return lines.prefix(size.rows).map { $0.truncated(to: size.columns, style).rendered(style) }
  }

  private init(_ model: DisplayModel, size: TerminalSize, style: DisplayStyle) {
    var safe = model
    safe.sequenceTitle = TextSafety.sanitised(model.sequenceTitle)
    safe.stepTitle = TextSafety.sanitised(model.stepTitle)
    safe.note = model.note.map(TextSafety.sanitised)
    safe.message = model.message.map(TextSafety.sanitised)
    safe.next?.title = TextSafety.sanitised(model.next?.title ?? "")
    self.model = safe
    self.size = size
    self.style = style
    self.tone = Ink.Tone(model)
  }

  /// The contents of one or two lines: the time first, then the state and the step.
  private var tiny: [StyledLine] {
    var line = StyledLine(timeText, .tone(tone))
    if let word = stateWord { line.append(" \(word)", .tone(tone)) }
    line.append(" \(model.stepTitle)", .strong)
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
    if layout.hasNote { lines.append(middle(StyledLine(model.note ?? "", .dim))) }
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
      let large = BigTitle.lines(model.stepTitle, scale: scale, columns: columns, glyphs: style.glyphs)
      guard let large else { continue }
      return blank(layout.titleRows - large.count) + large.map { middle(StyledLine($0, .strong)) }
    }
    var line = StyledLine()
    if !layout.hasState, layout.timeRows > 1, let word = stateWord {
      line.append(word, .tone(tone))
      line.append(style.glyphs.separator, .dim)
    }
    line.append(model.stepTitle, .strong)
    return blank(layout.titleRows / 2) + [middle(line)] + blank((layout.titleRows - 1) / 2)
  }

  /// Returns the time in the largest digits that fit, centered in a number of lines.
  private func bigTime(rows: Int) -> [StyledLine] {
    let room = size.columns - (size.columns >= 40 ? 4 : 0)
    guard let big = BigTime.fitting(timeText, columns: room, rows: rows, glyphs: style.glyphs) else {
      var line = StyledLine(timeText, .tone(tone))
      if rows == 1, let word = stateWord { line.append(" \(word)", .tone(tone)) }
      return blank(rows / 2) + [line] + blank((rows - 1) / 2)
    }
    let above = (rows - big.rows) / 2
    let lines = big.lines(timeText).map { StyledLine($0, .tone(tone)) }
    return blank(above) + lines + blank(rows - big.rows - above)
  }
}
