import CSequenceAdwaita
import Glibc
import SequencePlatform

final class Box: Widget {
  override class var type: GType { gtk_box_get_type() }

  static func make(isVertical: Bool = false, spacing: Int = 0) throws(Problem) -> Box {
    let direction = isVertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL
    return try unsafe made(gtk_box_new(direction, gint(spacing)))
  }

  static func space(width: Int) throws(Problem) -> Box {
    let space = try make()
    space.setLeast(width: width)
    return space
  }

  func append(_ child: Widget) { unsafe gtk_box_append(typed(), child.typed()) }

  func remove(_ child: Widget) { unsafe gtk_box_remove(typed(), child.typed()) }

  var lastChild: Widget? {
    unsafe gtk_widget_get_last_child(typed()).map { unsafe Widget(UnsafeMutableRawPointer($0)) }
  }

  func place(_ child: Widget, after sibling: Widget) {
    unsafe gtk_box_reorder_child_after(typed(), child.typed(), sibling.typed())
  }

  func move(_ child: Widget, to other: Box) {
    remove(child)
    other.append(child)
  }

  func setChildrenEqual() { unsafe gtk_box_set_homogeneous(typed(), 1) }

  func setSpacing(_ pixels: Int) { unsafe gtk_box_set_spacing(typed(), gint(pixels)) }

  func setVertical(_ isVertical: Bool) {
    unsafe gtk_orientable_set_orientation(
      opaque, isVertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL)
  }
}

final class Grid: Widget {
  override class var type: GType { gtk_grid_get_type() }

  func attach(_ child: Widget, column: Int, row: Int, width: Int = 1, height: Int = 1) {
    if child.parent != nil { remove(child) }
    unsafe gtk_grid_attach(
      typed(), child.typed(), gint(column), gint(row), gint(width), gint(height))
  }

  func remove(_ child: Widget) { unsafe gtk_grid_remove(typed(), child.typed()) }

  func setRowSpacing(_ pixels: Int) { unsafe gtk_grid_set_row_spacing(typed(), guint(clamping: pixels)) }

  func setColumnsEqual(_ areEqual: Bool) {
    unsafe gtk_grid_set_column_homogeneous(typed(), areEqual ? 1 : 0)
  }
}

final class FlowBox: Widget {
  override class var type: GType { gtk_flow_box_get_type() }

  func append(_ child: FlowBoxChild) { unsafe gtk_flow_box_append(opaque, child.typed()) }

  func setChildrenPerLine(_ count: Int) {
    unsafe gtk_flow_box_set_max_children_per_line(opaque, guint(clamping: count))
    unsafe gtk_flow_box_set_min_children_per_line(opaque, guint(clamping: count))
  }

  func removeChildren() {
    while let child = unsafe gtk_flow_box_get_child_at_index(opaque, 0) {
      unsafe child.withMemoryRebound(to: GtkWidget.self, capacity: 1) {
        unsafe gtk_flow_box_remove(opaque, $0)
      }
    }
  }

  func onChild(_ handler: @escaping (Int) -> Void) {
    on("child-activated") { (child: FlowBoxChild) in handler(child.index) }
  }
}

final class FlowBoxChild: Widget {
  override class var type: GType { gtk_flow_box_child_get_type() }

  var index: Int { Int(unsafe gtk_flow_box_child_get_index(typed())) }
}

final class Bin: Widget {
  override class var type: GType { adw_bin_get_type() }

  func setChild(_ child: Widget?) { unsafe adw_bin_set_child(typed(), child?.typed()) }
}

protocol PageStack: Widget {}

extension PageStack {
  var page: String {
    get { text("visible-child-name") }
    set { set("visible-child-name", to: newValue) }
  }

  func onPage(_ handler: @escaping () -> Void) { on("notify::visible-child-name", handler) }
}

final class Stack: Widget, PageStack {
  override class var type: GType { gtk_stack_get_type() }
}

final class ViewStack: Widget, PageStack {
  override class var type: GType { adw_view_stack_get_type() }
}

final class Leaflet: Widget, PageStack {
  override class var type: GType { adw_leaflet_get_type() }
}

final class ViewStackPage: ToolkitObject {
  override class var type: GType { adw_view_stack_page_get_type() }

  /// Whether a dot on its title asks the user to look at it.
  func setNeedsAttention(_ needsAttention: Bool) { set("needs-attention", to: needsAttention) }
}

final class ViewSwitcherTitle: Widget {
  override class var type: GType { adw_view_switcher_title_get_type() }

  func setTitle(_ title: String) { unsafe adw_view_switcher_title_set_title(opaque, title) }
}

final class HeaderBar: Widget {
  override class var type: GType { adw_header_bar_get_type() }

  /// Centers the title in the window, or in the room between the buttons.
  func setTitleCentered(inWindow isInWindow: Bool) {
    unsafe adw_header_bar_set_centering_policy(
      opaque, isInWindow ? ADW_CENTERING_POLICY_STRICT : ADW_CENTERING_POLICY_LOOSE)
  }
}

final class StatusPage: Widget {
  override class var type: GType { adw_status_page_get_type() }

  /// The description, which isn't markup.
  func setDescription(_ text: String?) {
    unsafe adw_status_page_set_description(opaque, text.map(markup))
  }

  func setTitle(_ text: String) { unsafe adw_status_page_set_title(opaque, markup(text)) }
}

final class Revealer: Widget {
  override class var type: GType { gtk_revealer_get_type() }

  var isRevealed: Bool {
    get { unsafe gtk_revealer_get_reveal_child(opaque) != 0 }
    set { unsafe gtk_revealer_set_reveal_child(opaque, newValue ? 1 : 0) }
  }
}

class Popover: Widget {
  override class var type: GType { gtk_popover_get_type() }

  func setChild(_ child: Widget) { unsafe gtk_popover_set_child(typed(), child.typed()) }

  func popDown() { unsafe gtk_popover_popdown(typed()) }

  func onClosed(_ handler: @escaping () -> Void) { on("closed", handler) }
}

final class PopoverMenu: Popover {
  override class var type: GType { gtk_popover_menu_get_type() }

  static func make(_ model: MenuModel) throws(Problem) -> PopoverMenu {
    let menu = try unsafe made(gtk_popover_menu_new_from_model(model.typed()))
    unsafe gtk_popover_set_has_arrow(menu.typed(), 0)
    return menu
  }

  /// The menu must be removed before its parent ends.
  func setParent(_ parent: Widget) { unsafe gtk_widget_set_parent(typed(), parent.typed()) }

  /// Opens it at a rectangle of its parent, in pixels.
  func popUp(at bounds: (x: Double, y: Double, width: Double, height: Double)) {
    var rectangle = GdkRectangle(
      x: gint(bounds.x), y: gint(bounds.y), width: gint(bounds.width), height: gint(bounds.height))
    unsafe gtk_popover_set_pointing_to(typed(), &rectangle)
    unsafe gtk_popover_popup(typed())
  }
}

final class MenuModel: ToolkitObject {
  override class var type: GType { g_menu_model_get_type() }
}

final class ScrolledWindow: Widget {
  override class var type: GType { gtk_scrolled_window_get_type() }

  func scroll(to child: Widget) {
    guard let bounds = child.bounds(in: self) else { return }
    let (across, down) = unsafe (
      gtk_scrolled_window_get_hadjustment(opaque), gtk_scrolled_window_get_vadjustment(opaque)
    )
    // The bounds are those in the part which is shown now.
    let (x, y) = unsafe (
      gtk_adjustment_get_value(across) + bounds.x, gtk_adjustment_get_value(down) + bounds.y
    )
    unsafe gtk_adjustment_clamp_page(across, x, x + bounds.width)
    unsafe gtk_adjustment_clamp_page(down, y, y + bounds.height)
  }

  /// Calls a handler when its content has another height, once the widgets in it have their places.
  func onContentHeight(_ handler: @escaping () -> Void) {
    guard let down = unsafe gtk_scrolled_window_get_vadjustment(opaque) else { return }
    unsafe ToolkitObject(UnsafeMutableRawPointer(down)).on("notify::upper", handler)
  }

  /// The pixels that are hidden above the part which is shown.
  var position: Double {
    get { unsafe gtk_adjustment_get_value(gtk_scrolled_window_get_vadjustment(opaque)) }
    set { unsafe gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(opaque), newValue) }
  }

  func keepPosition(_ act: () -> Void) {
    let position = position
    act()
    self.position = position
  }

  /// Scrolls down by a number of steps of a wheel, or up if it is negative.
  func scroll(bySteps steps: Double) {
    // As GTK does it.
    let page = unsafe gtk_adjustment_get_page_size(gtk_scrolled_window_get_vadjustment(opaque))
    scroll(by: steps * pow(page, 2 / 3))
  }

  func scroll(by pixels: Double) { position += pixels }
}

final class ToastOverlay: Widget {
  override class var type: GType { adw_toast_overlay_get_type() }

  func toast(_ text: String) {
    guard let toast = unsafe adw_toast_new(markup(text)) else { return }
    unsafe adw_toast_overlay_add_toast(opaque, toast)
  }

  /// The message isn't taken away early: libadwaita 1.2 can crash if one is dismissed while it moves.
  ///
  /// - Parameters:
  ///   - target: the text that the action gets.
  ///   - close: called when the message is gone; with it, the message stays until the user closes it.
  func toast(
    _ text: String, button: String, action: String, target: String, onClose close: (() -> Void)? = nil
  ) throws(Problem) {
    guard let toast = unsafe adw_toast_new(markup(text)) else {
      throw Problem("no memory for a message")
    }
    unsafe adw_toast_set_button_label(toast, button)
    unsafe adw_toast_set_action_target_value(toast, g_variant_new_string(target))
    unsafe adw_toast_set_action_name(toast, action)
    if let close {
      unsafe adw_toast_set_timeout(toast, 0)
      unsafe ToolkitObject(opaque: toast).on("dismissed", close)
    }
    unsafe adw_toast_overlay_add_toast(opaque, toast)
  }
}

final class Image: Widget {
  override class var type: GType { gtk_image_get_type() }

  static func make(icon name: String) throws(Problem) -> Image {
    try unsafe made(gtk_image_new_from_icon_name(name))
  }

  func setIcon(_ name: String) { unsafe gtk_image_set_from_icon_name(opaque, name) }

  func setSize(pixels: Int) { unsafe gtk_image_set_pixel_size(opaque, gint(pixels)) }
}

final class DrawingArea: Widget {
  override class var type: GType { gtk_drawing_area_get_type() }

  func setContentSize(height: Int) {
    unsafe gtk_drawing_area_set_content_height(typed(), gint(height))
  }

  func onResize(_ handler: @escaping (_ width: Int, _ height: Int) -> Void) { on("resize", handler) }
}
