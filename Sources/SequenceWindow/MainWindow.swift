import CSequenceAdwaita
import Platform
import Presentation
import SequenceRunner
import Store

/// The window: shows the run and performs its actions.
final class MainWindow {
  let widget: Widget
  private let control: RunControl
  private let toasts: Widget
  private let timer: Widget
  private let runPage: RunPageView
  private let actions: Actions
  /// The run that is shown.
  private var shown: ActiveRunSnapshot?
  /// When the page has to be drawn again, on the boot clock.
  private var nextTick: Duration?

  init(_ control: RunControl, _ actions: Actions) throws {
    self.control = control
    self.actions = actions
    let interface = try Interface(PackageResources.window_ui)
    widget = try interface.widget("window")
    toasts = try interface.widget("toasts")
    timer = try interface.widget("timer")
    runPage = try RunPageView(interface)
    try interface.widget("ring").on("realize") { [unowned self] in
      // The time of the next second is waited for once this one is on the screen; a window that nobody sees is not
      // painted, and doesn't wake up.
      widget.onPainted { [unowned self] in armTick() }
    }
    control.onNews = { [unowned self] in refresh() }
    control.onError = { [unowned self] in show($0) }
    actions.onRunCommand = { [unowned self] in perform($0) }
    control.follow()
    refresh()
  }

  func present() { unsafe gtk_window_present(widget.typed()) }

  /// Reads the run and shows it.
  func refresh() {
    do {
      let look = try control.status()
      shown = look.run
      nextTick = look.nextTick
      if let run = look.run {
        let page = RunPage(run, at: look.reading)
        runPage.show(page)
        actions.enable(for: page)
        widget.set("title", to: "\(page.title) – \(page.sequence)")
        timer.set("visible-child-name", to: "run")
      } else {
        actions.enable(for: nil)
        widget.set("title", to: "Sequence")
        timer.set("visible-child-name", to: "idle")
      }
    } catch {
      show(error)
    }
  }

  private func armTick() {
    guard let due = nextTick else { return }
    nextTick = nil
    control.wait(until: due)
  }

  private func perform(_ command: RunCommand) {
    do {
      guard let shown else { throw RunError.noActiveRun }
      try control.perform(command, on: shown)
    } catch {
      show(error)
    }
    refresh()
  }

  /// Shows an error in the words of the command.
  func show(_ error: any Error) {
    let text = ErrorText.line(error)
    let escaped = unsafe g_markup_escape_text(text, -1)
    defer { unsafe g_free(escaped) }
    guard let toast = unsafe adw_toast_new(escaped) else { return }
    unsafe adw_toast_overlay_add_toast(toasts.opaque, toast)
  }
}

/// Errors in one line.
enum ErrorText {
  static func line(_ error: any Error) -> String {
    guard let error = error as? any ExplainedError else { return TextSafety.sanitised("\(error)") }
    return TextSafety.sanitised([error.problem, error.remedy].compactMap { $0 }.joined(separator: "; "))
  }
}
