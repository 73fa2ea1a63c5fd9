import CSequenceAdwaita
import FoundationEssentials
import Glibc
import SequencePlatform
import SequenceStore

/// The full screen: without bars, with the screen kept on, and with controls only while the user moves the pointer.
///
/// The screen is kept on for a smaller window, too, if the configuration says so.
final class FullScreen {
  private let window: Window
  private let bars: [Widget]
  private let controls: [Revealer]
  private let application: Application
  /// The request to keep the screen on: 0 if the desktop refused it; `nil` without a request.
  private var cookie: UInt32?
  private var pointerTimer: LoopSource?
  /// The state requested from the window manager, until it answers.
  private var request: Bool?
  /// The rest that the run is in.
  private var rest: Rest?
  /// The rest that fills the screen, and whether the window was minimized before; `nil` if the user chose the full screen.
  private var filling: (rest: Rest, wasMinimized: Bool)?
  /// The rest whose full screen the user has left.
  private var left: Rest?
  /// Runs while keys are ignored, because a rest has just taken the focus from another program.
  private var keyTimer: LoopSource?
  var ignoresKeys: Bool { keyTimer != nil }
  /// Called before the window manager is asked to fill the screen.
  var onFill: () -> Void = {}
  var onChange: () -> Void = {}
  /// Whether the screen is to be kept on as long as the window fills it.
  var keepsScreenOn = false {
    didSet { inhibit() }
  }
  var keepsScreenOnAlways = false {
    didSet { inhibit() }
  }

  /// The seconds after which a resting pointer and the controls are hidden.
  private static let pointerSeconds = 3
  /// The seconds in which a user who writes in another program can notice a rest.
  private static let keySeconds = 2

  struct Rest: Equatable {
    let run: UUID
    let step: Int
  }

  /// - Parameter page: the page that a double click enlarges.
  init(
    _ window: Window, page: Widget, bars: [Widget], controls: [Revealer], _ application: Application
  ) throws(Problem) {
    self.window = window
    self.bars = bars
    self.controls = controls
    self.application = application
    // A revealer takes clicks even while it shows nothing, and these are over the buttons of the page.
    for control in controls { control.isVisible = false }
    window.on("notify::fullscreened") { [unowned self] in change() }
    try window.onPointerMoved { [unowned self] _, _ in showControls() }
    try window.onClick { [unowned self] _ in showControls() }
    try page.onClick { [unowned self] count in
      if count == 2 { toggle() }
    }
    // Tab needs something to go to.
    window.on("move-focus") { [unowned self] in showControls() }
  }

  /// Enters or leaves the full screen; a second call undoes the first, even before the window manager answers.
  func toggle() { isOn = !(request ?? isOn) }

  /// Setting it is a choice of the user, which a rest doesn't change.
  var isOn: Bool {
    get { window.isFullScreen }
    set {
      if let filling, !newValue { left = filling.rest }
      (filling, keyTimer) = (nil, nil)
      fill(newValue)
    }
  }

  private func fill(_ fills: Bool) {
    request = fills
    if fills { onFill() }
    window.isFullScreen = fills
  }

  /// Fills the screen in a rest, unless it is locked, and leaves it at the end of the rest.
  func follow(_ new: Rest?) {
    guard new != rest else { return }
    rest = new
    guard let new else {
      guard let ended = filling else { return }
      (filling, keyTimer) = (nil, nil)
      fill(false)
      if ended.wasMinimized { window.minimize() }
      return
    }
    filling?.rest = new
    guard !(request ?? isOn), new != left else { return }
    application.askWhetherLocked { [weak self] isLocked in
      if !isLocked { self?.begin(new) }
    }
  }

  private func begin(_ new: Rest) {
    guard rest == new, !(request ?? isOn) else { return }
    filling = (new, window.isMinimized)
    if !window.isActive {
      keyTimer = LoopSource.after(seconds: FullScreen.keySeconds) { [unowned self] in keyTimer = nil }
    }
    window.present()
    fill(true)
  }

  private func change() {
    // The answer to an earlier request may come after a new one.
    if request == isOn {
      request = nil
    } else if request == nil, !isOn, let filling {
      // The window manager has its own ways to leave it.
      (left, self.filling, keyTimer) = (filling.rest, nil, nil)
    }
    for bar in bars { bar.isVisible = !isOn }
    for control in controls { control.isVisible = isOn }
    window.set(class: "full-screen", isOn)
    showControls()
    inhibit()
    onChange()
  }

  private func inhibit() {
    let isWanted = isOn && keepsScreenOn || keepsScreenOnAlways
    if isWanted, cookie == nil {
      cookie = application.keepScreenOn(window, because: translated("A run is shown"))
    } else if !isWanted, let old = cookie {
      if old != 0 { application.uninhibit(old) }
      cookie = nil
    }
  }

  private func showControls() {
    window.setPointer(nil)
    for control in controls { control.isRevealed = isOn }
    pointerTimer = nil
    guard isOn else { return }
    pointerTimer = LoopSource.after(seconds: FullScreen.pointerSeconds) { [unowned self] in
      window.setPointer("none")
      for control in controls { control.isRevealed = false }
      pointerTimer = nil
    }
  }
}

/// The size of the window in a file of the state directory, such as `450x680`.
struct WindowSize {
  private let path: String

  init(_ directory: StateDirectory) { path = directory.path + "/window" }

  /// The stored size; `nil` if none is stored that can be used.
  func stored() throws(SystemError) -> (width: Int, height: Int)? {
    guard FileKind(of: path) == .file else { return nil }
    let text = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK).read(atMost: 32) ?? []
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first ?? ""
    let numbers = line.split(separator: "x").compactMap { Int($0) }
    guard numbers.count == 2, numbers.allSatisfy((1...32_767).contains) else { return nil }
    return (numbers[0], numbers[1])
  }

  func store(width: Int, height: Int) throws(SystemError) {
    guard width > 0, height > 0 else { return }
    try AtomicFile.write("\(width)x\(height)\n", to: path, mode: 0o600, replacing: true)
  }
}
