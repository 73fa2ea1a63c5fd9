import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The page of the small window: the ring, the title and the time of a run or of its end, with the button that is needed
/// next.
final class SmallPage {
  let widget: Widget
  private let body: Box
  private let ring: DrawingArea
  private let title: Label
  private let time: DrawingArea
  private let leave: Button
  private let button: Button
  private let icon: Image
  private var shown: Content?
  var onCommand: (RunCommand) -> Void = { _ in }
  /// Leaves the end of a run.
  var onDone: () -> Void = {}

  private enum Content {
    case run(RunView)
    case end(EndedRun)
  }

  /// Its size for texts of the usual size, in pixels.
  static let size = (width: 240, height: 96)
  private static let padding = 10

  init() throws(Problem) {
    let interface = try Interface(PackageResources.small_ui)
    widget = try interface.object("small")
    body = try interface.object("small_page")
    ring = try interface.object("small_ring")
    title = try interface.object("small_title")
    time = try interface.object("small_time")
    leave = try interface.object("small_leave")
    button = try interface.object("small_button")
    icon = try interface.object("small_icon")
    Canvas.draw(ring) { [weak self] canvas in
      switch self?.shown {
      case .run(let page): Ring(page: page, steps: nil).drawSmall(on: canvas)
      case .end(let run): Ring.drawEnd(run.snapshot.sequence.color, on: canvas)
      case nil: break
      }
    }
    Canvas.draw(time) { [weak self] canvas in self?.drawTime(on: canvas) }
    button.onClicked { [unowned self] in press() }
    widget.onTextScale { [weak self] in self?.setSizes() }
    setSizes()
  }

  func show(_ page: RunView) {
    let old: RunView? = if case .run(let old) = shown { old } else { nil }
    shown = .run(page)
    for area in [ring, time] { area.queueDraw() }
    ring.setAccessibleName([page.timeInWords, page.caption].compactMap { $0 }.joined(separator: ", "))
    guard page.title != old?.title || page.button != old?.button else { return }
    title.text = page.title
    title.setTooltip(page.title == page.sequence ? page.title : "\(page.title) – \(page.sequence)")
    show(page.button)
    button.setAccessibleDescription([page.title, page.timeInWords].joined(separator: ", "))
  }

  func show(_ ended: EndedRun) {
    shown = .end(ended)
    for area in [ring, time] { area.queueDraw() }
    title.text = TextSafety.sanitised(ended.snapshot.sequence.title)
    title.setTooltip(title.text)
    show(.done)
    button.setTooltip(RunButton.done.name)
    ring.setAccessibleName(ended.facts.joined(separator: ", "))
    button.setAccessibleDescription(([title.text] + ended.facts).joined(separator: ", "))
  }

  func focus() { button.grabFocus() }

  private func show(_ new: RunButton) {
    icon.setIcon(new.icon)
    button.setTooltip(new.tooltip)
    button.setAccessibleName(new.name)
  }

  private func press() {
    switch shown {
    case .run(let page): onCommand(page.button == .done ? .next : .toggle)
    case .end: onDone()
    case nil: break
    }
  }

  private func drawTime(on canvas: Canvas) {
    let texts: (time: String, caption: String?)
    switch shown {
    case .run(let page): texts = (page.directedTime, page.caption)
    case .end(let run): texts = (run.facts[0], run.facts.last)
    case nil: return
    }
    let edge: Canvas.Edge = canvas.isRightToLeft ? .end : .start
    let height = texts.caption == nil ? canvas.height : canvas.height * 0.68
    canvas.use(.text(opacity: 1))
    canvas.text(
      texts.time, at: edge, y: height / 2, height: canvas.height * 0.64, maxWidth: canvas.width, isHeavy: true
    )
    guard let caption = texts.caption else { return }
    canvas.use(.text(opacity: Shade.text))
    canvas.text(
      caption, at: edge, y: height + (canvas.height - height) / 2, height: canvas.height * 0.24,
      maxWidth: canvas.width)
  }

  private func setSizes() {
    let scale = min(max(widget.textScale, 1), 3)
    func scaled(_ pixels: Int) -> Int { Int(Double(pixels) * scale) }
    body.setLeast(width: scaled(SmallPage.size.width), height: scaled(SmallPage.size.height))
    ring.setLeast(width: scaled(70))
    time.setLeast(height: scaled(50))
    for (button, size) in [(leave, 24), (button, 40)] {
      button.setLeast(width: scaled(size), height: scaled(size))
    }
    icon.setSize(pixels: scaled(16))
  }
}

/// The window in its small size, which it keeps as long as it shows a run.
final class SmallWindow {
  let page: SmallPage
  private let window: Window
  private let place: Bin
  /// The pages of the usual size, with their bars.
  private let pages: Widget
  private let least: (width: Int, height: Int)
  /// The size to which it returns; `nil` while it has that.
  private var former: (width: Int, height: Int, isMaximized: Bool)?
  /// The size that it was just given: until the window manager is done, it passes through others.
  private var given: (width: Int, height: Int, timer: LoopSource)?
  private static let secondsForManager = 2
  /// Whether the user has chosen it.
  var isOn = false { didSet { update() } }
  /// Whether the full screen takes its place.
  var isFullScreen = false { didSet { update() } }
  var isShown: Bool { former != nil }
  /// The size of the window, or the one to which it returns.
  var usualSize: (width: Int, height: Int) { former.map { ($0.width, $0.height) } ?? window.defaultSize }

  init(_ window: Window, pages: Widget, place: Bin) throws(Problem) {
    (self.window, self.pages, self.place) = (window, pages, place)
    least = window.leastSize
    page = try SmallPage()
    place.setChild(page.widget)
  }

  private func update() {
    let isWanted = isOn && !isFullScreen
    guard isWanted != isShown else { return }
    if let size = former {
      former = nil
      window.isResizable = true
      window.setLeast(width: least.width, height: least.height)
      window.defaultSize = (size.width, size.height)
      if size.isMaximized, !isFullScreen { window.isMaximized = true }
      let timer = LoopSource.after(seconds: SmallWindow.secondsForManager) { [unowned self] in given = nil }
      given = (size.width, size.height, timer)
    } else {
      let (width, height) = given.map { ($0.width, $0.height) } ?? window.defaultSize
      former = (width, height, window.isMaximized)
      given = nil
      window.isMaximized = false
      window.setLeast(width: -1, height: -1)
      // It has the size of its page, and tiling desktops let it float.
      window.isResizable = false
      window.defaultSize = (-1, -1)
    }
    place.isVisible = isWanted
    pages.isVisible = !isWanted
  }
}
