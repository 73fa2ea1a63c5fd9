/// The arrangement of the run's page in the room that it has.
///
/// Each part keeps its height in every state of a run, so that the ring has one size per window size.
struct RunLayout: Equatable {
  let isFullScreen: Bool
  /// Whether the words are beside the ring instead of above and below it.
  let isWide: Bool
  /// The width of the page, in pixels.
  let width: Int
  /// The width of its texts, in pixels.
  let textWidth: Int
  /// The size of the step's title, in pixels.
  let titleSize: Int
  /// The height of the step's title, in pixels; 0 for that of its text.
  let titleHeight: Int
  /// The size of the other texts, in pixels.
  let textSize: Int
  /// The most lines of the note.
  let noteLines: Int
  /// The height of the rounds, the note and the next step together, in pixels; 0 for that of their texts.
  let detailsHeight: Int
  /// The diameter of the round buttons, in pixels.
  let buttonSize: Int
  /// The size of the icons in the buttons, in pixels.
  let iconSize: Int
  /// The space at the edges, in pixels.
  let margin: Int
  /// The space between the parts of the page, in pixels.
  let spacing: Int
  /// Whether the words have so little room that a question takes all of it, and the next step one line.
  let isSmall: Bool
  let showsHeader: Bool
  let showsNote: Bool
  let showsWhole: Bool
  /// Whether the page says that the run continues without the window.
  let showsHint: Bool

  init(width: Int, height: Int, isFullScreen: Bool = false) {
    self.isFullScreen = isFullScreen
    isWide = height < 420 || width > height * 3 / 2
    let room = min(width, isWide ? height * 3 / 2 : height * 3 / 4)
    titleSize = min(max(room / (isWide ? 12 : 13), 22), 320)
    textSize = min(max(room / (isWide && !isFullScreen ? 34 : 28), 14), 140)
    buttonSize = min(max(room / 18, isWide ? 46 : 48), 150)
    iconSize = max(buttonSize / 3, 16)
    margin = min(max(room / 36, 8), 96)
    spacing = max(textSize / 2, 8)
    self.width = max(width - 2 * margin, 0)
    textWidth = isWide ? max(self.width - RunLayout.columnSpacing, 0) / 2 : self.width
    // Beside the ring, the words have the height of the ring.
    isSmall = isWide && (height < 240 || textWidth < 300)
    showsHeader = !isWide || height >= 320
    showsNote = !isWide || height >= 360
    showsWhole = !isWide || height >= 280
    showsHint = !isFullScreen && !isWide && height >= 520
    noteLines = isFullScreen || !isWide && height >= 760 ? 2 : 1
    titleHeight = isWide ? 0 : titleSize * 8 / 5
    // The line of the rounds, the note, and two lines of the next step.
    detailsHeight = isWide ? 0 : (1 + noteLines + 2) * textSize * 4 / 3 + 2 * spacing
  }

  /// The space between the ring and the words next to it, in pixels.
  static let columnSpacing = 18

  /// The size of a title that takes two lines, in pixels.
  var smallTitleSize: Int { titleSize * 3 / 5 }
}
