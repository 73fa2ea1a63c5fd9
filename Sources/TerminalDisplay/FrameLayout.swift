/// Which parts of a frame there is room for, and how many lines each has.
///
/// It follows from the size alone, never from what is shown, so that nothing jumps from step to step.
struct FrameLayout: Sendable {
  /// The line with the sequence's title and the number of the step.
  private(set) var hasHeader = false
  /// The lines of the step's title.
  private(set) var titleRows = 1
  /// How much the letters of a large title are enlarged.
  private(set) var titleScale = 0
  private(set) var hasNote = false
  /// The lines of the large time; one is text.
  private(set) var timeRows = 1
  /// A line of its own for the state; without it the state is told beside the title.
  private(set) var hasState = false
  /// The lines of the step's progress bar.
  private(set) var barRows = 0
  private(set) var hasRounds = false
  private(set) var hasNext = false
  private(set) var hasWhole = false
  private(set) var hasKeys = false
  /// Blank lines between the title and the time, and between the time and what is below it.
  private(set) var gap = 0
  /// Blank lines above and below the middle block.
  private(set) var margins = (above: 0, below: 0)

  /// The layout for a terminal of at least three lines.
  init(_ size: TerminalSize) {
    var room = size.rows - 2
    // In this order, what matters more first.
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

  /// Gives lines to a part if there are enough left; parts after one that found no room get none either.
  private mutating func take(_ rows: Int, of room: inout Int, _ change: (inout FrameLayout) -> Void) {
    guard room >= rows else {
      room = 0
      return
    }
    room -= rows
    change(&self)
  }

  /// Shares what is left between the time, the title and blank lines.
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
    // A line above and one below stay free; the time takes what its width allows of the rest.
    let widest = BigTime.fitting("00:00", columns: size.columns - 8, rows: 200, glyphs: .unicode)?.rows ?? 3
    let larger = min(max(0, room - 2), max(0, widest - timeRows))
    timeRows += larger
    room -= larger
  }
}
