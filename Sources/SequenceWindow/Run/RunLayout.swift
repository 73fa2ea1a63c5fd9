import SequencePresentation
import SequenceRunner

/// The arrangement of the run's page in the room that it has.
///
/// Each part keeps its height in every state of a run, so that the ring has one size per window size.
struct RunLayout: Equatable {
  let isFullScreen: Bool
  /// Whether the words are beside the ring instead of above and below it.
  let isWide: Bool
  let width: Int
  private let height: Int
  let textWidth: Int
  let titleSize: Int
  /// The height of the step's title, in pixels; 0 for that of its text.
  let titleHeight: Int
  let textSize: Int
  /// Whether the buttons on a full screen have a place of their own below everything.
  let hasRoomForControls: Bool
  let noteLines: Int
  /// The height of a picture, in pixels; 0 if there is no room for one.
  let pictureHeight: Int
  /// The height of the rounds, the note and the next step together, in pixels; 0 for that of their texts.
  let detailsHeight: Int
  let buttonSize: Int
  let iconSize: Int
  let margin: Int
  let spacing: Int
  let isEnlarged: Bool
  /// Whether the words have so little room that a question takes all of it, and the next step one line.
  let isSmall: Bool
  let showsHeader: Bool
  let showsNote: Bool
  let showsWhole: Bool
  /// Whether the page says that the run continues without the window.
  let showsHint: Bool

  /// Arranges the page with texts as large as the user wants, or as the room allows.
  init(width: Int, height: Int, isFullScreen: Bool = false, textScale: Double) {
    var scale = min(max(textScale, 1), 3)
    self.init(width: width, height: height, isFullScreen: isFullScreen, scale: scale)
    while scale > 1, !fits(height: height) {
      scale = max(1, scale - 0.125)
      self.init(width: width, height: height, isFullScreen: isFullScreen, scale: scale)
    }
  }

  init(width: Int, height: Int, isFullScreen: Bool = false) {
    self.init(width: width, height: height, isFullScreen: isFullScreen, scale: 1)
  }

  private init(width: Int, height: Int, isFullScreen: Bool, scale: Double) {
    self.isFullScreen = isFullScreen
    isWide = height < 420 || width > height * 3 / 2
    let room = min(width, isWide ? height * 3 / 2 : height * 3 / 4)
    titleSize = min(max(room / (isWide ? 12 : 13), Int(22 * scale)), 320)
    // 60 of 1080 pixels on a full screen: capital letters have 12 arcmin at three meters from a screen of 14 inches.
    textSize = min(max(room / (isFullScreen ? 27 : isWide ? 34 : 28), Int(14 * scale)), 140)
    isEnlarged = scale > 1
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
    showsHint = !isFullScreen && !isWide && height >= 520 && !isEnlarged
    hasRoomForControls = isFullScreen && !isWide && height >= 600
    noteLines = isFullScreen || !isWide && height >= 760 ? 2 : 1
    self.height = height
    // Beside the ring it may be large; below it, the ring must stay readable.
    pictureHeight = isWide ? (height >= 360 ? height * 2 / 5 : 0) : height >= 600 ? height / 5 : 0
    titleHeight = isWide ? 0 : titleSize * 8 / 5
    // The line of the rounds, the note, and two lines of the next step.
    detailsHeight = isWide ? 0 : (1 + noteLines + 2) * textSize * 4 / 3 + 2 * spacing
  }

  /// The most lines of the note beside words of other heights: on a wide full screen it gets the room that they leave.
  ///
  /// - Parameters:
  ///   - title: the lines of the title.
  ///   - next: the lines of the next step.
  func noteLines(title: Int, next: Int, hasRounds: Bool, hasPicture: Bool) -> Int {
    guard isFullScreen, isWide else { return hasPicture ? 1 : noteLines }
    let line = textSize * 4 / 3
    let heading = title > 1 ? smallTitleSize * 4 / 3 * title : titleSize * 4 / 3
    let rounds = hasRounds ? textSize * 5 / 4 + spacing / 2 + line + spacing : 0
    let picture = hasPicture ? pictureHeight + spacing : 0
    let words = line + 4 + heading + rounds + picture + line * next + 2 * spacing
    return max(1, min(5, (height - margin - heightBelowBody - words) / line))
  }

  var wholeHeight: Int { isFullScreen ? textSize * 3 / 2 : textSize * 2 }

  var controlsHeight: Int { controlsBoxHeight + gap }

  private var controlsBoxHeight: Int { buttonSize * 5 / 4 + 2 * RunLayout.controlsPadding }

  /// The height below the ring and the words, with the space at the edge, in pixels.
  var heightBelowBody: Int { margin + (showsWhole ? wholeHeight + gap : 0) }

  /// The distance of the box with the buttons from the lower edge of the full screen, in pixels.
  ///
  /// On a wide screen, the box covers only the middle of the bar, between its texts. A screen that is too low for that
  /// has it above the bar.
  var controlsBottom: Int {
    if hasRoomForControls { return margin }
    let free = heightBelowBody - controlsBoxHeight
    return free >= 0 ? free / 2 : heightBelowBody
  }

  static let controlsPadding = 12

  var gap: Int { isWide ? spacing : spacing * 3 / 2 }

  var titleLines: Int { isFullScreen && fits(height: height, titleLines: 3) ? 3 : 2 }

  /// Whether the longest texts leave room for the buttons, and beside them for the smallest ring.
  func fits(height: Int, titleLines: Int = 2) -> Bool {
    let line = textSize * 4 / 3
    let (title, next) = (smallTitleSize * titleLines * 4 / 3, isSmall ? line : 2 * line)
    let heading = showsHeader ? line + 4 : 0
    // On a wide full screen the note gets the room that is left.
    let note = showsNote ? (isFullScreen && isWide ? 1 : noteLines) * line + spacing : 0
    let rounds = isWide ? textSize * 5 / 4 + spacing / 2 + line : line
    let words = heading + title + rounds + note + next + 2 * spacing
    let whole = showsWhole ? wholeHeight + gap : 0
    let buttons = isFullScreen ? (hasRoomForControls ? controlsHeight : 0) : buttonSize * 5 / 4 + gap
    let hint = showsHint ? 16 + gap : 0
    // A person who needs large texts needs a large time, too.
    let smallest =
      isEnlarged ? max(RunLayout.smallestRing, min(width, height) * 2 / 5) : RunLayout.smallestRing
    let ring = isWide ? 0 : smallest + spacing
    return words + ring <= height - 2 * margin - whole - buttons - hint
  }

  static let smallestRing = 110

  static let columnSpacing = 18

  var smallTitleSize: Int { titleSize * 3 / 5 }
}

extension RunView {
  static let mostDots = 8
  static let shortestSuspend = Duration.seconds(10)

  var windowTitle: String {
    let step = title + (endsByItself ? stepEnd.map { " until \($0)" } ?? "" : "")
    return title == sequence ? step : "\(step) – \(sequence)"
  }

  /// The line above the title; `nil` if it would only repeat the title.
  ///
  /// The place comes first, because a long title of the sequence is cut off.
  var heading: String? {
    guard position.stepCount != 1 else { return sequence == title ? nil : sequence }
    return "\(StepText.number(position.step.number, of: position.stepCount).capitalizedFirst) · \(sequence)"
  }

  var isFull: Bool { !isRest && !isPaused && (activity == .countdown || activity == .countUp) }

  /// A word or two below the time; `nil` if the time says everything.
  var caption: String? {
    // A count-up without a goal is known by its time.
    let aim = activity == .countUp && position.target != nil ? self.aim?.capitalizedFirst : nil
    let words = stateWords + [aim].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: " · ")
  }

  /// The innermost round as dots; `nil` if there are none or too many.
  var dots: Step.Round? { rounds.last.flatMap { $0.of.map { $0 <= RunView.mostDots } == true ? $0 : nil } }

  /// All rounds in words, outermost first; `nil` without rounds.
  var roundsText: String? {
    rounds.isEmpty ? nil : "Round " + rounds.map(\.description).joined(separator: " · ")
  }

  var nextText: String? {
    next.map { "Next: \($0.title)  \($0.length)" } ?? (position.stepCount == 1 ? nil : "Last step")
  }

  /// The suspend that the run is paused for, if its time can still be counted and is worth a question.
  var suspendText: String? {
    guard let suspend, let length = suspend.length, length >= RunView.shortestSuspend else { return nil }
    return SuspendText.text(suspend.cause, length, LengthText.format)
  }

  /// The texts below the ring, which stay the same for a whole step.
  var details: [String?] {
    [roundsText, note, nextText, suspendText, isRest ? "rest" : nil, position.step.card.image]
  }

  /// The texts at the start and at the end of the bar of the run.
  ///
  /// The first is the part that the bar shows, or the active time without a bar.
  var wholeTexts: (done: String, left: String?) {
    let active = "\(ClockText.elapsed(position.totalElapsed)) so far"
    if let remaining = position.totalRemaining {
      return ("\(ClockText.elapsed(plannedElapsed)) done", "\(ClockText.remaining(remaining)) left")
    }
    guard let stepCount, stepCount > 1 else { return (active, nil) }
    return ("\(stepsDone) of \(StepText.count(stepCount)) done", active)
  }
}
