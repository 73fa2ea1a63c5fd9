import SequencePlatform
import SequencePresentation
import SequenceRunner

final class RunPageView {
  let widget: Widget
  private let page: Box
  private let body: Grid
  private let headings: Box
  private let ring: DrawingArea
  private let details: Box
  private let heading: Label
  private let title: Label
  private let roundsRow: Box
  private let dots: DrawingArea
  private let rounds: Label
  private let note: Label
  private let picture: Picture
  private let picturePlace: Clamp
  private let next: Label
  private let whole: DrawingArea
  private let suspend: Box
  private let suspendText: Label
  private let without: Button
  private let count: Button
  private let toggle: Button
  private let leave: Button
  private let hint: Label
  private let icons: (stop: Image, back: Image, toggle: Image, leave: Image)
  private let buttonRow: Box
  /// The places of the buttons: on the page, and over it on the full screen.
  private let buttonPlaces: (page: Box, screen: Box)
  private let buttons: [Button]
  private let extendText: Label
  /// The buttons on the full screen, which are revealed while the pointer moves.
  let controls: Revealer
  private var room = (width: 0, height: 0)
  private var layout: RunLayout?
  var isFullScreen = false {
    didSet {
      guard isFullScreen != oldValue else { return }
      let (page, screen) = buttonPlaces
      (isFullScreen ? page : screen).move(buttonRow, to: isFullScreen ? screen : page)
      page.isVisible = !isFullScreen
      arrange()
      showEnding()
      showNextStyle()
    }
  }
  private var hasPicture = false
  private(set) var shown: RunView?

  init() throws(Problem) {
    let interface = try Interface(PackageResources.run_ui)
    widget = try interface.object("run")
    page = try interface.object("run_page")
    body = try interface.object("run_body")
    headings = try interface.object("headings")
    ring = try interface.object("ring")
    details = try interface.object("details")
    heading = try interface.object("heading")
    title = try interface.object("title")
    roundsRow = try interface.object("rounds_row")
    dots = try interface.object("dots")
    rounds = try interface.object("rounds")
    note = try interface.object("note")
    picture = try interface.object("picture")
    picturePlace = try interface.object("picture_place")
    next = try interface.object("next")
    whole = try interface.object("whole")
    suspend = try interface.object("suspend")
    suspendText = try interface.object("suspend_text")
    without = try interface.object("without")
    count = try interface.object("count")
    toggle = try interface.object("toggle")
    leave = try interface.object("leave")
    hint = try interface.object("hint")
    icons = (
      try interface.object("stop_icon"), try interface.object("back_icon"),
      try interface.object("toggle_icon"), try interface.object("leave_icon")
    )
    buttonRow = try interface.object("buttons")
    buttonPlaces = (try interface.object("buttons_place"), try interface.object("controls_place"))
    controls = try interface.object("controls")
    buttons = [
      try interface.object("stop"), try interface.object("back"), toggle, leave,
      try interface.object("extend"),
    ]
    extendText = try interface.object("extend_text")
    Canvas.draw(ring) { [weak self] canvas in
      if let page = self?.shown { Ring.draw(page, on: canvas) }
    }
    Canvas.draw(dots) { [weak self] canvas in
      if let dots = self?.shown?.dots { Ring.drawDots(dots, on: canvas) }
    }
    // It is drawn instead of made of labels, because each change of a label makes GTK lay out the window again.
    Canvas.draw(whole) { [weak self] canvas in
      if let page = self?.shown { Ring.drawWhole(page, on: canvas) }
    }
    widget.onTextScale { [weak self] in self?.arrange() }
    try (interface.object("run_room") as DrawingArea).onResize { [weak self] width, height in
      LoopSource.soon {
        self?.room = (width, height)
        self?.arrange()
      }
    }
  }

  func show(_ page: RunView) {
    let old = shown
    shown = page
    // A frame follows each new second, even if nothing else changes: the next second is waited for after it.
    ring.queueDraw()
    guard page != old else { return }
    showStep(page, old)
    if page.details != old?.details { showDetails(page) }
    showButtons(page, old)
    let texts = page.wholeTexts
    whole.setAccessibleName(
      "Whole run: " + [texts.done, texts.left].compactMap { $0 }.joined(separator: ", "))
    whole.queueDraw()
    showEnding()
  }

  /// Tints the last seconds of a countdown on a full screen, without flashing.
  private func showEnding() {
    widget.set(class: "ending", isFullScreen && page.wantsAnimations && shown?.isInLastSeconds == true)
  }

  func focusButton() { toggle.grabFocus() }

  private func showStep(_ page: RunView, _ old: RunView?) {
    if page.heading != old?.heading || old == nil {
      heading.text = page.heading ?? ""
      heading.setTooltip(page.heading)
    }
    if page.title != old?.title {
      title.text = page.title
      title.setTooltip(page.title)
      setTitleSize()
      announce(page)
    }
    ring.setAccessibleName([page.timeInWords, page.caption].compactMap { $0 }.joined(separator: ", "))
  }

  private func announce(_ page: RunView) {
    let text = [page.title, page.timeInWords].joined(separator: ", ")
    // Before GTK 4.14, the button with the focus has it as its description.
    if !widget.announce(text) { toggle.setAccessibleDescription(text) }
  }

  private func showDetails(_ page: RunView) {
    dots.isVisible = page.dots != nil
    if let round = page.dots {
      setDotsSize(round)
      dots.queueDraw()
    }
    rounds.text = page.roundsText ?? ""
    note.text = page.note ?? ""
    note.setTooltip(page.note)
    picture.show(page.position.step.card.image) { [weak self] isLoaded in
      self?.hasPicture = isLoaded
      self?.showDetailParts()
    }
    if page.position.step.card.image == nil { hasPicture = false }
    next.text = page.nextText ?? ""
    next.setTooltip(page.nextText)
    showNextStyle()
    setNextSize()
    // The question has the place of the details: the ring keeps its size.
    suspendText.text = page.suspendText.map { $0 + ". Count that time?" } ?? ""
    suspend.isVisible = page.suspendText != nil
    showDetailParts()
  }

  private func showDetailParts() {
    let asks = shown?.suspendText != nil
    let isWide = layout?.isWide == true
    headings.isVisible = !asks || layout?.isSmall != true
    // Next to the ring, missing parts need no room.
    roundsRow.isVisible = !asks && (!isWide || shown?.roundsText != nil)
    note.isVisible = !asks && layout?.showsNote != false && (!isWide || shown?.note != nil)
    let height = layout?.pictureHeight ?? 0
    picturePlace.isVisible = hasPicture && !asks && height > 0
    let reserved = layout?.detailsHeight ?? 0
    if let layout {
      note.setLines(
        layout.noteLines(
          title: lines(title, shown?.title, layout.smallTitleSize, most: layout.titleLines),
          next: lines(next, shown?.nextText, layout.textSize, most: 2), hasRounds: shown?.roundsText != nil,
          hasPicture: picturePlace.isVisible))
    }
    details.setLeast(height: picturePlace.isVisible && reserved > 0 ? reserved + height : reserved)
    next.isVisible = !asks && (!isWide || shown?.nextText != nil)
    heading.isVisible = layout?.showsHeader != false && (!isWide || shown?.heading != nil)
  }

  /// The number of lines that a text takes in a label, about.
  private func lines(_ label: Label, _ text: String?, _ size: Int, most: Int) -> Int {
    guard let text, let width = layout?.textWidth, width > 0 else { return 0 }
    return min(most, label.width(of: text, size: size) / width + 1)
  }

  private func showButtons(_ page: RunView, _ old: RunView?) {
    guard
      page.isPaused != old?.isPaused || page.endsByItself != old?.endsByItself
        || page.activity != old?.activity
    else {
      return
    }
    toggle.setTooltip(page.isPaused ? "Resume (Space)" : "Pause (Space)")
    toggle.setAccessibleName(page.isPaused ? "Resume" : "Pause")
    icons.toggle.set(
      "icon-name", to: page.isPaused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic")
    let isSkip = page.endsByItself
    leave.setAction(isSkip ? "app.skip" : "app.next")
    leave.setTooltip(isSkip ? "Skip (S)" : "Done (N)")
    leave.setAccessibleName(isSkip ? "Skip" : "Done")
    icons.leave.setIcon(isSkip ? "media-skip-forward-symbolic" : "object-select-symbolic")
    leave.set(class: "suggested-action", page.waitsForUser)
    toggle.set(class: "suggested-action", !page.waitsForUser)
    // The button that the user needs next has one place.
    if page.waitsForUser != old?.waitsForUser {
      buttonRow.place(page.waitsForUser ? leave : toggle, after: buttons[1])
      buttonRow.place(page.waitsForUser ? toggle : leave, after: page.waitsForUser ? leave : toggle)
    }
    setButtonSizes()
  }

  private func setButtonSizes() {
    guard let layout else { return }
    let suggested = shown?.waitsForUser == true ? leave : toggle
    for button in buttons {
      let size = button === suggested ? layout.buttonSize * 5 / 4 : layout.buttonSize
      button.setLeast(width: size, height: size)
    }
  }

  private func arrange() {
    guard room.width > 0 else { return }
    let new = RunLayout(
      width: room.width, height: room.height, isFullScreen: isFullScreen, textScale: page.textScale)
    guard new != layout else { return }
    let wasWide = layout?.isWide
    layout = new
    if wasWide != new.isWide { placeBody(isWide: new.isWide) }
    setTitleSize()
    title.setLeast(height: new.titleHeight)
    title.setLines(new.titleLines)
    picturePlace.setLargest(pixels: new.pictureHeight)
    picture.setLeast(height: new.pictureHeight)
    note.setLeast(height: new.isWide ? -1 : new.noteLines * new.textSize * 4 / 3)
    roundsRow.setVertical(new.isWide)
    roundsRow.setSpacing(new.isWide ? new.spacing / 2 : new.textSize / 2)
    // In the middle, neither the start of the title nor the length is cut off.
    next.setWraps(!new.isSmall)
    next.setEllipsis(isInMiddle: new.isSmall)
    suspend.set(class: "small", new.isSmall)
    without.label = new.isSmall ? "Resume" : "Resume Without It"
    count.label = new.isSmall ? "Count" : "Count and Resume"
    for label in [heading, rounds, note, suspendText] { label.setTextSize(new.textSize) }
    page.setSpacing(new.gap)
    details.setSpacing(new.spacing)
    body.setRowSpacing(new.spacing)
    for icon in [icons.stop, icons.back, icons.toggle, icons.leave] {
      icon.setSize(pixels: new.iconSize)
    }
    setButtonSizes()
    buttonRow.setSpacing(new.buttonSize / 6)
    // The largest button has the same height whichever it is.
    buttonRow.setLeast(height: new.buttonSize * 5 / 4)
    extendText.setTextSize(max(new.buttonSize * 2 / 7, 13))
    if let round = shown?.dots { setDotsSize(round) }
    let bottom = new.margin + (new.hasRoomForControls ? new.controlsHeight : 0)
    page.setMargins(top: new.margin, bottom: bottom, start: new.margin, end: new.margin)
    // Texts that wrap are high in a narrow page, so GTK has to know how wide the page is to know how high.
    page.setLeast(width: new.width)
    whole.isVisible = new.showsWhole
    whole.setContentSize(height: new.wholeHeight)
    controls.setMargins(bottom: new.controlsBottom)
    // It says that the run continues without the window.
    hint.isVisible = new.showsHint
    showDetailParts()
    setNextSize()
  }

  /// Makes a long title smaller, so that two lines take hardly more height than one.
  private func setTitleSize() {
    guard let layout else { return }
    let isLong = title.width(of: shown?.title ?? "", size: layout.titleSize) > layout.textWidth
    title.setTextSize(isLong ? layout.smallTitleSize : layout.titleSize)
  }

  /// Emphasizes the next step in a rest, and keeps it readable from a distance on the full screen.
  private func showNextStyle() {
    let isRest = shown?.isRest == true
    next.set(class: "dim-label", !isRest && !isFullScreen)
    next.set(class: "heading", isRest)
  }

  private func setDotsSize(_ rounds: Step.Round) {
    let size = layout?.textSize ?? 14
    dots.setContentSize(width: (rounds.of ?? 0) * size * 5 / 4, height: size * 5 / 4)
  }

  private func setNextSize() {
    guard let layout else { return }
    // Two lines are no higher than one large line.
    let large = layout.textSize * 3 / 2
    let fits = next.width(of: shown?.nextText ?? "", size: large) <= layout.textWidth
    next.setTextSize(shown?.isRest == true && fits ? large : layout.textSize)
  }

  private func placeBody(isWide: Bool) {
    if isWide {
      body.attach(ring, column: 0, row: 0, height: 2)
      body.attach(headings, column: 1, row: 0)
      body.attach(details, column: 1, row: 1)
    } else {
      body.attach(headings, column: 0, row: 0)
      body.attach(ring, column: 0, row: 1)
      body.attach(details, column: 0, row: 2)
    }
    body.setColumnsEqual(isWide)
    headings.setExpands(vertically: isWide)
    details.setExpands(vertically: isWide)
  }
}
