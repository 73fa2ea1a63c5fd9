import Platform
import Presentation
import SequenceRunner

/// The page of a run: widgets that show a `RunPage`, whose buttons call actions.
final class RunPageView {
  let widget: Widget
  private let page: Widget
  private let body: Widget
  private let headings: Widget
  private let ring: Widget
  private let details: Widget
  private let heading: Widget
  private let title: Widget
  private let dots: Widget
  private let rounds: Widget
  private let note: Widget
  private let next: Widget
  private let whole: Widget
  private let suspend: Widget
  private let suspendText: Widget
  private let toggle: Widget
  private let leave: Widget
  private let hint: Widget
  private let icons: [Widget]
  private let buttonRow: Widget
  private let extend: Widget
  /// The round buttons next to *Pause*, which is larger.
  private let buttons: [Widget]
  private let extendText: Widget
  private var layout: RunLayout?
  /// Whether the page fills the screen.
  var isFullScreen = false {
    didSet {
      showEnding()
      showHint()
      showNextStyle()
    }
  }
  /// Whether steps without a note keep the space for it, so that the ring stays where it is.
  var keepsNoteSpace = false
  /// The value that is shown; `nil` before the first.
  private(set) var shown: RunPage?

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
    dots = try interface.widget("dots")
    rounds = try interface.widget("rounds")
    note = try interface.widget("note")
    next = try interface.widget("next")
    whole = try interface.widget("whole")
    suspend = try interface.widget("suspend")
    suspendText = try interface.widget("suspend_text")
    toggle = try interface.widget("toggle")
    leave = try interface.widget("leave")
    hint = try interface.widget("hint")
    icons = [
      try interface.widget("back_icon"), try interface.widget("toggle_icon"),
      try interface.widget("leave_icon"),
    ]
    buttonRow = try interface.widget("buttons")
    extend = try interface.widget("extend")
    buttons = [try interface.widget("back"), leave, extend]
    extendText = try interface.widget("extend_text")
    Canvas.draw(ring) { [weak self] canvas in
      if let page = self?.shown { Ring.draw(page, on: canvas) }
    }
    Canvas.draw(dots) { [weak self] canvas in
      if let dots = self?.shown?.dots { Ring.drawDots(dots, on: canvas) }
    }
    // It is drawn instead of made of labels, because each change of a label makes GTK lay out the window again.
    Canvas.draw(whole) { [weak self] canvas in
      if let whole = self?.shown?.whole { Ring.drawWhole(whole, on: canvas) }
    }
    try interface.widget("run_room").onSize("resize") { [weak self] width, height in
      LoopSource.soon { self?.arrange(RunLayout(width: width, height: height)) }
    }
  }

  /// Shows a page; what is the same as before isn't touched.
  func show(_ page: RunPage) {
    let old = shown
    shown = page
    // A frame follows each new second, even if nothing else changes: the next second is waited for after it.
    ring.queueDraw()
    guard page != old else { return }
    showStep(page, old)
    if page.details != old?.details { showDetails(page) }
    showButtons(page, old)
    whole.setAccessibleName(
      "Whole run: " + [page.whole.elapsed, page.whole.left].compactMap { $0 }.joined(separator: ", "))
    whole.queueDraw()
    if page.suspend != old?.suspend || old == nil {
      suspendText.set("label", to: page.suspend)
      suspend.isVisible = page.suspend != nil
    }
    showEnding()
  }

  /// Tints the last seconds of a countdown on a full screen, without flashing.
  private func showEnding() {
    widget.set(class: "ending", isFullScreen && page.wantsAnimations && shown?.isEnding == true)
  }

  /// Gives the focus to the button that the user needs next.
  func focusButton() { toggle.grabFocus() }

  private func showStep(_ page: RunPage, _ old: RunPage?) {
    if page.heading != old?.heading || old == nil {
      heading.set("label", to: page.heading)
      heading.set("tooltip-text", to: page.heading)
      showHeading()
    }
    if page.title != old?.title {
      title.set("label", to: page.title)
      title.set("tooltip-text", to: page.title)
    }
    ring.setAccessibleName([page.spokenTime, page.caption].compactMap { $0 }.joined(separator: ", "))
  }

  private func showDetails(_ page: RunPage) {
    dots.isVisible = page.dots != nil
    if let round = page.dots {
      setDotsSize(round)
      dots.setAccessibleName("Round \(round)")
      dots.set("tooltip-text", to: "Round \(round)")
      dots.queueDraw()
    }
    rounds.set("label", to: page.rounds)
    rounds.isVisible = page.rounds != nil
    note.set("label", to: page.note)
    note.set("tooltip-text", to: page.note)
    showNote()
    next.set("label", to: page.nextText)
    next.isVisible = page.nextText != nil
    next.set("tooltip-text", to: page.next?.title)
    showNextStyle()
    setNextSize()
  }

  private func showButtons(_ page: RunPage, _ old: RunPage?) {
    guard page.isPaused != old?.isPaused || page.leaving != old?.leaving || page.clock != old?.clock else {
      return
    }
    toggle.set("tooltip-text", to: page.isPaused ? "Resume (Space)" : "Pause (Space)")
    toggle.setAccessibleName(page.isPaused ? "Resume" : "Pause")
    icons[1].set(
      "icon-name", to: page.isPaused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic")
    let isSkip = page.leaving == .skip
    leave.set("action-name", to: isSkip ? "app.skip" : "app.next")
    leave.set("tooltip-text", to: isSkip ? "Skip (S)" : "Done (N)")
    leave.setAccessibleName(isSkip ? "Skip" : "Done")
    icons[2].set("icon-name", to: isSkip ? "media-skip-forward-symbolic" : "object-select-symbolic")
    // One button is suggested: the one that the run waits for.
    let waitsForDone = !page.isPaused && !isSkip
    leave.set(class: "suggested-action", waitsForDone)
    toggle.set(class: "suggested-action", !waitsForDone)
  }

  /// Arranges the page in the room that it has.
  private func arrange(_ new: RunLayout) {
    guard new != layout else { return }
    let wasWide = layout?.isWide
    layout = new
    if wasWide != new.isWide { placeBody(isWide: new.isWide) }
    title.setTextSize(new.titleSize)
    for label in [heading, rounds, note] { label.setTextSize(new.textSize) }
    page.set("spacing", to: new.isWide ? new.spacing : new.spacing * 3 / 2)
    details.set("spacing", to: new.spacing)
    body.set("row-spacing", to: new.spacing)
    for icon in icons { icon.set("pixel-size", to: new.iconSize) }
    for button in buttons { button.setSize(new.buttonSize) }
    for button in [toggle, extend] { button.set("width-request", to: new.buttonSize * 5 / 4) }
    toggle.set("height-request", to: new.buttonSize * 5 / 4)
    buttonRow.set("spacing", to: new.buttonSize / 4 + 2)
    extendText.setTextSize(max(new.buttonSize / 3, 14))
    if let round = shown?.dots { setDotsSize(round) }
    // The page stays where it is while the text changes its size with each rest.
    next.set("height-request", to: new.textSize * 9 / 4)
    for side in ["margin-start", "margin-end", "margin-top", "margin-bottom"] {
      page.set(side, to: new.margin)
    }
    // Texts that wrap are high in a narrow page, so GTK has to know how wide the page is to know how high.
    page.set("width-request", to: new.width)
    showHeading()
    whole.isVisible = new.showsWhole
    whole.set("content-height", to: new.textSize * 2)
    showHint()
    showNote()
    setNextSize()
  }

  private func showHeading() {
    heading.isVisible = shown?.heading != nil && layout?.showsHeader != false
  }

  /// Says that the run continues without the window, unless there is no button to close the window.
  private func showHint() { hint.isVisible = layout?.showsHint == true && !isFullScreen }

  /// Emphasizes the next step in a rest, and keeps it readable from a distance on the full screen.
  private func showNextStyle() {
    let isRest = shown?.isRest == true
    next.set(class: "dim-label", !isRest && !isFullScreen)
    next.set(class: "heading", isRest)
  }

  private func showNote() {
    note.isVisible = (shown?.note != nil || keepsNoteSpace) && layout?.showsNote != false
  }

  private func setDotsSize(_ rounds: Step.Round) {
    let size = layout?.textSize ?? 14
    dots.set("content-width", to: (rounds.of ?? 0) * size * 3 / 2)
    dots.set("content-height", to: size * 5 / 4)
  }

  private func setNextSize() {
    guard let layout else { return }
    next.setTextSize(shown?.isRest == true ? layout.textSize * 3 / 2 : layout.textSize)
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
