import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The page of a run: widgets that show a `RunView`, whose buttons call actions.
final class RunPageView {
  let widget: Widget
  private let page: Widget
  private let body: Widget
  private let headings: Widget
  private let ring: Widget
  private let details: Widget
  private let heading: Widget
  private let title: Widget
  private let roundsRow: Widget
  private let dots: Widget
  private let rounds: Widget
  private let note: Widget
  private let next: Widget
  private let whole: Widget
  private let suspend: Widget
  private let suspendText: Widget
  private let without: Widget
  private let count: Widget
  private let toggle: Widget
  private let leave: Widget
  private let hint: Widget
  private let icons: (stop: Widget, back: Widget, toggle: Widget, leave: Widget)
  private let buttonRow: Widget
  /// The places of the buttons: on the page, and over it on the full screen.
  private let buttonPlaces: (page: Widget, screen: Widget)
  /// All buttons of the row.
  private let buttons: [Widget]
  private let extendText: Widget
  /// The buttons on the full screen, which are revealed while the pointer moves.
  let controls: Widget
  private var room = (width: 0, height: 0)
  private var layout: RunLayout?
  /// Whether the page fills the screen.
  var isFullScreen = false {
    didSet {
      guard isFullScreen != oldValue else { return }
      let (page, screen) = buttonPlaces
      buttonRow.move(from: isFullScreen ? page : screen, to: isFullScreen ? screen : page)
      page.isVisible = !isFullScreen
      arrange()
      showEnding()
      showNextStyle()
    }
  }
  /// The value that is shown; `nil` before the first.
  private(set) var shown: RunView?

  init() throws(ToolkitError) {
    let interface = try Interface(PackageResources.run_ui)
    widget = try interface.widget("run")
    page = try interface.widget("run_page")
    body = try interface.widget("run_body")
    headings = try interface.widget("headings")
    ring = try interface.widget("ring")
    details = try interface.widget("details")
    heading = try interface.widget("heading")
    title = try interface.widget("title")
    roundsRow = try interface.widget("rounds_row")
    dots = try interface.widget("dots")
    rounds = try interface.widget("rounds")
    note = try interface.widget("note")
    next = try interface.widget("next")
    whole = try interface.widget("whole")
    suspend = try interface.widget("suspend")
    suspendText = try interface.widget("suspend_text")
    without = try interface.widget("without")
    count = try interface.widget("count")
    toggle = try interface.widget("toggle")
    leave = try interface.widget("leave")
    hint = try interface.widget("hint")
    icons = (
      try interface.widget("stop_icon"), try interface.widget("back_icon"),
      try interface.widget("toggle_icon"), try interface.widget("leave_icon")
    )
    buttonRow = try interface.widget("buttons")
    buttonPlaces = (try interface.widget("buttons_place"), try interface.widget("controls_place"))
    controls = try interface.widget("controls")
    buttons = [
      try interface.widget("stop"), try interface.widget("back"), toggle, leave,
      try interface.widget("extend"),
    ]
    extendText = try interface.widget("extend_text")
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
    try interface.widget("run_room").onSize("resize") { [weak self] width, height in
      LoopSource.soon {
        self?.room = (width, height)
        self?.arrange()
      }
    }
  }

  /// Shows a page; what is the same as before isn't touched.
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

  /// Gives the focus to the button that the user needs next.
  func focusButton() { toggle.grabFocus() }

  private func showStep(_ page: RunView, _ old: RunView?) {
    if page.heading != old?.heading || old == nil {
      heading.set("label", to: page.heading)
      heading.set("tooltip-text", to: page.heading)
    }
    if page.title != old?.title {
      title.set("label", to: page.title)
      title.set("tooltip-text", to: page.title)
      setTitleSize()
    }
    ring.setAccessibleName([page.timeInWords, page.caption].compactMap { $0 }.joined(separator: ", "))
  }

  private func showDetails(_ page: RunView) {
    dots.isVisible = page.dots != nil
    if let round = page.dots {
      setDotsSize(round)
      dots.queueDraw()
    }
    rounds.set("label", to: page.roundsText)
    note.set("label", to: page.note)
    note.set("tooltip-text", to: page.note)
    next.set("label", to: page.nextText)
    next.set("tooltip-text", to: page.nextText)
    showNextStyle()
    setNextSize()
    // The question has the place of the details: the ring keeps its size.
    suspendText.set("label", to: page.suspendText.map { $0 + ". Count that time?" })
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
    next.isVisible = !asks && (!isWide || shown?.nextText != nil)
    heading.isVisible = layout?.showsHeader != false && (!isWide || shown?.heading != nil)
  }

  private func showButtons(_ page: RunView, _ old: RunView?) {
    guard
      page.isPaused != old?.isPaused || page.endsByItself != old?.endsByItself
        || page.activity != old?.activity
    else {
      return
    }
    toggle.set("tooltip-text", to: page.isPaused ? "Resume (Space)" : "Pause (Space)")
    toggle.setAccessibleName(page.isPaused ? "Resume" : "Pause")
    icons.toggle.set(
      "icon-name", to: page.isPaused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic")
    let isSkip = page.endsByItself
    leave.set("action-name", to: isSkip ? "app.skip" : "app.next")
    leave.set("tooltip-text", to: isSkip ? "Skip (S)" : "Done (N)")
    leave.setAccessibleName(isSkip ? "Skip" : "Done")
    icons.leave.set("icon-name", to: isSkip ? "media-skip-forward-symbolic" : "object-select-symbolic")
    leave.set(class: "suggested-action", page.waitsForUser)
    toggle.set(class: "suggested-action", !page.waitsForUser)
    // The button that the user needs next has one place.
    if page.waitsForUser != old?.waitsForUser {
      buttonRow.place(page.waitsForUser ? leave : toggle, after: buttons[1])
      buttonRow.place(page.waitsForUser ? toggle : leave, after: page.waitsForUser ? leave : toggle)
    }
    setButtonSizes()
  }

  /// Gives all buttons slots of one width; the suggested button is larger than the others.
  private func setButtonSizes() {
    guard let layout else { return }
    let suggested = shown?.waitsForUser == true ? leave : toggle
    for button in buttons {
      button.setSize(button === suggested ? layout.buttonSize * 5 / 4 : layout.buttonSize)
    }
  }

  /// Arranges the page in the room that it has.
  private func arrange() {
    guard room.width > 0 else { return }
    let new = RunLayout(
      width: room.width, height: room.height, isFullScreen: isFullScreen, textScale: page.textScale)
    guard new != layout else { return }
    let wasWide = layout?.isWide
    layout = new
    if wasWide != new.isWide { placeBody(isWide: new.isWide) }
    setTitleSize()
    title.set("height-request", to: new.titleHeight)
    details.set("height-request", to: new.detailsHeight)
    note.set("lines", to: new.noteLines)
    note.set("height-request", to: new.isWide ? -1 : new.noteLines * new.textSize * 4 / 3)
    roundsRow.setVertical(new.isWide)
    roundsRow.set("spacing", to: new.isWide ? new.spacing / 2 : new.textSize / 2)
    // In the middle, neither the start of the title nor the length is cut off.
    next.set("wrap", to: !new.isSmall)
    next.setEllipsis(isInMiddle: new.isSmall)
    suspend.set(class: "small", new.isSmall)
    without.set("label", to: new.isSmall ? "Resume" : "Resume Without It")
    count.set("label", to: new.isSmall ? "Count" : "Count and Resume")
    for label in [heading, rounds, note, suspendText] { label.setTextSize(new.textSize) }
    page.set("spacing", to: new.gap)
    details.set("spacing", to: new.spacing)
    body.set("row-spacing", to: new.spacing)
    for icon in [icons.stop, icons.back, icons.toggle, icons.leave] {
      icon.set("pixel-size", to: new.iconSize)
    }
    setButtonSizes()
    buttonRow.set("spacing", to: new.buttonSize / 6)
    // The largest button has the same height whichever it is.
    buttonRow.set("height-request", to: new.buttonSize * 5 / 4)
    extendText.setTextSize(max(new.buttonSize * 2 / 7, 13))
    if let round = shown?.dots { setDotsSize(round) }
    for side in ["margin-start", "margin-end", "margin-top", "margin-bottom"] {
      page.set(side, to: new.margin)
    }
    // Texts that wrap are high in a narrow page, so GTK has to know how wide the page is to know how high.
    page.set("width-request", to: new.width)
    whole.isVisible = new.showsWhole
    whole.set("content-height", to: new.wholeHeight)
    controls.set("margin-bottom", to: new.controlsBottom)
    if new.hasRoomForControls { page.set("margin-bottom", to: new.margin + new.controlsHeight) }
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
    dots.set("content-width", to: (rounds.of ?? 0) * size * 5 / 4)
    dots.set("content-height", to: size * 5 / 4)
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
    body.set("column-homogeneous", to: isWide)
    headings.set("vexpand", to: isWide)
    details.set("vexpand", to: isWide)
  }
}
