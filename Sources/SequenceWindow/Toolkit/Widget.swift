import CSequenceAdwaita
import Glibc
import SequencePlatform

class Widget: ToolkitObject {
  override class var type: GType { gtk_widget_get_type() }

  var isVisible: Bool {
    get { unsafe gtk_widget_get_visible(typed()) != 0 }
    set { unsafe gtk_widget_set_visible(typed(), newValue ? 1 : 0) }
  }

  /// Whether it is part of a window that is shown.
  var isMapped: Bool { unsafe gtk_widget_get_mapped(typed()) != 0 }

  var isSensitive: Bool {
    get { unsafe gtk_widget_get_sensitive(typed()) != 0 }
    set { unsafe gtk_widget_set_sensitive(typed(), newValue ? 1 : 0) }
  }

  var takesFocusOnClick: Bool {
    get { unsafe gtk_widget_get_focus_on_click(typed()) != 0 }
    set { unsafe gtk_widget_set_focus_on_click(typed(), newValue ? 1 : 0) }
  }

  func setTooltip(_ text: String?) { unsafe gtk_widget_set_tooltip_text(typed(), text) }

  func set(class name: String, _ isOn: Bool) {
    if isOn {
      unsafe gtk_widget_add_css_class(typed(), name)
    } else {
      unsafe gtk_widget_remove_css_class(typed(), name)
    }
  }

  // MARK: - Place

  /// The least size in pixels; -1 for that of its content.
  func setLeast(width: Int? = nil, height: Int? = nil) {
    if let width { set("width-request", to: width) }
    if let height { set("height-request", to: height) }
  }

  var leastSize: (width: Int, height: Int) { (number("width-request"), number("height-request")) }

  var width: Int { Int(unsafe gtk_widget_get_width(typed())) }
  var height: Int { Int(unsafe gtk_widget_get_height(typed())) }

  /// The height that its content needs at a width, in pixels; 0 if it is hidden.
  func height(forWidth width: Int) -> Int {
    var natural = gint(0)
    unsafe gtk_widget_measure(typed(), GTK_ORIENTATION_VERTICAL, gint(width), nil, &natural, nil, nil)
    return Int(natural)
  }

  /// The least width of its content, in pixels; 0 if it is hidden.
  var leastWidth: Int {
    var least = gint(0)
    unsafe gtk_widget_measure(typed(), GTK_ORIENTATION_HORIZONTAL, -1, &least, nil, nil, nil)
    return Int(least)
  }

  func setExpands(horizontally: Bool? = nil, vertically: Bool? = nil) {
    if let horizontally { unsafe gtk_widget_set_hexpand(typed(), horizontally ? 1 : 0) }
    if let vertically { unsafe gtk_widget_set_vexpand(typed(), vertically ? 1 : 0) }
  }

  func centerVertically() { unsafe gtk_widget_set_valign(typed(), GTK_ALIGN_CENTER) }

  func alignToStart() { unsafe gtk_widget_set_halign(typed(), GTK_ALIGN_START) }

  func setMargins(top: Int? = nil, bottom: Int? = nil, start: Int? = nil, end: Int? = nil) {
    if let top { unsafe gtk_widget_set_margin_top(typed(), gint(top)) }
    if let bottom { unsafe gtk_widget_set_margin_bottom(typed(), gint(bottom)) }
    if let start { unsafe gtk_widget_set_margin_start(typed(), gint(start)) }
    if let end { unsafe gtk_widget_set_margin_end(typed(), gint(end)) }
  }

  var window: Window? {
    unsafe gtk_widget_get_root(typed()).flatMap { unsafe Widget(opaque: $0).cast() }
  }

  var parent: Widget? {
    unsafe gtk_widget_get_parent(typed()).map { unsafe Widget(UnsafeMutableRawPointer($0)) }
  }

  func contains(_ other: Widget) -> Bool {
    unsafe isSame(as: other) || gtk_widget_is_ancestor(other.typed(), typed()) != 0
  }

  /// The place and the size in another widget, in pixels; `nil` if it has no place in it.
  func bounds(in other: Widget) -> (x: Double, y: Double, width: Double, height: Double)? {
    var bounds = graphene_rect_t()
    guard unsafe gtk_widget_compute_bounds(typed(), other.typed(), &bounds) != 0 else { return nil }
    return (
      Double(bounds.origin.x), Double(bounds.origin.y), Double(bounds.size.width),
      Double(bounds.size.height)
    )
  }

  var opacity: Double {
    get { unsafe gtk_widget_get_opacity(typed()) }
    set { unsafe gtk_widget_set_opacity(typed(), newValue) }
  }

  func queueDraw() { unsafe gtk_widget_queue_draw(typed()) }

  // MARK: - Focus

  func grabFocus() { unsafe gtk_widget_grab_focus(typed()) }

  var hasFocus: Bool {
    guard let root = unsafe gtk_widget_get_root(typed()), let focus = unsafe gtk_root_get_focus(root) else {
      return false
    }
    return contains(unsafe Widget(UnsafeMutableRawPointer(focus)))
  }

  func activate() { unsafe gtk_widget_activate(typed()) }

  // MARK: - Screen readers

  func setAccessibleName(_ name: String) { update(GTK_ACCESSIBLE_PROPERTY_LABEL, name) }

  /// Describes it for screen readers, which read the description after the name.
  func setAccessibleDescription(_ text: String) { update(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text) }

  func hideFromScreenReaders() { update(GTK_ACCESSIBLE_STATE_HIDDEN, 1, .flag) }

  private func update(_ property: GtkAccessibleProperty, _ text: String) {
    var property = property
    var value = GValue()
    unsafe gtk_accessible_property_init_value(property, &value)
    unsafe g_value_set_string(&value, text)
    unsafe gtk_accessible_update_property_value(opaque, 1, &property, &value)
    unsafe g_value_unset(&value)
  }

  /// Lets screen readers say a text at once; returns `false` before GTK 4.14, which can't.
  @discardableResult
  func announce(_ text: String) -> Bool {
    typealias Announce = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, gint) -> Void
    guard let function = unsafe dlsym(nil, "gtk_accessible_announce") else { return false }
    // GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM
    unsafe unsafeBitCast(function, to: Announce.self)(opaque, text, 1)
    return true
  }

  /// Calls a handler at each key that is pressed in it, before other widgets get the key; `true` takes the key.
  func onKey(_ handler: @escaping (_ key: Int) -> Bool) throws(Problem) {
    try onKey { key, _ in handler(key) }
  }

  func onKey(_ handler: @escaping (_ key: Int, _ held: HeldKeys) -> Bool) throws(Problem) {
    guard let pointer = unsafe gtk_event_controller_key_new() else { throw Problem("no controller") }
    unsafe gtk_event_controller_set_propagation_phase(pointer, GTK_PHASE_CAPTURE)
    let controller = unsafe ToolkitObject(opaque: pointer)
    controller.answer("key-pressed") { (key: Int, _: Int) -> Bool? in
      handler(key, HeldKeys(unsafe gtk_event_controller_get_current_event_state(pointer)))
    }
    add(controller: controller)
  }

  func setAccessibleExpanded(_ isExpanded: Bool) { update(GTK_ACCESSIBLE_STATE_EXPANDED, isExpanded ? 1 : 0) }

  func setAccessibleSelected(_ isSelected: Bool) { update(GTK_ACCESSIBLE_STATE_SELECTED, isSelected ? 1 : 0) }

  func setAccessibleInvalid(_ isInvalid: Bool) {
    update(
      GTK_ACCESSIBLE_STATE_INVALID,
      Int((isInvalid ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE).rawValue))
  }

  private func update(_ state: GtkAccessibleState, _ number: Int, _ type: GType = .number) {
    var state = state
    var value = GValue()
    // GTK reads most states as numbers, although it makes values of another type for them.
    unsafe g_value_init(&value, type)
    if type == .flag {
      unsafe g_value_set_boolean(&value, gboolean(number))
    } else {
      unsafe g_value_set_int(&value, gint(number))
    }
    unsafe gtk_accessible_update_state_value(opaque, 1, &state, &value)
    unsafe g_value_unset(&value)
  }

  // MARK: - The desktop

  /// The pointer over it: its name in CSS, such as `none`; `nil` for that of its parent.
  func setPointer(_ name: String?) { unsafe gtk_widget_set_cursor_from_name(typed(), name) }

  private var settings: ToolkitObject? {
    unsafe gtk_widget_get_settings(typed()).map { unsafe ToolkitObject(opaque: $0) }
  }

  var wantsAnimations: Bool { settings?.flag("gtk-enable-animations") ?? true }

  var textScale: Double {
    // The resolution of fonts in 1024ths of dots per inch; -1 for the default.
    guard let resolution = settings?.number("gtk-xft-dpi"), resolution > 0 else { return 1 }
    return Double(resolution) / (96 * 1024)
  }

  /// Whether texts are so large that what usually stands side by side has no room.
  var hasLargeText: Bool { textScale >= 1.5 }

  func onTextScale(_ handler: @escaping () -> Void) { settings?.on("notify::gtk-xft-dpi", handler) }

  var isRightToLeft: Bool { unsafe gtk_widget_get_direction(typed()) == GTK_TEXT_DIR_RTL }

  // MARK: - Input

  /// Calls a handler when the pointer moves over it.
  ///
  /// GTK also reports a pointer that rests while the widgets below it move; the handler isn't called then.
  func onPointerMoved(_ handler: @escaping (_ x: Double, _ y: Double) -> Void) throws(Problem) {
    guard let pointer = unsafe gtk_event_controller_motion_new() else { throw Problem("no controller") }
    let controller = unsafe ToolkitObject(opaque: pointer)
    var last: (x: Double, y: Double)?
    controller.on("motion") { (x: Double, y: Double) in
      if let last, last == (x, y) { return }
      last = (x, y)
      handler(x, y)
    }
    add(controller: controller)
  }

  /// Calls a handler with the number of clicks when it is clicked.
  ///
  /// - Parameters:
  ///   - seesChildren: whether clicks on its buttons count, too.
  ///   - isLast: whether the widgets around it don't see the click; then it is called when the button is released, so that
  ///     the widgets in it come first.
  func onClick(
    seesChildren: Bool = false, isLast: Bool = false, _ handler: @escaping (Int) -> Void
  ) throws(Problem) {
    guard let pointer = unsafe gtk_gesture_click_new() else { throw Problem("no controller") }
    if seesChildren { unsafe gtk_event_controller_set_propagation_phase(pointer, GTK_PHASE_CAPTURE) }
    let controller = unsafe ToolkitObject(opaque: pointer)
    // The widget owns the gesture, and the gesture the handler.
    controller.on(isLast ? "released" : "pressed") { (count: Int) in
      if isLast { unsafe gtk_gesture_set_state(pointer, GTK_EVENT_SEQUENCE_CLAIMED) }
      handler(count)
    }
    add(controller: controller)
  }

  /// Calls a handler with the place where the button is released after a click.
  func onRelease(_ handler: @escaping (_ x: Double, _ y: Double) -> Void) throws(Problem) {
    guard let pointer = unsafe gtk_gesture_click_new() else { throw Problem("no controller") }
    let controller = unsafe ToolkitObject(opaque: pointer)
    controller.onPoint("released", handler)
    add(controller: controller)
  }

  /// Calls a handler when it is clicked while Shift or Ctrl is held; the widgets around and in it don't see the click.
  func onClickWithKey(_ handler: @escaping (HeldKeys) -> Void) throws(Problem) {
    guard let pointer = unsafe gtk_gesture_click_new() else { throw Problem("no controller") }
    unsafe gtk_event_controller_set_propagation_phase(pointer, GTK_PHASE_CAPTURE)
    let controller = unsafe ToolkitObject(opaque: pointer)
    controller.on("pressed") { (_: Int) in
      let held = HeldKeys(unsafe gtk_event_controller_get_current_event_state(pointer))
      let isMeant = held.isShift || held.isControl
      unsafe gtk_gesture_set_state(pointer, isMeant ? GTK_EVENT_SEQUENCE_CLAIMED : GTK_EVENT_SEQUENCE_DENIED)
      if isMeant { handler(held) }
    }
    add(controller: controller)
  }

  /// The keys that are held now, during a drag, too.
  var heldKeys: HeldKeys {
    var state = GdkModifierType(0)
    if let native = unsafe gtk_widget_get_native(typed()),
      let surface = unsafe gtk_native_get_surface(native),
      let seat = unsafe gdk_display_get_default_seat(gtk_widget_get_display(typed())),
      let device = unsafe gdk_seat_get_pointer(seat)
    {
      _ = unsafe gdk_surface_get_device_position(surface, device, nil, nil, &state)
    }
    return HeldKeys(state)
  }

  func onSecondaryClick(_ handler: @escaping (_ x: Double, _ y: Double) -> Void) throws(Problem) {
    guard let pointer = unsafe gtk_gesture_click_new() else { throw Problem("no controller") }
    unsafe gtk_gesture_single_set_button(pointer, guint(GDK_BUTTON_SECONDARY))
    let controller = unsafe ToolkitObject(opaque: pointer)
    controller.onPoint("pressed", handler)
    add(controller: controller)
  }

  /// Reads the text that was copied last, and calls a handler with it; it isn't called if there is none.
  func readClipboard(_ handler: @escaping (String) -> Void) {
    guard let clipboard = unsafe gtk_widget_get_clipboard(typed()) else { return }
    let call: GAsyncReadyCallback = { source, result, data in
      let handler = unsafe Handler<(String) -> Void>.of(data)
      if let source = unsafe source,
        let text = unsafe gdk_clipboard_read_text_finish(OpaquePointer(source), result, nil)
      {
        handler?.body(unsafe String(cString: text))
        unsafe g_free(text)
      }
      unsafe releaseHandler(data)
    }
    unsafe gdk_clipboard_read_text_async(clipboard, nil, call, Handler(handler).retained)
  }

  func onFocusLeft(_ handler: @escaping () -> Void) throws(Problem) {
    guard let pointer = unsafe gtk_event_controller_focus_new() else { throw Problem("no controller") }
    let controller = unsafe ToolkitObject(opaque: pointer)
    controller.on("leave", handler)
    add(controller: controller)
  }

  func add(controller: ToolkitObject) {
    // The widget takes a reference that it expects to own.
    unsafe g_object_ref(UnsafeMutableRawPointer(controller.opaque))
    unsafe gtk_widget_add_controller(typed(), controller.opaque)
  }

  func insert(_ actions: ActionGroup, prefix: String) {
    unsafe gtk_widget_insert_action_group(typed(), prefix, actions.opaque)
  }

  /// Calls a handler after each frame in which the widget's window was painted, from now on.
  ///
  /// The widget must be realized. A window that nobody sees isn't painted.
  func onPainted(_ handler: @escaping () -> Void) {
    guard let clock = unsafe gtk_widget_get_frame_clock(typed()) else { return }
    unsafe ToolkitObject(opaque: clock).on("after-paint", handler)
  }
}

/// The modifiers that are held while a key or a button is pressed.
struct HeldKeys {
  let isShift: Bool
  let isControl: Bool
  let isAlt: Bool

  init(_ state: GdkModifierType) {
    isShift = state.rawValue & GDK_SHIFT_MASK.rawValue != 0
    isControl = state.rawValue & GDK_CONTROL_MASK.rawValue != 0
    isAlt = state.rawValue & GDK_ALT_MASK.rawValue != 0
  }

  var isEmpty: Bool { !isShift && !isControl && !isAlt }
}

extension Widget {
  /// - Parameters:
  ///   - label: the text below the pointer.
  ///   - end: called when the drag has ended, in whatever way.
  func onDrag(
    label: @escaping () -> String, begin: @escaping () -> Void, end: @escaping () -> Void
  ) throws(Problem) {
    guard let pointer = unsafe gtk_drag_source_new() else { throw Problem("no controller") }
    let source = unsafe ToolkitObject(opaque: pointer)
    unsafe gtk_drag_source_set_actions(pointer, GDK_ACTION_MOVE)
    source.answer("prepare") { (_: Double, _: Double) -> ToolkitObject? in
      var value = GValue()
      unsafe g_value_init(&value, .text)
      defer { unsafe g_value_unset(&value) }
      guard let made = unsafe gdk_content_provider_new_for_value(&value) else { return nil }
      defer { unsafe g_object_unref(UnsafeMutableRawPointer(made)) }
      return unsafe ToolkitObject(UnsafeMutableRawPointer(made))
    }
    source.on("drag-begin") { (drag: ToolkitObject) in
      // A picture of the widget would be transparent, and black without a compositor.
      guard let icon = unsafe gtk_drag_icon_get_for_drag(drag.opaque),
        let shown = unsafe gtk_label_new(label())
      else { return }
      unsafe gtk_widget_add_css_class(shown, "drag-icon")
      unsafe gtk_drag_icon_set_child(OpaquePointer(icon), shown)
      begin()
    }
    source.on("drag-end") { end() }
    add(controller: source)
  }

  /// Takes files that are dropped on it.
  func onFiles(_ handler: @escaping (_ paths: [String]) -> Void) throws(Problem) {
    guard let pointer = unsafe gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY) else {
      throw Problem("no controller")
    }
    let target = unsafe ToolkitObject(opaque: pointer)
    target.answer("drop") { (files: DroppedFiles, _: Double) -> Bool? in
      LoopSource.afterLayout { handler(files.paths) }
      return true
    }
    add(controller: target)
  }

  /// - Parameter move: returns whether something can be dropped at the place of the pointer.
  func onDrop(
    move: @escaping (_ x: Double, _ y: Double) -> Bool, leave: @escaping () -> Void,
    drop: @escaping () -> Void
  ) throws(Problem) {
    guard let pointer = unsafe gtk_drop_target_new(.text, GDK_ACTION_MOVE) else {
      throw Problem("no controller")
    }
    let target = unsafe ToolkitObject(opaque: pointer)
    for signal in ["enter", "motion"] {
      target.answer(signal) { (x: Double, y: Double) -> Int? in
        move(x, y) ? Int(GDK_ACTION_MOVE.rawValue) : 0
      }
    }
    target.on("leave", leave)
    target.answer("drop") { () -> Bool? in
      // The widgets must stay as they are until the drag has ended.
      LoopSource.afterLayout(drop)
      return true
    }
    add(controller: target)
  }
}
