import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The arrangement of the run's page in the room that it has.
///
/// The page takes the first of the candidates whose texts fit: heights are given out in a fixed order, and what gets none
/// is left out. A picture gets the height that the texts leave.
struct RunLayout: Equatable {
  /// The parts that are left out if they have no room, in this order.
  enum Part: Int, CaseIterable, Comparable {
    case hint, picture, note, heading, next, whole, ring, title

    static func < (one: Part, other: Part) -> Bool { one.rawValue < other.rawValue }
  }

  /// The room of the page, and what the step and the user want of it.
  struct Room: Equatable {
    var width: Int
    var height: Int
    var isFullScreen = false
    var textScale = 1.0
    var hasPicture = false
    /// Whether the run has one step, so that there is no other one to go to.
    var isSingle = false
    /// Whether the page asks a question, which is more than the ring of a run that is paused.
    var isAsking = false
    /// Whether a step of the run has a note.
    var hasNotes = true
  }

  /// How much of what is wanted a candidate gives.
  private struct Choice {
    var scale: Double
    /// The size of the texts, of the size that the room alone would give them.
    var size = 1.0
    var left: Part?
    var noteLines = 3
    /// Whether parts that a step doesn't have keep their height, so that the ring has one size in all steps.
    var isSteady = false
  }

  let isFullScreen: Bool
  /// Whether the words are beside the ring instead of above and below it.
  let isWide: Bool
  /// Whether a picture has a place: beside an upright ring, or between the words beside a wide one.
  let hasPicture: Bool
  /// Whether the ring has a place; only a question can take it.
  let hasRing: Bool
  let width: Int
  private let height: Int
  let textWidth: Int
  let titleSize: Int
  /// The height that the step's title keeps, in pixels; -1 for that of its text.
  let titleHeight: Int
  let textSize: Int
  /// The size of the texts that matter less: the heading, and the line about the whole run.
  let smallTextSize: Int
  /// Whether the buttons on a full screen have a place of their own below everything.
  let hasRoomForControls: Bool
  /// The most lines of the note.
  let noteLines: Int
  /// The height that the note keeps, in pixels; -1 for that of its text.
  let noteHeight: Int
  /// The height that the note and the next step keep together, in pixels; -1 for that of their texts.
  let detailsHeight: Int
  let buttonSize: Int
  let iconSize: Int
  let margin: Int
  /// The space below everything but the buttons on a full screen.
  let bottomMargin: Int
  /// The space around the buttons in their box on a full screen.
  let controlsPadding: Int
  let spacing: Int
  /// Whether a question has the smallest buttons, and the next step one line.
  let isSmall: Bool
  /// Whether the answers to a question have no room for their long texts.
  let hasShortAnswers: Bool
  private let left: Part?
  private let isSingle: Bool
  private let leastRing: Int
  /// The height of the digits of the time on a full screen.
  let digitsHeight: Int
  private let leastPicture: Int

  /// The arrangements of a page, the best one first.
  static func candidates(_ room: Room) -> [RunLayout] {
    let wanted = min(max(room.textScale, 1), 3)
    var choices: [Choice] = []
    for scale in Array(stride(from: wanted, to: 1, by: -0.25)) + [1] {
      // On a full screen the time has most of the height, and the texts have one size in all steps.
      for size in room.isFullScreen ? [1, 0.9, 0.8, 0.7, 0.65, 0.6, 0.5] : [] {
        choices.append(Choice(scale: scale, size: size, isSteady: true))
      }
      if room.hasPicture {
        // Texts that are larger than the user wants make room for it.
        for size in [1, 0.8, 0.65, 0.5] { choices.append(Choice(scale: scale, size: size, left: .hint)) }
        for lines in [2, 1] { choices.append(Choice(scale: scale, size: 0.5, left: .hint, noteLines: lines)) }
      }
      let known = choices.count
      choices.append(Choice(scale: scale, isSteady: true))
      choices.append(Choice(scale: scale, left: .hint, isSteady: true))
      // On a full screen nobody is near enough to ask for the rest of a text.
      for size in [1, 0.8, 0.65, 0.5] { choices.append(Choice(scale: scale, size: size, left: .hint)) }
      for lines in [2, 1] { choices.append(Choice(scale: scale, size: 0.5, left: .hint, noteLines: lines)) }
      guard room.hasPicture else { continue }
      for index in known..<choices.count { choices[index].left = .picture }
    }
    for part in Part.allCases where part >= .note && (part != .ring || room.isAsking) {
      choices.append(Choice(scale: 1, size: 0.5, left: part))
    }
    return choices.map { RunLayout(room, $0) }
  }

  private init(_ room: Room, _ choice: Choice) {
    let (height, scale, left) = (room.height, choice.scale, choice.left)
    isFullScreen = room.isFullScreen
    hasPicture = room.hasPicture && left.map { $0 < .picture } != false
    // A picture beside the ring would make it small where the page is nearly square.
    isWide = !isFullScreen && (height < 420 || room.width > height * (hasPicture ? 23 : 30) / 20)
    let size = min(room.width, isWide || isFullScreen ? height * 3 / 2 : height * 3 / 4)
    let shown = Int(Double(size) * choice.size)
    titleSize = min(max(shown / (isFullScreen ? 18 : isWide ? 12 : 13), Int(22 * scale)), 320)
    textSize = min(max(shown / (isFullScreen ? 27 : isWide ? 34 : 28), Int(14 * scale)), 140)
    smallTextSize = isFullScreen ? max(textSize * 7 / 10, min(textSize, Int(14 * scale))) : textSize
    let edge = isFullScreen ? Int(Double(min(room.width, height)) * Ring.frame) : 0
    margin = isFullScreen ? edge + max(edge / 4, 6) : min(max(size / 36, 8), 96)
    spacing = max(textSize / (isFullScreen ? 4 : 2), height < 240 ? 4 : 8)
    width = max(room.width - 2 * margin, 0)
    hasRing = !room.isAsking || left.map { $0 < .ring } != false
    textWidth = isWide && hasRing ? max(width - RunLayout.columnSpacing, 0) / 2 : width
    isSmall = isWide && (height < 240 || textWidth < 300)
    hasShortAnswers = isSmall || Double(textWidth) < 390 * max(room.textScale, 1)
    hasRoomForControls = isFullScreen && height >= 600 && height > room.width
    controlsPadding = height < 480 ? 4 : 12
    let usual = min(max(size / (isFullScreen ? 24 : 18), min(isWide ? 46 : 48, max(height / 5, 34))), 150)
    if hasRoomForControls || !isFullScreen {
      buttonSize = usual
      bottomMargin =
        margin + (isFullScreen ? RunLayout.controlsBoxHeight(usual, controlsPadding) + spacing * 3 / 2 : 0)
    } else {
      // They appear below the words, over the line about the whole run.
      let line = left.map { $0 < .whole } != false ? smallTextSize * 3 / 2 + spacing * 3 / 2 : 0
      let around = 2 * (controlsPadding + RunLayout.leastDistance)
      buttonSize = max(min(usual, (margin + line - around) * 4 / 5), RunLayout.smallestButton)
      bottomMargin = max(margin, RunLayout.smallestButton * 5 / 4 + around - line)
    }
    iconSize = max(buttonSize / 3, 16)
    noteLines = choice.noteLines
    self.height = height
    self.left = left
    isSingle = room.isSingle
    let isSteady = choice.isSteady && !isWide
    let line = textSize * 4 / 3
    let kept = !isFullScreen && height >= 760 ? 2 : 1
    titleHeight = isSteady ? titleSize * 8 / 5 : -1
    let hasNotes = !isFullScreen || room.hasNotes
    noteHeight = isSteady && !isSingle && hasNotes ? kept * line : -1
    // The note, and two lines of the next step, or a large one.
    let next = isFullScreen ? line * 3 / 2 : line * 2
    detailsHeight = isSteady && !isSingle ? (hasNotes ? kept * line + spacing : 0) + next : -1
    digitsHeight = room.isAsking ? height / 5 : height * 2 / 5
    let isLast = left.map { $0 >= .note } == true
    let least =
      isLast
      ? 40 : scale > 1 ? max(110, min(room.width, height) * 2 / 5) : max(110, min(room.width, height) / 3)
    // Digits that fill the width are no higher than a third of it.
    leastRing = isFullScreen ? min(digitsHeight, width / 3) : least
    leastPicture = choice.size > 0.5 ? max(RunLayout.smallestPicture, height / 4) : RunLayout.smallestPicture
  }

  func shows(_ part: Part) -> Bool {
    switch part {
    // It says that the run continues without the window.
    case .hint: left == nil && !isFullScreen && !isWide
    case .picture: hasPicture
    // Its time is that of the step; on a full screen its place is that of the buttons.
    case .whole: (isFullScreen || !isSingle) && left.map { $0 < .whole } != false
    case .ring: hasRing
    case .note, .heading, .next, .title: left.map { $0 < part } != false
    }
  }

  /// Whether the words leave room for the ring and the picture.
  ///
  /// - Parameters:
  ///   - headings: the height of the words above the ring, in pixels.
  ///   - details: the least width of those below it, and their height.
  ///   - hint: the height of the line below the buttons.
  func fits(headings: Int, details: (width: Int, height: Int), hint: Int) -> Bool {
    guard details.width <= textWidth else { return false }
    let whole = shows(.whole) ? wholeHeight + gap : 0
    let buttons = isFullScreen ? 0 : buttonSize * 5 / 4 + gap
    let body = height - margin - bottomMargin - whole - buttons - (shows(.hint) ? hint + gap : 0)
    let words = headings + details.height + 2 * spacing
    guard hasRing else { return body >= words }
    guard isWide else { return body - words >= (hasPicture ? max(leastRing, leastPicture) : leastRing) }
    return body >= leastRing && body - words >= (hasPicture ? leastPicture : 0)
  }

  var wholeHeight: Int { smallTextSize * 3 / 2 }

  private static func controlsBoxHeight(_ buttonSize: Int, _ padding: Int) -> Int {
    buttonSize * 5 / 4 + 2 * padding
  }

  /// The height below the ring and the words, with the space at the edge, in pixels.
  var heightBelowBody: Int { bottomMargin + (shows(.whole) ? wholeHeight + gap : 0) }

  /// The distance of the box with the buttons from the lower edge of the full screen, in pixels.
  ///
  /// On a wide screen, the box covers the middle of the line about the whole run, between its texts.
  var controlsBottom: Int {
    if hasRoomForControls { return margin }
    let box = RunLayout.controlsBoxHeight(buttonSize, controlsPadding)
    return max((heightBelowBody - box) / 2, RunLayout.leastDistance)
  }

  private static let smallestButton = 28
  /// The least distance of the buttons on a full screen from the edge and from the words.
  private static let leastDistance = 4

  var gap: Int { isWide ? spacing : spacing * 3 / 2 }

  var titleLines: Int { isFullScreen || isWide && height >= 240 ? 3 : 2 }

  /// The lines of the step's number and the sequence's title.
  var headingLines: Int { isWide && height >= 240 ? 2 : 1 }

  /// Makes a long title smaller, so that its lines take hardly more height than one.
  ///
  /// - Parameter length: returns the length of the title in one line, in a size.
  func titleSize(in width: Int, length: (_ size: Int) -> Int) -> Int {
    guard length(titleSize) > width else { return titleSize }
    // Lines end with whole words, so a third of them may stay empty.
    return length(smallTitleSize) * 3 > width * titleLines * 2 ? smallestTitleSize : smallTitleSize
  }

  static let smallestPicture = 80

  static let columnSpacing = 18

  var smallTitleSize: Int { titleSize * 3 / 5 }

  var smallestTitleSize: Int { max(titleSize * 2 / 5, textSize) }
}

extension RunView {
  static let shortestSuspend = Duration.seconds(10)

  var windowTitle: String {
    let end = endsByItself ? stepEnd : nil
    let name = TextSafety.isolated(title)
    let step = end.map { translated("{title} until {time}", ["title": name, "time": $0]) } ?? name
    return title == sequence ? step : "\(step) – \(TextSafety.isolated(sequence))"
  }

  /// The line above the title; `nil` if it would only repeat the title.
  ///
  /// The place comes first, because a long title of the sequence is cut off.
  var heading: String? {
    let name = [icon, sequence].compactMap { $0 }.joined(separator: " ")
    guard position.stepCount != 1 else { return sequence == title ? icon : name }
    return "\(StepText.number(position.step.number, of: position.stepCount).capitalizedFirst) · \(name)"
  }

  var isFull: Bool { !isRest && !isPaused && (activity == .countdown || activity == .countUp) }

  /// A word or two below the time, such as the clock time at which a countdown ends; `nil` if the time says everything.
  var caption: String? {
    // A count-up without a goal is known by its time.
    let aim = activity == .countUp && position.target != nil ? self.aim?.capitalizedFirst : nil
    let words = stateWords + [aim].compactMap { $0 }
    return words.isEmpty ? stepEnd.map { translated("until {}", $0) } : words.joined(separator: " · ")
  }

  /// All rounds in words, outermost first; `nil` without rounds.
  var roundsText: String? {
    rounds.isEmpty ? nil : StepText.line(rounds, separator: " · ", isSentence: true)
  }

  var nextText: String? {
    next.map {
      translated("Next: {title}  {length}", ["title": TextSafety.isolated($0.title), "length": $0.length])
    }
      ?? (position.stepCount == 1 ? nil : translated("Last step"))
  }

  /// The suspend that the run is paused for, if its time can still be counted and is worth a question.
  var suspendText: String? {
    guard let suspend, let length = suspend.length, length >= RunView.shortestSuspend else { return nil }
    return SuspendText.text(suspend.cause, length, LengthText.format)
  }

  /// The texts below the ring, which stay the same for a whole step.
  var details: [String?] {
    [note, nextText, suspendText, isRest ? "rest" : nil, position.step.card.image]
  }

  /// The line about the whole run: the rounds, and the time left or, while that isn't known, so far.
  var wholeTexts: [String] {
    let soFar = translated("{} so far", ClockText.elapsed(position.totalElapsed))
    let time = position.totalRemaining == nil ? [soFar] + totalLeft : totalLeft
    return [roundsText, time.joined(separator: ", ")].compactMap { $0 }
  }

  /// The button that the run needs next.
  var button: RunButton { waitsForUser ? .done : isPaused ? .resume : .pause }
}

/// A button of the run's page.
enum RunButton {
  case pause, resume, skip, done

  var name: String {
    switch self {
    case .pause: translated("Pause")
    case .resume: translated("Resume")
    case .skip: translated("Skip")
    case .done: translated("Done")
    }
  }

  var tooltip: String {
    switch self {
    case .pause: translated("Pause (Space)")
    case .resume: translated("Resume (Space)")
    case .skip: translated("Skip (S)")
    case .done: translated("Done (N)")
    }
  }

  var icon: String {
    switch self {
    case .pause: "media-playback-pause-symbolic"
    case .resume: "media-playback-start-symbolic"
    case .skip: "media-skip-forward-symbolic"
    case .done: "object-select-symbolic"
    }
  }
}
