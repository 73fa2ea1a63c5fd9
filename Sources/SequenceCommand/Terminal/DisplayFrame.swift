import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The rendering of the view of a run as lines of a terminal.
///
/// The result depends only on the view, the message, the size and the style. It never exceeds the size of the terminal.
struct DisplayFrame {
  let view: RunView
  let others: [RunView]
  let message: String?
  private let hasOthersLine: Bool
  /// The size of the terminal without the line for other runs.
  let size: TerminalSize
  let style: DisplayStyle
  let tone: Ink.Tone

  /// - Parameters:
  ///   - others: the other active runs, in the order in which Tab shows them; they have a line above the others.
  ///   - message: a text that replaces the help on keys.
  ///   - help: the help that replaces the run.
  static func lines(
    _ view: RunView, others: [RunView] = [], message: String? = nil, help: KeyHelp? = nil, size: TerminalSize,
    style: DisplayStyle
  ) -> [String] {
    guard size.columns > 0, size.rows > 0 else { return [] }
    let frame = DisplayFrame(view, others: others, message: message, size: size, style: style)
    let lines = frame.hasOthersLine ? [frame.othersLine] : []
    return (lines + (help?.lines(frame) ?? frame.ofRun).prefix(frame.size.rows))
      .map { $0.truncated(to: size.columns, style).rendered(style) }
  }

  /// Creates the frame of a terminal with at least one line and column.
  init(_ view: RunView, others: [RunView], message: String?, size: TerminalSize, style: DisplayStyle) {
    self.view = view
    self.others = others
    self.message = message.map(TextSafety.sanitised)
    self.style = style
    tone = Ink.Tone(view)
    hasOthersLine = !others.isEmpty && size.rows >= DisplayFrame.leastRowsForOthers
    self.size = TerminalSize(columns: size.columns, rows: size.rows - (hasOthersLine ? 1 : 0))
  }

  private static let leastRowsForOthers = 6

  /// The lines of the run from top to bottom.
  private var ofRun: [StyledLine] {
    guard size.rows < 3 else { return full(FrameLayout(size)) }
    return [briefLine] + (size.rows == 2 ? stepBar(columns: size.columns, rows: 1) : [])
  }

  /// The contents of one line: the time first, then the state and the step.
  var briefLine: StyledLine {
    var line = StyledLine(view.time, .tone(tone))
    if let word = stateWord { line.append(" \(word)", .tone(tone)) }
    line.append(" \(view.title)", .strong)
    return line
  }

  private func full(_ layout: FrameLayout) -> [StyledLine] {
    let time = bigTime(rows: layout.timeRows)
    let content = contentColumns(layout)
    var lines: [StyledLine] = []
    if layout.hasHeader { lines.append(header) }
    lines += blank(layout.margins.above)
    lines += head(layout) + time.map(middle) + blank(layout.gap)
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

  func blank(_ count: Int) -> [StyledLine] { Array(repeating: .blank, count: count) }

  private func middle(_ line: StyledLine) -> StyledLine { line.centered(in: size.columns, style) }

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

  /// Returns the title and the note with the blank lines between them and the time.
  ///
  /// A second line of the note takes a blank one: that below a title without large letters, else the one above the time.
  private func head(_ layout: FrameLayout) -> [StyledLine] {
    let title = title(layout)
    let rows = title.count + (layout.hasNote ? 1 : 0) + layout.gap
    let texts = TextWidth.wrapped(
      view.note ?? "", to: size.columns - 4, lines: layout.noteRows, ellipsis: style.glyphs.ellipsis)
    let isTight = texts.count == layout.noteRows && layout.gap == 1 && title.last == .blank
    let lines = title.dropLast(isTight ? 1 : 0) + texts.map { middle(StyledLine($0, .dim)) }
    return lines + blank(rows - lines.count)
  }

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

extension DisplayFrame {
  /// The state in words, for displays without colors; `nil` for an ordinary running step, and for a rest whose title has
  /// the word.
  var stateWord: String? {
    if let state = view.stateWords.first { return state.uppercased() }
    let words = view.title.lowercased().split { !$0.isLetter }
    let rest = translated("rest")
    return view.isRest && !words.contains { $0 == rest.lowercased() } ? rest.uppercased() : nil
  }

  /// The text for the title of the terminal: the time, the step, and its state.
  static func title(_ view: RunView, _ style: DisplayStyle) -> String {
    let states = view.stateWords.isEmpty && view.isRest ? [translated("rest")] : view.lowerStateWords
    let title = TextWidth.truncated(
      view.title, to: DisplayFrame.widestTitle, ellipsis: style.glyphs.ellipsis)
    return (["\(view.time) \(TextSafety.isolated(title))"] + states).joined(
      separator: style.glyphs.separator)
  }

  private static let widestTitle = 60

  var stateLine: StyledLine {
    var line = StyledLine()
    if let stateWord { line.append(stateWord, .tone(tone)) }
    let aim = view.activity == .overtime ? translated("waiting for you") : view.aim
    if let reason = view.suspend.flatMap(SuspendText.past) ?? aim {
      if stateWord != nil { line.append(style.glyphs.separator, .dim) }
      line.append(reason, .dim)
    }
    return line
  }

  var header: StyledLine {
    let step = StepText.number(view.position.step.number, of: view.position.stepCount)
    let margin = size.columns >= 40 ? 1 : 0
    let room = size.columns - 2 * margin - step.count - 2
    guard room >= 8 else {
      return StyledLine(step, .dim).centered(in: size.columns, style)
    }
    let title = TextWidth.truncated(view.sequence, to: room, ellipsis: style.glyphs.ellipsis)
    var line = StyledLine(String(repeating: " ", count: margin))
    line.append(title, .dim)
    line.append(String(repeating: " ", count: room + 2 - TextWidth.columns(title)))
    line.append(step, .dim)
    return line
  }

  /// The line with the other runs and their times, and the key that shows them; the last ones are only counted if they
  /// don't fit.
  var othersLine: StyledLine {
    var line = StyledLine(String(repeating: " ", count: size.columns >= 40 ? 1 : 0))
    line.append("tab", .strong)
    let texts = zip(RunView.labels([view] + others).dropFirst(), others).map { label, other in
      // The direction of a text must not change the place of the time.
      var text = StyledLine(
        TextWidth.truncated(label, to: DisplayFrame.widestLabel, ellipsis: style.glyphs.ellipsis), .dim)
      text.append(" \(other.time)", .dim)
      if !other.lowerStateWords.isEmpty {
        text.append(" " + other.lowerStateWords.joined(separator: " "), .dim)
      }
      return text
    }
    for (place, text) in texts.enumerated() {
      let left = texts.count - place
      let gap = place == 0 ? " " : style.glyphs.separator
      // The number of those left out needs room, unless this is the last one.
      let more =
        left > 1 ? TextWidth.columns(style.glyphs.separator + translated("{} more", String(left))) : 0
      guard TextWidth.columns(gap) + text.columns + more <= size.columns - line.columns else {
        line.append(gap + translated("{} more", String(left)), .dim)
        break
      }
      line.append(gap, .dim)
      line.append(text)
    }
    return line
  }

  /// The widest name of another run, in columns.
  private static let widestLabel = 20

  func stepBar(columns: Int, rows: Int) -> [StyledLine] {
    guard rows > 0, columns > 0 else { return [] }
    guard let progress = view.stepProgress else { return blank(rows) }
    let bar = bar(progress, columns: columns, .tone(tone), isThin: view.isRest)
    // Two thin lines would look like two bars.
    return view.isRest ? [bar] + blank(rows - 1) : Array(repeating: bar, count: rows)
  }

  private func bar(_ progress: Double, columns: Int, _ ink: Ink, isThin: Bool = false) -> StyledLine {
    let (filled, track) = style.glyphs.bar(progress, columns: max(0, columns), isThin: isThin)
    var line = StyledLine(filled, ink)
    line.append(track, .dim)
    return line
  }

  func wholeLine(columns: Int) -> StyledLine {
    var parts = view.totalLeft
    // The end is added if a bar fits beside it.
    if let end = view.end, columns >= parts.joined(separator: ", ").count + end.count + 30 {
      parts.insert(translated("until {}", end), at: 1)
    }
    let left = parts.isEmpty ? nil : parts.joined(separator: ", ")
    var line = StyledLine(ClockText.elapsed(view.position.totalElapsed), .dim)
    let room = columns - line.columns - (left?.count ?? 0) - 2
    if let progress = view.progress, room >= 4 {
      line.append(" ")
      line.append(bar(progress, columns: room, .dim))
    } else if let left {
      line.append(style.glyphs.separator + left, .dim)
      return line
    } else {
      line.append(" " + translated("in all"), .dim)
    }
    if let left { line.append(" \(left)", .dim) }
    return line
  }

  /// Returns the rounds in words, with dots for the innermost group if they fit.
  func roundsLine(columns: Int) -> StyledLine {
    guard let innermost = view.rounds.last else { return .blank }
    var line = StyledLine(
      StepText.line(view.rounds, separator: style.glyphs.separator, isSentence: false), .dim)
    let dots = style.glyphs.rounds
    guard let count = innermost.of, count > 1, count * 2 + line.columns + 2 <= min(columns, 72) else {
      return line
    }
    line.append("  ")
    for round in 1...count {
      switch round {
      case innermost.round: line.append(" " + dots.now, .tone(tone))
      default: line.append(" " + (round < innermost.round ? dots.done : dots.ahead), .dim)
      }
    }
    return line
  }

  var nextLine: StyledLine {
    guard let next = view.next else { return StyledLine(translated("Last step"), .dim) }
    // The title has a style of its own.
    let around = translated("Next: {}", "\n").split(separator: "\n", omittingEmptySubsequences: false)
    let (before, after) = (String(around[0]), String(around.last ?? "") + "  \(next.length)")
    let room = size.columns - before.count - after.count
    var line = StyledLine(before, .dim)
    line.append(TextWidth.truncated(next.title, to: max(1, room), ellipsis: style.glyphs.ellipsis), .strong)
    line.append(after, .dim)
    return line
  }

  var bottomLine: StyledLine {
    if let message, !message.isEmpty { return StyledLine(message, .strong) }
    return KeyHelp.line(view, columns: size.columns - 2)
  }
}
