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

  /// Whether this window is minimized, as far as the window manager says that.
  var isMinimized: Bool {
    guard let surface = unsafe gtk_native_get_surface(opaque) else { return false }
    return unsafe gdk_toplevel_get_state(surface).rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue != 0
  }

  private var settings: ToolkitObject? {
    unsafe gtk_widget_get_settings(typed()).map { unsafe ToolkitObject(opaque: $0) }
  }

  /// Whether the desktop wants animations.
  var wantsAnimations: Bool { settings?.flag("gtk-enable-animations") ?? true }

  /// The user's factor for the size of texts.
  var textScale: Double {
    // The resolution of fonts in 1024ths of dots per inch; -1 for the default.
    guard let resolution = settings?.number("gtk-xft-dpi"), resolution > 0 else { return 1 }
    return Double(resolution) / (96 * 1024)
  }

  /// Calls a handler when the user's factor for the size of texts changes.
  func onTextScale(_ handler: @escaping () -> Void) { settings?.on("notify::gtk-xft-dpi", handler) }

  /// Whether the language of the user is written from right to left.
  var isRightToLeft: Bool { unsafe gtk_widget_get_direction(typed()) == GTK_TEXT_DIR_RTL }

  /// The menu of this menu button; `nil` if it has none.
  var popover: Widget? {
    unsafe gtk_menu_button_get_popover(opaque).map { unsafe Widget(UnsafeMutableRawPointer($0)) }
  }

  /// Opens the menu of this menu button.
  func popUp() { unsafe gtk_menu_button_popup(opaque) }

  /// Closes this menu.
  func popDown() { unsafe gtk_popover_popdown(typed()) }

  /// Moves a child of this box behind another.
  func place(_ child: Widget, after sibling: Widget) {
    unsafe gtk_box_reorder_child_after(typed(), child.typed(), sibling.typed())
  }

  /// Calls a handler when the pointer moves over it.
  ///
  /// GTK also reports a pointer that rests while the widgets below it move; the handler isn't called then.
  func onPointerMoved(_ handler: @escaping () -> Void) throws(ToolkitError) {
    guard let pointer = unsafe gtk_event_controller_motion_new() else { throw ToolkitError("no controller") }
    let controller = unsafe ToolkitObject(opaque: pointer)
    var last: (x: Double, y: Double)?
    controller.onPoint("motion") { x, y in
      if let last, last == (x, y) { return }
      last = (x, y)
      handler()
    }
    add(controller: controller)
  }

  /// Calls a handler with the number of clicks when it is clicked.
  ///
  /// - Parameter seesChildren: whether clicks on its buttons count, too.
  func onClick(seesChildren: Bool = false, _ handler: @escaping (Int) -> Void) throws(ToolkitError) {
    guard let pointer = unsafe gtk_gesture_click_new() else { throw ToolkitError("no controller") }
    if seesChildren { unsafe gtk_event_controller_set_propagation_phase(pointer, GTK_PHASE_CAPTURE) }
    let controller = unsafe ToolkitObject(opaque: pointer)
    controller.onNumber("pressed", handler)
    add(controller: controller)
  }

  /// Scrolls this scrolled window sideways until a widget in it is visible.
  func scroll(to child: Widget) {
    guard let adjustment = unsafe gtk_scrolled_window_get_hadjustment(opaque),
      let content = unsafe gtk_scrolled_window_get_child(opaque)
    else { return }
    var bounds = graphene_rect_t()
    guard unsafe gtk_widget_compute_bounds(child.typed(), content, &bounds) != 0 else { return }
    let start = Double(bounds.origin.x)
    unsafe gtk_adjustment_clamp_page(adjustment, start, start + Double(bounds.size.width))
  }

  /// Moves a child of one box to the end of another.
  func move(from old: Widget, to new: Widget) {
    old.remove(self)
    new.append(self)
  }

  /// Arranges the children of this box in a column instead of a row.
  func setVertical(_ isVertical: Bool) {
    unsafe gtk_orientable_set_orientation(
      opaque, isVertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL)
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

  /// Cuts off the middle of a label's text that has no room, or its end.
  func setEllipsis(isInMiddle: Bool) {
    unsafe gtk_label_set_ellipsize(opaque, isInMiddle ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END)
  }

  /// The width that a line of text has in this label, in pixels.
  func width(of text: String, size: Int) -> Int {
    guard let layout = unsafe gtk_widget_create_pango_layout(typed(), text) else { return 0 }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }
    let font = unsafe pango_font_description_copy(
      pango_context_get_font_description(pango_layout_get_context(layout)))
    defer { unsafe pango_font_description_free(font) }
    unsafe pango_font_description_set_absolute_size(font, Double(gint(size) * PANGO_SCALE))
    unsafe pango_layout_set_font_description(layout, font)
    var width = gint(0)
    unsafe pango_layout_get_pixel_size(layout, &width, nil)
    return Int(width)
  }

  /// The size of a label's text in pixels.
  func setTextSize(_ pixels: Int) {
    let attributes = unsafe pango_attr_list_new()
    unsafe pango_attr_list_insert(
      attributes, pango_attr_size_new_absolute(gint(pixels) * PANGO_SCALE))
    unsafe gtk_label_set_attributes(opaque, attributes)
    unsafe pango_attr_list_unref(attributes)
  }
}
