/// The arrangement of the run's page in the room that it has.
struct RunLayout: Equatable {
  /// Whether the words are beside the ring instead of above and below it.
  let isWide: Bool
  /// The width of the page, in pixels.
  let width: Int
  /// The size of the step's title, in pixels.
  let titleSize: Int
  /// The size of the other texts, in pixels.
  let textSize: Int
  /// The diameter of the round buttons, in pixels.
  let buttonSize: Int
  /// The size of the icons in the buttons, in pixels.
  let iconSize: Int
  /// The space at the edges, in pixels.
  let margin: Int
  /// The space between the parts of the page, in pixels.
  let spacing: Int
  let showsHeader: Bool
  let showsNote: Bool
  let showsWhole: Bool
  /// Whether the page says that the run continues without the window.
  let showsHint: Bool

  init(width: Int, height: Int) {
    isWide = height < 420 || width > height * 3 / 2
    let room = min(width, isWide ? height * 3 / 2 : height * 3 / 4)
    titleSize = min(max(room / (isWide ? 11 : 13), 22), 320)
    textSize = min(max(room / 28, 14), 120)
    buttonSize = min(max(room / 18, 46), 150)
    iconSize = max(buttonSize / 3, 16)
    margin = min(max(room / 28, 8), 96)
    spacing = max(textSize / 2, 8)
    self.width = max(width - 2 * margin, 0)
    showsHeader = height >= 220
    showsNote = height >= 280
    showsWhole = height >= 240
    showsHint = height >= 520 && !isWide
  }
}
