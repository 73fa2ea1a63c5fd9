import SequencePlatform
import SequencePresentation
import SequenceRunner

final class RunPageView {
  let widget: Widget
  private let page: Box
  private let body: Grid
  private let headings: Box
  private let ring: DrawingArea
  /// The whole page below its texts, where the frame of the full screen is drawn.
  private let frame: DrawingArea
  /// The place of the picture behind a full screen.
  private let backdrop: Bin
  private let details: Box
  private let heading: Label
  private let title: Label
  /// A picture of the former title, which fades as the new one appears.
  private let formerTitle: Picture
  private let note: Label
  private let picture: Picture
  private let next: Label
  private let openPlan: Button
  private let stack: Stack
  private let plan: RunPlanList
  /// The current step and its time above the plan.
  private let planNow: Label
  private let closePlan: Button
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
  private var room = RunLayout.Room(width: 0, height: 0)
  private(set) var layout: RunLayout?
  var isFullScreen = false {
    didSet {
      guard isFullScreen != oldValue else { return }
      let (page, screen) = buttonPlaces
      (isFullScreen ? page : screen).move(buttonRow, to: isFullScreen ? screen : page)
      page.isVisible = !isFullScreen
      placePicture()
      showNextStyle()
      arrange()
      frame.queueDraw()
      showEnding()
    }
  }
  private(set) var hasPicture = false
  /// Whether a step of the run has a note.
  private var hasNotes = false
  private(set) var shown: RunView?
  /// The change of the step, and the part of the ring that was drawn before it.
  private var motion: Motion?
  private var formerPart = 1.0
  private var change: (former: Double, done: Double)? { motion.map { (formerPart, $0.part) } }
  private var steps: StepArcs?
  private var run: ActiveRunSnapshot?
  private var now = Moment(microseconds: 0)
  var onError: (any Error) -> Void = { _ in }
  /// Whether the steps of the run are in the place of its time.
  var showsPlan = false {
    didSet {
      guard showsPlan != oldValue else { return }
      stack.page = showsPlan ? "plan" : "time"
      showPlan()
      if showsPlan { plan.focusCurrent() } else { focusButton() }
    }
  }

  init() throws(Problem) {
    let interface = try Interface(PackageResources.run_ui)
    widget = try interface.object("run")
    page = try interface.object("run_page")
    body = try interface.object("run_body")
    headings = try interface.object("headings")
    ring = try interface.object("ring")
    frame = try interface.object("run_room")
    backdrop = try interface.object("run_backdrop")
    details = try interface.object("details")
    heading = try interface.object("heading")
    title = try interface.object("title")
    formerTitle = try interface.object("former_title")
    note = try interface.object("note")
    picture = try interface.object("picture")
    next = try interface.object("next")
    openPlan = try interface.object("open_plan")
    stack = try interface.object("run_stack")
    plan = try RunPlanList(interface)
    planNow = try interface.object("plan_now")
    closePlan = try interface.object("plan_back")
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
      guard let self, let shown, let layout else { return }
      let ring = Ring(page: shown, steps: steps, change: change)
      if isFullScreen {
        ring.drawDigits(on: canvas, height: layout.digitsHeight)
      } else {
        ring.draw(on: canvas)
      }
    }
    Canvas.draw(frame) { [weak self] canvas in
      guard let self, let shown, isFullScreen else { return }
      Ring(page: shown, steps: steps, change: change).drawFrame(on: canvas)
    }
    // It is drawn instead of being a label, because each change of a label makes GTK lay out the window again.
    Canvas.draw(whole) { [weak self] canvas in
      guard let self, let shown else { return }
      if isFullScreen { Ring.drawWholeLine(shown, on: canvas) } else { Ring.drawWhole(shown, on: canvas) }
    }
    openPlan.onClicked { [unowned self] in showsPlan = true }
    closePlan.onClicked { [unowned self] in showsPlan = false }
    motion = try Motion(of: ring) { [weak self] in self?.move() }
    widget.onTextScale { [weak self] in self?.arrange() }
    frame.onResize { [weak self] width, height in
      LoopSource.soon { self?.resize(width, height) }
    }
  }

  /// - Parameter now: the time of the view by the wall clock.
  func show(_ page: RunView, of run: ActiveRunSnapshot, at now: Moment) {
    let old = shown
    begin(page, old)
    (shown, self.run, self.now) = (page, run, now)
    let isAsking = page.suspendText != nil && old?.suspendText == nil
    if page.runID != old?.runID || isAsking { showsPlan = false }
    showPlan()
    // A frame follows each new second, even if nothing else changes: the next second is waited for after it.
    ring.queueDraw()
    if isFullScreen { frame.queueDraw() }
    guard page != old else { return }
    steps = StepArcs(run)
    if page.runID != old?.runID {
      hasNotes = run.sequence.elements.flatMap(\.cards).contains { $0.note != nil }
    }
    showStep(page, old)
    if page.details != old?.details { showDetails(page) }
    showButtons(page, old)
    if page.title != old?.title || page.heading != old?.heading || page.details != old?.details { arrange() }
    whole.setAccessibleName(translated("Whole run: {}", page.wholeTexts.joined(separator: ", ")))
    whole.queueDraw()
    showEnding()
  }

  /// Moves the ring and the title to those of another step of the run.
  private func begin(_ page: RunView, _ old: RunView?) {
    guard let old, let motion, page.runID == old.runID, page.position.step.index != old.position.step.index
    else { return }
    formerPart = Ring(page: old, steps: nil, change: change).part
    if page.title != old.title { formerTitle.show(imageOf: title) }
    motion.start()
  }

  private func move() {
    let part = motion?.part ?? 1
    ring.queueDraw()
    if isFullScreen { frame.queueDraw() }
    guard formerTitle.isVisible else { return }
    title.opacity = part
    formerTitle.opacity = 1 - part
    formerTitle.isVisible = part < 1
  }

  /// Tints the last seconds of a countdown on a full screen, without flashing.
  private func showEnding() {
    frame.set(class: "ending", isFullScreen && page.wantsAnimations && shown?.isInLastSeconds == true)
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
      announce(page)
    }
    ring.setAccessibleName([page.timeInWords, page.caption].compactMap { $0 }.joined(separator: ", "))
  }

  private func showPlan() {
    guard showsPlan, let shown, let run else { return }
    planNow.text = "\(TextSafety.isolated(shown.title))  \(shown.directedTime)"
    closePlan.setAccessibleName(
      translated("Back to the time: {step}, {time}", ["step": shown.title, "time": shown.timeInWords]))
    do throws(Problem) { try plan.show(run, at: now) } catch { onError(error) }
  }

  private func announce(_ page: RunView) {
    let text = [page.title, page.timeInWords].joined(separator: ", ")
    // Before GTK 4.14, the button with the focus has it as its description.
    if !widget.announce(text) { toggle.setAccessibleDescription(text) }
  }

  private func showDetails(_ page: RunView) {
    note.text = page.note ?? ""
    note.setTooltip(page.note)
    let image = page.position.step.card.image
    picture.show(image) { [weak self] isLoaded in
      self?.hasPicture = isLoaded
      self?.arrange()
    }
    if image == nil { hasPicture = false }
    next.text = page.nextText ?? ""
    openPlan.setAccessibleName(page.nextText ?? translated("Steps of the run"))
    next.setTooltip(page.nextText)
    showNextStyle()
    // The question has the place of the details: the ring keeps its size.
    suspendText.text = page.suspendText.map { translated("{}. Count that time?", $0) } ?? ""
    suspend.isVisible = page.suspendText != nil
  }

  private func showButtons(_ page: RunView, _ old: RunView?) {
    guard
      page.isPaused != old?.isPaused || page.endsByItself != old?.endsByItself
        || page.activity != old?.activity
    else {
      return
    }
    let (isSkip, pause) = (page.endsByItself, page.isPaused ? RunButton.resume : .pause)
    leave.setAction(isSkip ? "app.skip" : "app.next")
    for (button, icon, shown) in [
      (toggle, icons.toggle, pause), (leave, icons.leave, isSkip ? .skip : .done),
    ] {
      button.setTooltip(shown.tooltip)
      button.setAccessibleName(shown.name)
      icon.setIcon(shown.icon)
    }
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

  private func resize(_ width: Int, _ height: Int) {
    (room.width, room.height) = (width, height)
    arrange()
  }

  /// Takes the first arrangement whose texts fit.
  private func arrange() {
    guard room.width > 0, let shown else { return }
    room.isFullScreen = isFullScreen
    room.textScale = page.textScale
    room.isAsking = shown.suspendText != nil
    room.hasPicture = hasPicture && !room.isAsking && !isFullScreen
    room.isSingle = shown.position.stepCount == 1
    room.hasNotes = hasNotes
    // There is no other step to go to.
    for button in [buttons[1], leave] { button.isVisible = !room.isSingle || !shown.endsByItself }
    for candidate in RunLayout.candidates(room) {
      apply(candidate)
      if candidate.fits(
        headings: headings.height(forWidth: candidate.textWidth),
        details: (details.leastWidth, details.height(forWidth: candidate.textWidth)),
        hint: hint.height(forWidth: candidate.width))
      {
        return
      }
    }
  }

  private func apply(_ new: RunLayout) {
    if new != layout {
      let old = layout
      layout = new
      if old?.isWide != new.isWide || old?.hasPicture != new.hasPicture || old?.hasRing != new.hasRing {
        placeBody(new)
      }
      setSizes(new)
    }
    setTitleSize()
    setNextSize()
    showParts(new)
  }

  private func showParts(_ layout: RunLayout) {
    let asks = shown?.suspendText != nil
    // Above and below the ring, parts that a step doesn't have keep their height.
    let isSteady = layout.detailsHeight > 0
    headings.isVisible = !asks || !layout.isSmall && layout.shows(.title)
    heading.isVisible = layout.shows(.heading) && (isSteady || shown?.heading != nil)
    note.isVisible = !asks && layout.shows(.note) && (isSteady && layout.noteHeight > 0 || shown?.note != nil)
    openPlan.isVisible = !asks && layout.shows(.next) && (isSteady || shown?.nextText != nil)
    // The smallest window has room for the answers alone.
    suspendText.isVisible = layout.shows(.title)
    picture.isVisible = isFullScreen ? hasPicture : !asks && layout.shows(.picture)
    frame.set(class: "scrim", isFullScreen && hasPicture)
    whole.isVisible = layout.shows(.whole)
    hint.isVisible = layout.shows(.hint)
    // Keys go back, too.
    closePlan.isVisible = room.height >= 240
  }

  private func setSizes(_ new: RunLayout) {
    title.setLeast(height: new.titleHeight)
    title.setLines(new.titleLines)
    heading.setLines(new.headingLines)
    note.setLeast(height: new.noteHeight)
    note.setLines(new.noteLines)
    details.setLeast(height: new.detailsHeight)
    // In the middle, neither the start of the title nor the length is cut off.
    next.setWraps(!new.isSmall)
    next.setEllipsis(isInMiddle: new.isSmall)
    suspend.set(class: "small", new.isSmall)
    without.label = new.hasShortAnswers ? translated("Resume") : translated("Resume Without It")
    count.label = new.hasShortAnswers ? translated("Count") : translated("Count and Resume")
    for label in [note, suspendText] { label.setTextSize(new.textSize) }
    heading.setTextSize(new.smallTextSize)
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
    extendText.setTextSize(max(new.buttonSize * 2 / 7, 12))
    page.setMargins(top: new.margin, bottom: new.bottomMargin, start: new.margin, end: new.margin)
    // Texts that wrap are high in a narrow page, so GTK has to know how wide it is to know how high.
    body.setLeast(width: new.width)
    whole.setContentSize(height: new.wholeHeight)
    controls.setMargins(bottom: new.controlsBottom)
    buttonPlaces.screen.setMargins(
      top: new.controlsPadding, bottom: new.controlsPadding, start: 2 * new.controlsPadding,
      end: 2 * new.controlsPadding)
  }

  private func setTitleSize() {
    guard let layout else { return }
    title.setTextSize(
      layout.titleSize(in: layout.textWidth) { [title] size in title.width(of: shown?.title ?? "", size: size)
      })
  }

  /// Emphasizes the next step in a rest, and keeps it readable from a distance on the full screen.
  private func showNextStyle() {
    let isRest = shown?.isRest == true
    next.set(class: "dim-label", !isRest && !isFullScreen)
    next.set(class: "heading", isRest)
  }

  private func setNextSize() {
    guard let layout else { return }
    // Two lines are no higher than one large line.
    let large = layout.textSize * 3 / 2
    // The button around it has a padding.
    let fits = next.width(of: shown?.nextText ?? "", size: large) <= layout.textWidth - 12
    next.setTextSize(shown?.isRest == true && fits ? large : layout.textSize)
  }

  /// Puts the picture behind the full screen, or back among the words.
  private func placePicture() {
    if isFullScreen {
      body.remove(picture)
      backdrop.setChild(picture)
    } else {
      backdrop.setChild(nil)
      if let layout { placeBody(layout) }
    }
    picture.setCovers(isFullScreen)
  }

  private func placeBody(_ layout: RunLayout) {
    if layout.isWide {
      body.attach(ring, column: 0, row: 0, height: 3)
      body.attach(headings, column: 1, row: 0)
      if !isFullScreen { body.attach(picture, column: 1, row: 1) }
      body.attach(details, column: 1, row: 2)
    } else {
      body.attach(headings, column: 0, row: 0, width: 2)
      body.attach(ring, column: 0, row: 1, width: layout.hasPicture ? 1 : 2)
      if !isFullScreen { body.attach(picture, column: 1, row: 1) }
      body.attach(details, column: 0, row: 2, width: 2)
    }
    ring.isVisible = layout.hasRing
    body.setColumnsEqual(layout.isWide && layout.hasRing || layout.hasPicture)
    // Between the words, the picture takes all the height that they leave.
    for words in [headings, details] { words.setExpands(vertically: layout.isWide && !layout.hasPicture) }
  }
}
