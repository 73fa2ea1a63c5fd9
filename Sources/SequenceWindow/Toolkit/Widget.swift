import CSequenceAdwaita

/// A widget of GTK.
final class Widget: ToolkitObject {
  /// Whether it is shown, if its parents are.
  var isVisible: Bool {
    get { unsafe gtk_widget_get_visible(typed()) != 0 }
    set { unsafe gtk_widget_set_visible(typed(), newValue ? 1 : 0) }
  }

  /// Adds or removes a class of the style sheet.
  func set(class name: String, _ isOn: Bool) {
    if isOn {
      unsafe gtk_widget_add_css_class(typed(), name)
    } else {
      unsafe gtk_widget_remove_css_class(typed(), name)
    }
  }

  /// Draws it again in the next frame.
  func queueDraw() { unsafe gtk_widget_queue_draw(typed()) }

  /// Gives it the keyboard focus.
  func grabFocus() { unsafe gtk_widget_grab_focus(typed()) }

  /// Calls what it does when it is activated, such as the action of a button.
  func activate() { unsafe gtk_widget_activate(typed()) }

  /// Names it for screen readers.
  func setAccessibleName(_ name: String) {
    var property = GTK_ACCESSIBLE_PROPERTY_LABEL
    var value = GValue()
    unsafe gtk_accessible_property_init_value(property, &value)
    unsafe g_value_set_string(&value, name)
    unsafe gtk_accessible_update_property_value(opaque, 1, &property, &value)
    unsafe g_value_unset(&value)
  }

  /// The pointer over it: its name in CSS, such as `none`; `nil` for that of its parent.
  func setPointer(_ name: String?) { unsafe gtk_widget_set_cursor_from_name(typed(), name) }

  /// Whether the desktop wants animations.
  var wantsAnimations: Bool {
    guard let settings = unsafe gtk_widget_get_settings(typed()) else { return true }
    return unsafe ToolkitObject(opaque: settings).flag("gtk-enable-animations")
  }

  /// Calls a handler when the pointer moves over it.
  func onPointerMoved(_ handler: @escaping () -> Void) throws(ToolkitError) {
    guard let pointer = unsafe gtk_event_controller_motion_new() else { throw ToolkitError("no controller") }
    let controller = unsafe ToolkitObject(opaque: pointer)
    controller.on("motion", handler)
    add(controller: controller)
  }

  /// Calls a handler when it is clicked twice.
  func onDoubleClick(_ handler: @escaping () -> Void) throws(ToolkitError) {
    guard let pointer = unsafe gtk_gesture_click_new() else { throw ToolkitError("no controller") }
    let controller = unsafe ToolkitObject(opaque: pointer)
    controller.onNumber("pressed") { if $0 == 2 { handler() } }
    add(controller: controller)
  }

  /// Adds something that reacts to keys or the pointer.
  func add(controller: ToolkitObject) {
    // The widget takes a reference that it expects to own.
    unsafe g_object_ref(UnsafeMutableRawPointer(controller.opaque))
    unsafe gtk_widget_add_controller(typed(), controller.opaque)
  }

  /// Calls a handler after each frame in which the widget's window was painted, from now on.
  ///
  /// The widget must be realized. A window that nobody sees isn't painted.
  func onPainted(_ handler: @escaping () -> Void) {
    guard let clock = unsafe gtk_widget_get_frame_clock(typed()) else { return }
    unsafe ToolkitObject(opaque: clock).on("after-paint", handler)
  }

  /// Moves or puts a child into a cell of this grid.
  func attach(_ child: Widget, column: Int, row: Int, width: Int = 1, height: Int = 1) {
    if unsafe gtk_widget_get_parent(child.typed()) != nil { unsafe gtk_grid_remove(typed(), child.typed()) }
    unsafe gtk_grid_attach(
      typed(), child.typed(), gint(column), gint(row), gint(width), gint(height))
  }

  /// Gives it at least the size of a square.
  func setSize(_ pixels: Int) { unsafe gtk_widget_set_size_request(typed(), gint(pixels), gint(pixels)) }

  /// The size of a label's text in pixels.
  func setTextSize(_ pixels: Int) {
    let attributes = unsafe pango_attr_list_new()
    unsafe pango_attr_list_insert(
      attributes, pango_attr_size_new_absolute(gint(pixels) * PANGO_SCALE))
    unsafe gtk_label_set_attributes(opaque, attributes)
    unsafe pango_attr_list_unref(attributes)
  }
}
