import CSequenceAdwaita
import SequencePlatform

/// Windows that belong to another window.
extension Widget {
  /// Asks whether to do something that can't be undone, and does it if the user agrees.
  ///
  /// - Parameter other: an answer that can be undone, with its action.
  func ask(
    _ heading: String, _ body: String, other: (answer: String, perform: () -> Void)? = nil, answer: String,
    _ perform: @escaping () -> Void
  ) {
    guard let pointer = unsafe adw_message_dialog_new(typed(), heading, body) else { return }
    let dialog = unsafe Widget(UnsafeMutableRawPointer(pointer))
    unsafe adw_message_dialog_add_response(dialog.typed(), "cancel", "Cancel")
    if let other {
      unsafe adw_message_dialog_add_response(dialog.typed(), "other", other.answer)
      unsafe adw_message_dialog_set_response_appearance(dialog.typed(), "other", ADW_RESPONSE_SUGGESTED)
    }
    unsafe adw_message_dialog_add_response(dialog.typed(), "perform", answer)
    unsafe adw_message_dialog_set_response_appearance(
      dialog.typed(), "perform", ADW_RESPONSE_DESTRUCTIVE)
    unsafe adw_message_dialog_set_default_response(dialog.typed(), other == nil ? "cancel" : "other")
    unsafe adw_message_dialog_set_close_response(dialog.typed(), "cancel")
    dialog.onText("response") { response in
      if response == "perform" { perform() }
      if response == "other" { other?.perform() }
    }
    // In a column of answers the last one would have the focus, and Enter would stop a run. A dialog has the answers
    // twice, and chooses the row or the column when it knows its width.
    let focusDefault = {
      let dialog = unsafe Widget(UnsafeMutableRawPointer(pointer))
      if let answer = unsafe gtk_window_get_default_widget(dialog.typed()) {
        unsafe gtk_widget_grab_focus(answer)
      }
    }
    dialog.on("notify::default-widget", focusDefault)
    unsafe gtk_window_present(dialog.typed())
    focusDefault()
  }

  /// Asks for a line of text, and calls a handler with it.
  func askText(
    _ heading: String, _ body: String, name: String, answer: String, _ handler: @escaping (String) -> Void
  ) {
    guard let pointer = unsafe adw_message_dialog_new(typed(), heading, body),
      let made = unsafe gtk_entry_new()
    else { return }
    let dialog = unsafe Widget(UnsafeMutableRawPointer(pointer))
    let entry = unsafe Widget(UnsafeMutableRawPointer(made))
    entry.set("placeholder-text", to: name)
    entry.set("activates-default", to: true)
    entry.setAccessibleName(name)
    unsafe adw_message_dialog_set_extra_child(dialog.typed(), entry.typed())
    unsafe adw_message_dialog_add_response(dialog.typed(), "cancel", "Cancel")
    unsafe adw_message_dialog_add_response(dialog.typed(), "perform", answer)
    unsafe adw_message_dialog_set_response_appearance(dialog.typed(), "perform", ADW_RESPONSE_SUGGESTED)
    unsafe adw_message_dialog_set_response_enabled(dialog.typed(), "perform", 0)
    unsafe adw_message_dialog_set_default_response(dialog.typed(), "perform")
    unsafe adw_message_dialog_set_close_response(dialog.typed(), "cancel")
    // The handlers hold no references: they end with the dialog, which keeps the entry.
    entry.on("changed") {
      let text = unsafe Widget(UnsafeMutableRawPointer(made)).text("text")
      let dialog = unsafe Widget(UnsafeMutableRawPointer(pointer))
      unsafe adw_message_dialog_set_response_enabled(
        dialog.typed(), "perform", text.allSatisfy(\.isWhitespace) ? 0 : 1)
    }
    dialog.onText("response") { response in
      if response == "perform" { handler(unsafe Widget(UnsafeMutableRawPointer(made)).text("text")) }
    }
    unsafe gtk_window_present(dialog.typed())
    entry.grabFocus()
  }

  /// Shows a text that the user has to read, and calls a handler when it is closed.
  func inform(_ heading: String, _ body: String, onClose: @escaping () -> Void = {}) {
    guard let pointer = unsafe adw_message_dialog_new(typed(), heading, body) else { return }
    let dialog = unsafe Widget(UnsafeMutableRawPointer(pointer))
    unsafe adw_message_dialog_add_response(dialog.typed(), "close", "Close")
    dialog.onText("response") { _ in onClose() }
    unsafe gtk_window_present(dialog.typed())
  }

  /// Lets the user choose a file, and calls a handler with its path.
  func chooseFile(_ title: String, accept: String, _ handler: @escaping (String) -> Void) {
    guard
      let pointer = unsafe gtk_file_chooser_native_new(
        title, typed(), GTK_FILE_CHOOSER_ACTION_OPEN, accept, "Cancel")
    else { return }
    let chooser = unsafe ToolkitObject(opaque: pointer)
    // Its own reference keeps it while it is shown.
    chooser.onNumber("response") { response in
      unsafe g_object_unref(UnsafeMutableRawPointer(pointer))
      guard response == Int(GTK_RESPONSE_ACCEPT.rawValue),
        let file = unsafe gtk_file_chooser_get_file(pointer)
      else { return }
      defer { unsafe g_object_unref(UnsafeMutableRawPointer(file)) }
      guard let path = unsafe g_file_get_path(file) else { return }
      defer { unsafe g_free(path) }
      handler(unsafe String(cString: path))
    }
    unsafe gtk_native_dialog_show(chooser.typed())
  }

  /// Shows the name, the version and the license of the program.
  func showAbout(name: String, version: String, icon: String, comments: String) {
    guard let pointer = unsafe adw_about_window_new() else { return }
    let about = unsafe Widget(UnsafeMutableRawPointer(pointer))
    about.set("application-name", to: name)
    about.set("application-icon", to: icon)
    about.set("version", to: version)
    about.set("comments", to: comments)
    about.set("developer-name", to: "The Sequence authors")
    about.set("license-type", to: Int(GTK_LICENSE_MIT_X11.rawValue))
    about.set("transient-for", to: self)
    about.set("modal", to: true)
    unsafe gtk_window_present(about.typed())
  }

  /// Shows a text for some seconds in this overlay.
  func toast(_ text: String) {
    guard let toast = unsafe adw_toast_new(markup(text)) else { return }
    unsafe adw_toast_overlay_add_toast(opaque, toast)
  }

  /// Opens a file in the program that the user has chosen for its type.
  ///
  /// - Parameter environment: the environment of the program.
  /// - Throws: `ToolkitError` if there is none.
  func openFile(_ path: String, _ environment: EnvironmentVariables) throws(ToolkitError) {
    guard let file = unsafe g_file_new_for_path(path), let uri = unsafe g_file_get_uri(file) else {
      throw ToolkitError("no memory for a file")
    }
    defer {
      unsafe g_free(uri)
      unsafe g_object_unref(UnsafeMutableRawPointer(file))
    }
    // A context of the display gives the program the focus, where the desktop wants that.
    let display = unsafe gtk_widget_get_display(typed())
    guard let context = unsafe gdk_display_get_app_launch_context(display) else {
      throw ToolkitError("no memory for a program")
    }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(context)) }
    let launch = unsafe UnsafeMutableRawPointer(context).assumingMemoryBound(to: GAppLaunchContext.self)
    if environment[Rendering.variable] == nil {
      unsafe g_app_launch_context_unsetenv(launch, Rendering.variable)
    }
    var error: UnsafeMutablePointer<GError>?
    guard unsafe g_app_info_launch_default_for_uri(uri, launch, &error) != 0 else {
      var failure = unsafe ToolkitError(taking: error)
      failure.heading = "The File Can’t Be Opened"
      failure.remedy = "choose a text editor for this type of file, or open it yourself: \(path)"
      throw failure
    }
  }
}
