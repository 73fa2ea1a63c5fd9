import SequencePlatform
import SequencePlanning
import SequencePresentation
import SequenceRunner

/// The help on keys, which replaces the run in the terminal, in pages if it doesn't fit.
struct KeyHelp: Equatable, Sendable {
  /// The number of the page, from 0.
  var page = 0
  /// Whether Ctrl-C pauses the run, or only closes the display.
  let pausesOnInterrupt: Bool

  /// Returns the page, or the last one if there are fewer; each has the time on its first line from three lines on.
  func lines(_ frame: DisplayFrame) -> [StyledLine] {
    let pages = pages(frame)
    let number = min(page, pages.count - 1)
    guard hasHeading(frame) else { return pages[number] }
    var heading = frame.briefLine
    if pages.count > 1 { heading.append("\(frame.style.glyphs.separator)\(number + 1)/\(pages.count)", .dim) }
    let gap = frame.size.rows - pages[number].count > 2 ? [StyledLine.blank] : []
    return [heading.centered(in: frame.size.columns, frame.style)] + gap + pages[number]
  }

  /// Returns the help with the next page; `nil` after the last one.
  func next(_ frame: DisplayFrame) -> KeyHelp? {
    page + 1 < pages(frame).count ? KeyHelp(page: page + 1, pausesOnInterrupt: pausesOnInterrupt) : nil
  }

  private func hasHeading(_ frame: DisplayFrame) -> Bool { frame.size.rows >= 3 }

  private func pages(_ frame: DisplayFrame) -> [[StyledLine]] {
    let rows = max(1, frame.size.rows - (hasHeading(frame) ? 1 : 0))
    let all = table(frame) ?? flow(frame)
    return stride(from: 0, to: all.count, by: rows).map { Array(all[$0..<min($0 + rows, all.count)]) }
  }

  /// Returns a line for each key with its meaning; `nil` if that is too wide.
  private func table(_ frame: DisplayFrame) -> [StyledLine]? {
    let entries = entries(frame.view, isAlone: frame.others.isEmpty)
    let keyColumns = entries.reduce(0) { max($0, $1.key.count) } + 2
    let width = entries.reduce(0) { max($0, keyColumns + $1.meaning.count) }
    guard width <= frame.size.columns else { return nil }
    return entries.map { key, meaning, _ in
      var line = StyledLine(String(repeating: " ", count: (frame.size.columns - width) / 2))
      line.append(TextWidth.padded(key, to: keyColumns), .strong)
      line.append(meaning)
      return line
    }
  }

  /// Returns lines of as many keys as fit.
  private func flow(_ frame: DisplayFrame) -> [StyledLine] {
    var lines: [StyledLine] = []
    for (key, _, word) in entries(frame.view, isAlone: frame.others.isEmpty) {
      let entry = KeyHelp.line([(key, word)], gap: 0)
      guard var last = lines.last, last.columns + 2 + entry.columns <= frame.size.columns else {
        lines.append(entry)
        continue
      }
      last.append("  ")
      last.append(entry)
      lines[lines.count - 1] = last
    }
    return lines
  }

  private func entries(
    _ view: RunView, isAlone: Bool
  ) -> [(key: String, meaning: String, word: String)] {
    let step = DurationText.format(RunButton.extensionStep)
    return [
      (
        "space", view.isPaused ? translated("resume the run") : translated("pause the run"),
        view.isPaused ? translated("resume") : translated("pause")
      ),
      view.canCountSuspend ? ("c", translated("resume, and count the suspend"), translated("count it")) : nil,
      ("n", translated("complete the step"), translated("next")),
      ("s", translated("skip the step"), translated("skip")),
      ("b", translated("restart the previous step"), translated("back")),
      ("+ -", translated("add or subtract {}", step), translated("time")),
      isAlone ? nil : ("tab", translated("show the next run"), translated("run")),
      (
        "q",
        view.isPaused ? translated("leave; the run stays paused") : translated("leave; the run continues"),
        translated("leave")
      ),
      (
        "ctrl-c", pausesOnInterrupt ? translated("leave, and pause the run") : translated("leave"),
        pausesOnInterrupt ? translated("pause") : translated("leave")
      ),
      ("ctrl-l", translated("draw the screen again"), translated("redraw")),
      ("?", translated("close this help"), translated("close")),
    ].compactMap { $0 }
  }
}

/// The line with the help on keys.
extension KeyHelp {
  /// Returns help on as many keys as fit, the most useful keys first.
  static func line(_ view: RunView, columns: Int) -> StyledLine {
    for gap in [3, 2] {
      let inFull = line(hints(view, isShort: false), gap: gap)
      if inFull.columns <= columns { return inFull }
    }
    var hints = hints(view, isShort: true)
    while hints.count > 1, line(hints, gap: 2).columns > columns {
      // The last two keys leave the display and show all keys, so keys before them are dropped first.
      hints.remove(at: max(0, hints.count - 3))
    }
    return line(hints, gap: 2)
  }

  private static func line(_ entries: [(key: String, meaning: String)], gap: Int) -> StyledLine {
    var line = StyledLine()
    for (key, meaning) in entries {
      if line.columns > 0 { line.append(String(repeating: " ", count: gap)) }
      line.append(key, .strong)
      line.append(" \(meaning)", .dim)
    }
    return line
  }

  private static func hints(_ view: RunView, isShort: Bool) -> [(key: String, meaning: String)] {
    let moves = [
      ("n", translated("next")), ("s", translated("skip")), ("b", translated("back")),
      ("+ -", translated("time")),
    ]
    let ends = [
      (
        "q",
        isShort
          ? translated("leave")
          : view.isPaused ? translated("leave it paused") : translated("leave it running")
      ), ("?", translated("keys")),
    ]
    guard view.isPaused else { return [("space", translated("pause"))] + moves + ends }
    let count = view.canCountSuspend ? [("c", translated("count it"))] : []
    return [("space", translated("resume"))] + count + moves + ends
  }
}
