import CSequenceAdwaita

/// A window with pages of rows, which can be searched.
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

  /// Shows a line of text for some seconds.
  func toast(_ text: String) {
    guard let toast = unsafe adw_toast_new(markup(text)) else { return }
    unsafe adw_preferences_window_add_toast(typed(), toast)
  }
}

/// Rows with a title.
final class PreferencesGroup: Widget {
  override class var type: GType { adw_preferences_group_get_type() }
}

/// A field for a whole number that is moved along a line.
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
  func scrollsPage() throws(ToolkitError) {
    guard let pointer = unsafe gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL) else {
      throw ToolkitError("no controller")
    }
    unsafe gtk_event_controller_set_propagation_phase(pointer, GTK_PHASE_CAPTURE)
    let controller = unsafe ToolkitObject(opaque: pointer)
    controller.answer("scroll") { [weak self] (_: Double, steps: Double) -> Bool? in
      self?.page?.scroll(bySteps: steps)
      return true
    }
    add(controller: controller)
  }

  /// The scrolled window around it; `nil` if there is none.
  private var page: ScrolledWindow? {
    unsafe gtk_widget_get_ancestor(typed(), ScrolledWindow.type).map {
      unsafe ScrolledWindow(UnsafeMutableRawPointer($0))
    }
  }
}
