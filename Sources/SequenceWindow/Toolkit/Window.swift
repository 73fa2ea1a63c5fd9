import CSequenceAdwaita
import SequencePlatform

class Window: Widget {
  override class var type: GType { gtk_window_get_type() }

  var title: String {
    get { text("title") }
    // GTK passes on each title, even if it is the same, which wakes the window manager.
    set { if newValue != title { unsafe gtk_window_set_title(typed(), newValue) } }
  }

  var defaultSize: (width: Int, height: Int) {
    get { (number("default-width"), number("default-height")) }
    set { unsafe gtk_window_set_default_size(typed(), gint(newValue.width), gint(newValue.height)) }
  }

  var isActive: Bool { flag("is-active") }

  /// Whether it fills the screen; setting it requests that from the window manager.
  var isFullScreen: Bool {
    get { flag("fullscreened") }
    set {
      if newValue { unsafe gtk_window_fullscreen(typed()) } else { unsafe gtk_window_unfullscreen(typed()) }
    }
  }

  var isResizable: Bool {
    get { flag("resizable") }
    set { unsafe gtk_window_set_resizable(typed(), newValue ? 1 : 0) }
  }

  /// Whether it is maximized; setting it requests that from the window manager.
  var isMaximized: Bool {
    get { flag("maximized") }
    set { if newValue { unsafe gtk_window_maximize(typed()) } else { unsafe gtk_window_unmaximize(typed()) } }
  }

  /// Whether it is minimized, as far as the window manager says that.
  var isMinimized: Bool {
    guard let surface = unsafe gtk_native_get_surface(opaque) else { return false }
    return unsafe gdk_toplevel_get_state(surface).rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue != 0
  }

  /// Keeps it above another window, and closes it with that.
  func setParent(_ parent: Window) { unsafe gtk_window_set_transient_for(typed(), parent.typed()) }

  func minimize() { unsafe gtk_window_minimize(typed()) }

  func present() { unsafe gtk_window_present(typed()) }

  func close() { unsafe gtk_window_close(typed()) }

  var focus: Widget? {
    unsafe gtk_window_get_focus(typed()).map { unsafe Widget(UnsafeMutableRawPointer($0)) }
  }

  // MARK: - Dialogs

  /// Asks whether to do something that can't be undone, and does it if the user agrees.
  ///
  /// - Parameter other: an answer that can be undone, with its action.
  func ask(
    _ heading: String, _ body: String, other: (answer: String, perform: () -> Void)? = nil, answer: String,
    _ perform: @escaping () -> Void
  ) {
    guard let pointer = unsafe adw_message_dialog_new(typed(), heading, body) else { return }
    let dialog = unsafe Window(UnsafeMutableRawPointer(pointer))
    unsafe adw_message_dialog_add_response(dialog.typed(), "cancel", translated("Cancel"))
    if let other {
      unsafe adw_message_dialog_add_response(dialog.typed(), "other", other.answer)
      unsafe adw_message_dialog_set_response_appearance(dialog.typed(), "other", ADW_RESPONSE_SUGGESTED)
    }
    unsafe adw_message_dialog_add_response(dialog.typed(), "perform", answer)
    unsafe adw_message_dialog_set_response_appearance(
      dialog.typed(), "perform", ADW_RESPONSE_DESTRUCTIVE)
    unsafe adw_message_dialog_set_default_response(dialog.typed(), other == nil ? "cancel" : "other")
    unsafe adw_message_dialog_set_close_response(dialog.typed(), "cancel")
    dialog.on("response") { (response: String) in
      if response == "perform" { perform() }
      if response == "other" { other?.perform() }
    }
    // In a column of answers the last one would have the focus, and Enter would stop a run. A dialog has the answers
    // twice, and chooses the row or the column when it knows its width.
    let focusDefault = {
      let dialog = unsafe Window(UnsafeMutableRawPointer(pointer))
      if let answer = unsafe gtk_window_get_default_widget(dialog.typed()) {
        unsafe gtk_widget_grab_focus(answer)
      }
    }
    dialog.on("notify::default-widget", focusDefault)
    dialog.present()
    focusDefault()
  }

  /// - Parameter mistake: returns the reason why a text can't be used; `nil` if it can.
  func askText(
    _ heading: String, _ body: String, name: String, text: String = "", answer: String,
    mistake: @escaping (String) -> String? = { $0.allSatisfy(\.isWhitespace) ? "" : nil },
    _ handler: @escaping (String) -> Void
  ) {
    guard let made = unsafe gtk_entry_new() else { return }
    let entry = unsafe Entry(UnsafeMutableRawPointer(made))
    entry.setPlaceholder(name)
    entry.activatesDefault()
    entry.setAccessibleName(name)
    entry.text = text
    // The handlers hold no references: they end with the dialog, which keeps the entry.
    let check = ask(heading, form: entry, focus: entry, answer: answer) {
      let entry = unsafe Entry(UnsafeMutableRawPointer(made))
      let problem = mistake(entry.text)
      entry.setAccessibleInvalid(problem?.isEmpty == false)
      return (problem?.isEmpty == false ? problem ?? body : body, problem == nil)
    } _: {
      handler(unsafe Entry(UnsafeMutableRawPointer(made)).text)
    }
    entry.onChange(check)
  }

  /// Asks with fields of a dialog, which keeps them.
  ///
  /// - Parameters:
  ///   - focus: the field that gets the focus.
  ///   - check: returns the text above the fields, and whether they can be used.
  /// - Returns: what a change of a field has to call.
  func ask(
    _ heading: String, form: Widget, focus: Entry, answer: String,
    check: @escaping () -> (text: String, isComplete: Bool), _ handler: @escaping () -> Void
  ) -> () -> Void {
    guard let pointer = unsafe adw_message_dialog_new(typed(), heading, nil) else { return {} }
    let dialog = unsafe Window(UnsafeMutableRawPointer(pointer))
    unsafe adw_message_dialog_set_extra_child(dialog.typed(), form.typed())
    unsafe adw_message_dialog_add_response(dialog.typed(), "cancel", translated("Cancel"))
    unsafe adw_message_dialog_add_response(dialog.typed(), "perform", answer)
    unsafe adw_message_dialog_set_response_appearance(dialog.typed(), "perform", ADW_RESPONSE_SUGGESTED)
    unsafe adw_message_dialog_set_default_response(dialog.typed(), "perform")
    unsafe adw_message_dialog_set_close_response(dialog.typed(), "cancel")
    let update = {
      let dialog = unsafe Window(UnsafeMutableRawPointer(pointer))
      let (text, isComplete) = check()
      unsafe adw_message_dialog_set_response_enabled(dialog.typed(), "perform", isComplete ? 1 : 0)
      unsafe adw_message_dialog_set_body(dialog.typed(), text)
    }
    update()
    dialog.on("response") { (response: String) in if response == "perform" { handler() } }
    dialog.present()
    focus.grabFocus()
    focus.selectAll()
    return update
  }

  func inform(_ heading: String, _ body: String, onClose: @escaping () -> Void = {}) {
    guard let pointer = unsafe adw_message_dialog_new(typed(), heading, body) else { return }
    let dialog = unsafe Window(UnsafeMutableRawPointer(pointer))
    unsafe adw_message_dialog_add_response(dialog.typed(), "close", translated("Close"))
    dialog.on("response") { (_: String) in onClose() }
    dialog.present()
  }

  func chooseFile(_ title: String, accept: String, _ handler: @escaping (String) -> Void) {
    choose(GTK_FILE_CHOOSER_ACTION_OPEN, title, accept: accept, prepare: { _ in }) { path, _ in
      handler(path)
    }
  }

  /// Asks where to write a file; GTK asks before the user chooses one that exists.
  ///
  /// - Parameters:
  ///   - kinds: the names of the kinds of files, with the ends of their names, such as `csv`.
  ///   - handler: gets the path and the chosen kind, the first one unless the user chooses another one.
  func chooseNewFile(
    _ title: String, name: String, kinds: [(name: String, end: String)], accept: String,
    _ handler: @escaping (String, Int) -> Void
  ) {
    choose(GTK_FILE_CHOOSER_ACTION_SAVE, title, accept: accept) { chooser in
      unsafe gtk_file_chooser_set_current_name(chooser.opaque, name)
      for kind in kinds {
        guard let filter = unsafe gtk_file_filter_new() else { continue }
        unsafe gtk_file_filter_set_name(filter, kind.name)
        unsafe gtk_file_filter_add_pattern(filter, "*.\(kind.end)")
        unsafe gtk_file_chooser_add_filter(chooser.opaque, filter)
        unsafe g_object_unref(UnsafeMutableRawPointer(filter))
      }
    } _: { path, filter in
      handler(path, kinds.firstIndex { $0.name == filter } ?? 0)
    }
  }

  /// - Parameter handler: gets the path and the name of the chosen filter.
  private func choose(
    _ action: GtkFileChooserAction, _ title: String, accept: String,
    prepare: (ToolkitObject) -> Void,
    _ handler: @escaping (String, String?) -> Void
  ) {
    guard
      let pointer = unsafe gtk_file_chooser_native_new(
        title, typed(), action, accept, translated("Cancel"))
    else { return }
    let chooser = unsafe ToolkitObject(opaque: pointer)
    prepare(chooser)
    // Its own reference keeps it while it is shown.
    chooser.on("response") { (response: Int) in
      unsafe g_object_unref(UnsafeMutableRawPointer(pointer))
      guard response == Int(GTK_RESPONSE_ACCEPT.rawValue),
        let file = unsafe gtk_file_chooser_get_file(pointer)
      else { return }
      defer { unsafe g_object_unref(UnsafeMutableRawPointer(file)) }
      guard let path = unsafe g_file_get_path(file) else { return }
      defer { unsafe g_free(path) }
      let filter = unsafe gtk_file_chooser_get_filter(pointer).flatMap {
        unsafe gtk_file_filter_get_name($0)
      }
      handler(unsafe String(cString: path), unsafe filter.map { unsafe String(cString: $0) })
    }
    unsafe gtk_native_dialog_show(chooser.typed())
  }

  func showAbout(name: String, version: String, icon: String, comments: String) {
    guard let pointer = unsafe adw_about_window_new() else { return }
    let about = unsafe Window(UnsafeMutableRawPointer(pointer))
    about.set("application-name", to: name)
    about.set("application-icon", to: icon)
    about.set("version", to: version)
    about.set("comments", to: comments)
    about.set("developer-name", to: "The Sequence authors")
    about.set("license-type", to: Int(GTK_LICENSE_MIT_X11.rawValue))
    about.set("transient-for", to: self)
    about.set("modal", to: true)
    about.present()
  }
}

extension Widget {
  /// Opens a file in the program that the user has chosen for its type, which gets the environment.
  func openFile(_ path: String, _ environment: EnvironmentVariables) throws(Message) {
    guard let file = unsafe g_file_new_for_path(path), let uri = unsafe g_file_get_uri(file) else {
      throw Message(Problem("no memory for a file"))
    }
    defer {
      unsafe g_free(uri)
      unsafe g_object_unref(UnsafeMutableRawPointer(file))
    }
    // A context of the display gives the program the focus, where the desktop wants that.
    let display = unsafe gtk_widget_get_display(typed())
    guard let context = unsafe gdk_display_get_app_launch_context(display) else {
      throw Message(Problem("no memory for a program"))
    }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(context)) }
    let launch = unsafe UnsafeMutableRawPointer(context).assumingMemoryBound(to: GAppLaunchContext.self)
    for name in Rendering.variables.keys where environment[name] == nil {
      unsafe g_app_launch_context_unsetenv(launch, name)
    }
    var error: UnsafeMutablePointer<GError>?
    guard unsafe g_app_info_launch_default_for_uri(uri, launch, &error) != 0 else {
      throw Message(
        translated("The File Can’t Be Opened"),
        Message.sentences(
          unsafe problem(taking: error).text,
          "choose a text editor for this type of file, or open it yourself: \(path)"))
    }
  }
}

final class PreferencesWindow: Window {
  override class var type: GType { adw_preferences_window_get_type() }

  /// Names the button of the search for screen readers, for which libadwaita 1.2 has no name.
  func nameSearchButton(_ name: String) {
    guard let button = unsafe gtk_widget_get_template_child(typed(), PreferencesWindow.type, "search_button")
    else { return }
    let widget: Widget? = unsafe ToolkitObject(UnsafeMutableRawPointer(button)).cast()
    widget?.setAccessibleName(name)
    widget?.setTooltip(name)
  }

  func toast(_ text: String) {
    guard let toast = unsafe adw_toast_new(markup(text)) else { return }
    unsafe adw_preferences_window_add_toast(typed(), toast)
  }
}

final class PreferencesGroup: Widget {
  override class var type: GType { adw_preferences_group_get_type() }
}

final class Scale: Widget {
  override class var type: GType { gtk_scale_get_type() }

  var value: Int {
    get { Int(unsafe gtk_range_get_value(typed()).rounded()) }
    set { unsafe gtk_range_set_value(typed(), Double(newValue)) }
  }

  func onValue(_ handler: @escaping () -> Void) { on("value-changed", handler) }
}

extension Widget {
  /// Scrolls the page around it with the wheel, instead of changing its value.
  func scrollsPage() throws(Problem) {
    guard let pointer = unsafe gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL) else {
      throw Problem("no controller")
    }
    unsafe gtk_event_controller_set_propagation_phase(pointer, GTK_PHASE_CAPTURE)
    let controller = unsafe ToolkitObject(opaque: pointer)
    controller.answer("scroll") { [weak self] (_: Double, steps: Double) -> Bool? in
      self?.page?.scroll(bySteps: steps)
      return true
    }
    add(controller: controller)
  }

  private var page: ScrolledWindow? {
    unsafe gtk_widget_get_ancestor(typed(), ScrolledWindow.type).map {
      unsafe ScrolledWindow(UnsafeMutableRawPointer($0))
    }
  }
}
