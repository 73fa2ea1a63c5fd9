import SequencePlatform
import SequenceClient
import SequenceRunner

final class MainWindow {
  let frame: WindowFrame
  let runSide: RunSide
  let sequenceSide: SequenceSide
  private let control: RunControl
  private let switcher: ViewSwitcherTitle
  private let header: HeaderBar
  private let new: Button
  private let menuButton: MenuButton
  private let size: WindowSize

  /// The width below which a centered title would be cut off, in pixels.
  private static let narrowWidth = 420

  init(_ control: RunControl, _ actions: Actions, _ application: Application) throws {
    self.control = control
    let interface = try Interface(PackageResources.window_ui)
    frame = try WindowFrame(interface)
    switcher = try interface.object("switcher_title")
    header = try interface.object("header")
    new = try interface.object("new")
    menuButton = try interface.object("menu_button")
    let shortcuts = try Interface(Shortcut.interface)
    let runKeys: ShortcutController = try shortcuts.object("run_keys")
    frame.widget.add(controller: runKeys)
    frame.widget.add(controller: try shortcuts.object("last_keys") as ShortcutController)
    runSide = try RunSide(frame, control, actions, interface, runKeys, application)
    sequenceSide = try SequenceSide(frame, control, runSide, interface)
    application.setHelp(try shortcuts.object("help"), of: frame.widget)
    size = WindowSize(control.client.store.directory)
    frame.attempt {
      guard let (width, height) = try size.stored() else { return }
      frame.widget.defaultSize = (width, height)
    }
    centerTitle()
    connect()
    runSide.refresh()
    control.wait(until: nil)
  }

  private func connect() {
    frame.widget.answer("close-request") { [unowned self] in
      guard sequenceSide.editor.canLeave(isClosing: true) else { return true }
      sequenceSide.commitRemark()
      storeSize()
      return false
    }
    menuButton.popover?.onClosed { [unowned self] in
      // The button of a closed menu must not take Space from the run.
      if runSide.isTimerShown { LoopSource.soon { [unowned self] in runSide.focusTimer() } }
    }
    frame.widget.on("notify::default-width") { [unowned self] in centerTitle() }
    frame.views.onPage { [unowned self] in refreshView() }
    frame.leaflet.onPage { [unowned self] in
      if frame.leaflet.page != "editor" { sequenceSide.editor.close() }
      runSide.updateForeground()
    }
  }

  private func centerTitle() {
    let isWide = frame.widget.defaultSize.width >= MainWindow.narrowWidth
    header.setTitleCentered(inWindow: isWide)
    runSide.hasRoom = isWide
  }

  func storeSize() {
    do throws(SystemError) {
      // GTK keeps the size from before the full screen in these.
      let (width, height) = runSide.small.usualSize
      try size.store(width: width, height: height)
    } catch {
      // The window closes, and can't show it.
      WindowProgram.log(error)
    }
  }

  func present() {
    frame.widget.present()
    // A window that is shown chooses its first button.
    LoopSource.soon { [unowned self] in if frame.views.page == "timer" { runSide.focusTimer() } }
  }

  func showAbout() {
    frame.widget.showAbout(
      name: "Sequence", version: ProgramVersion.text, icon: "sequence",
      comments: translated("A timer for anything that has more than one step"))
  }

  func search(for text: String? = nil) {
    // A page above the library stays, such as the editor.
    guard frame.leaflet.page == "main" else { return }
    frame.show(view: "library")
    sequenceSide.library.focusSearch(for: text)
  }

  private func refreshView() {
    let name = frame.views.page
    switch name {
    case "library": sequenceSide.library.refresh(control.client)
    case "history": frame.attempt { try sequenceSide.history.refresh() }
    // The tab that was clicked must not take the keys of the run.
    case "timer":
      runSide.focusTimer()
      runSide.endRinging()
    default: break
    }
    new.isVisible = name == "library"
    switcher.setTitle(
      ["library": translated("Library"), "history": translated("History")][name] ?? translated("Timer"))
    runSide.updateForeground()
  }
}

final class WindowFrame {
  let widget: Window
  let toasts: ToastOverlay
  let leaflet: Leaflet
  let views: ViewStack
  private var openMessages: Set<Message> = []

  init(_ interface: Interface) throws {
    widget = try interface.object("window")
    toasts = try interface.object("toasts")
    leaflet = try interface.object("leaflet")
    views = try interface.object("views")
  }

  func show(view name: String) {
    guard ["timer", "library", "history"].contains(name) else { return }
    leaflet.page = "main"
    views.page = name
  }

  func attempt(_ body: () throws -> Void) {
    do { try body() } catch { show(error) }
  }

  func show(_ error: any Error) { show(Message(error)) }

  /// Shows a warning about something that happened without the user: not as a dialog, which would take the keys of the
  /// run.
  func show(_ warning: Problem) {
    let heading = translated("Something Needs Your Attention")
    let message = Message(heading, Message.sentences(warning))
    guard openMessages.insert(message).inserted else { return }
    attempt {
      try toasts.toast(
        heading, button: translated("Details"), action: "app.show-details", target: message.text
      ) { [weak self] in self?.openMessages.remove(message) }
    }
  }

  func show(_ message: Message) {
    guard let body = message.body else { return toasts.toast(message.heading) }
    guard openMessages.insert(message).inserted else { return }
    widget.inform(message.heading, body) { [weak self] in self?.openMessages.remove(message) }
  }
}
