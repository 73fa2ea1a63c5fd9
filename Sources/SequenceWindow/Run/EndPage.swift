import CSequenceAdwaita
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The end of a run, which stays until the user reacts.
final class EndPage {
  let widget: Widget
  private let page: Box
  private let mark: DrawingArea
  private let words: Box
  private let title: Label
  private let result: Label
  private let buttons: Box
  private let again: Button
  private let done: Button
  private let more: Button
  /// Whether one more minute can be started.
  private var offersMinute = false
  private var room = RunLayout.Room(width: 0, height: 0, isSingle: true)
  private var shown: EndedRun?
  /// The check mark draws itself.
  private var motion: Motion?
  /// Whether the end was not on the screen yet.
  private var isNew = false
  var isFullScreen = false { didSet { if isFullScreen != oldValue { arrange() } } }
  var onDone: () -> Void = {}
  /// Starts the run again, or one more minute of a timer.
  var onStart: (Timeline, RunSource, _ labels: [String]) -> Void = { _, _, _ in }
  var onError: (any Error) -> Void = { _ in }

  /// The keys that choose and press buttons.
  private static let buttonKeys = Set(
    [
      GDK_KEY_Tab, GDK_KEY_ISO_Left_Tab, GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up, GDK_KEY_Down,
      GDK_KEY_space, GDK_KEY_KP_Space, GDK_KEY_Return, GDK_KEY_KP_Enter,
    ].map { Int($0) })

  private static let smallestMark = 96

  init() throws(Problem) {
    let interface = try Interface(PackageResources.finished_ui)
    widget = try interface.object("finished")
    page = try interface.object("finished_page")
    mark = try interface.object("finished_mark")
    words = try interface.object("finished_words")
    title = try interface.object("finished_title")
    result = try interface.object("finished_result")
    buttons = try interface.object("finished_buttons")
    again = try interface.object("finished_again")
    done = try interface.object("finished_done")
    more = try interface.object("finished_more")
    Canvas.draw(mark) { [weak self] canvas in
      guard let self, let shown else { return }
      Ring.drawEnd(shown.snapshot.sequence.color, part: motion?.part ?? 1, on: canvas)
    }
    motion = try Motion(of: mark) { [weak self] in self?.mark.queueDraw() }
    // A hidden page moves once it is visible.
    mark.on("map") { [unowned self] in
      if isNew { motion?.start() }
      isNew = false
    }
    done.onClicked { [unowned self] in onDone() }
    more.onClicked { [unowned self] in startMinute() }
    again.onClicked { [unowned self] in
      guard let run = shown?.snapshot else { return }
      onStart(run.timeline, run.source, run.options.labels)
    }
    widget.onTextScale { [weak self] in self?.arrange() }
    try (interface.object("finished_room") as DrawingArea).onResize { [weak self] width, height in
      LoopSource.soon {
        guard let self else { return }
        (self.room.width, self.room.height) = (width, height)
        self.arrange()
      }
    }
  }

  func show(_ ended: EndedRun) {
    shown = ended
    isNew = !mark.isMapped
    if !isNew { motion?.start() }
    title.text = TextSafety.sanitised(ended.snapshot.sequence.title)
    title.setTooltip(title.text)
    result.text = ended.facts.joined(separator: " · ")
    offersMinute = ended.snapshot.source == .timer || ended.snapshot.rings
    mark.queueDraw()
    arrange()
    let text = [title.text, result.text].joined(separator: ", ")
    // Before GTK 4.14, the button with the focus has it as its description.
    if !widget.announce(text) { done.setAccessibleDescription(text) }
  }

  func focus() { done.grabFocus() }

  static func windowTitle(_ ended: EndedRun) -> String {
    translated("{} is finished", TextSafety.isolated(ended.snapshot.sequence.title))
  }

  /// Whether a key ends it: Escape, or on a full screen, where the user may be far away, any that isn't for the buttons.
  func isLeft(byKey key: Int) -> Bool {
    key == Int(GDK_KEY_Escape) || isFullScreen && !EndPage.buttonKeys.contains(key)
  }

  /// Takes the largest texts that leave room for the ring; in the smallest rooms, the ring and the result are left out,
  /// and then the buttons that other pages have, too.
  private func arrange() {
    guard room.width > 0, shown != nil else { return }
    room.isFullScreen = isFullScreen
    room.textScale = widget.textScale
    for button in [again, done, more] { button.set(class: "length", widget.hasLargeText) }
    for (showsAgain, showsMore) in [(true, offersMinute), (false, offersMinute), (false, false)] {
      (again.isVisible, more.isVisible) = (showsAgain, showsMore)
      if arrangeTexts() { return }
    }
  }

  /// Returns `false` if there is not enough room, and leaves the smallest texts.
  private func arrangeTexts() -> Bool {
    for layout in RunLayout.candidates(room) {
      title.setTextSize(layout.titleSize(in: layout.width) { title.width(of: title.text, size: $0) })
      title.setLines(layout.shows(.next) ? layout.titleLines : 1)
      result.setTextSize(layout.textSize)
      result.isVisible = layout.shows(.title)
      // Texts that wrap are high in a narrow page, so GTK has to know how wide it is to know how high.
      words.setLeast(width: layout.width)
      buttons.setVertical(false)
      buttons.setVertical(buttons.leastWidth > layout.width)
      page.setSpacing(layout.gap)
      page.setMargins(top: layout.margin, bottom: layout.margin, start: layout.margin, end: layout.margin)
      let used =
        words.height(forWidth: layout.width) + buttons.height(forWidth: layout.width)
        + 2 * (layout.gap + layout.margin)
      if room.height - used >= (layout.shows(.heading) ? EndPage.smallestMark : 0) { return true }
    }
    return false
  }

  private func startMinute() {
    guard let shown else { return }
    do throws(TimelineError) {
      onStart(try shown.minuteMore(), .timer, shown.snapshot.options.labels)
    } catch {
      onError(error)
    }
  }
}

extension EndedRun {
  /// The time that it took, its steps unless it had one, and when it ended.
  var facts: [String] {
    let run = EndedRunSummary(self)
    let steps = run.steps == 1 ? [] : [StepText.completed(run)]
    let end = translated("ended at {}", EndText.clock(run.endedAt, after: .zero))
    return [LengthText.elapsed(run.active)] + steps + [end]
  }
}
