import CSequenceAdwaita
import SequencePlatform

class Button: Widget {
  override class var type: GType { gtk_button_get_type() }

  static func make(label: String) throws(Problem) -> Self {
    let button = try unsafe made(gtk_button_new_with_label(label))
    button.centerVertically()
    return button
  }

  /// - Parameter name: its name for screen readers and its tooltip.
  static func make(icon: String, _ name: String) throws(Problem) -> Self {
    let button = try unsafe made(gtk_button_new_from_icon_name(icon))
    button.setTooltip(name)
    button.setAccessibleName(name)
    button.set(class: "flat", true)
    button.centerVertically()
    return button
  }

  var label: String {
    get { unsafe gtk_button_get_label(typed()).map { unsafe String(cString: $0) } ?? "" }
    set { unsafe gtk_button_set_label(typed(), newValue) }
  }

  /// Cuts a label that is too long, instead of making the window wider.
  func setEllipsis() {
    unsafe gtk_button_get_child(typed()).flatMap {
      unsafe ToolkitObject(UnsafeMutableRawPointer($0)).cast() as Label?
    }?
    .setEllipsis(isInMiddle: false)
  }

  func setIcon(_ name: String) { unsafe gtk_button_set_icon_name(typed(), name) }

  func setChild(_ child: Widget) { unsafe gtk_button_set_child(typed(), child.typed()) }

  func setAction(_ name: String, _ text: String? = nil) {
    if let text {
      unsafe gtk_actionable_set_action_target_value(opaque, g_variant_new_string(text))
    }
    unsafe gtk_actionable_set_action_name(opaque, name)
  }

  func onClicked(_ handler: @escaping () -> Void) { on("clicked", handler) }
}

final class ToggleButton: Button {
  override class var type: GType { gtk_toggle_button_get_type() }

  static func make(with children: [Widget]) throws(Problem) -> ToggleButton {
    let button = try unsafe made(gtk_toggle_button_new())
    let row = try Box.make(spacing: 6)
    for child in children { row.append(child) }
    button.setChild(row)
    return button
  }

  var isOn: Bool {
    get { unsafe gtk_toggle_button_get_active(typed()) != 0 }
    set { unsafe gtk_toggle_button_set_active(typed(), newValue ? 1 : 0) }
  }
}

final class CheckButton: Widget {
  override class var type: GType { gtk_check_button_get_type() }

  static func make() throws(Problem) -> CheckButton {
    let button = try unsafe made(gtk_check_button_new())
    button.centerVertically()
    return button
  }

  var isOn: Bool {
    get { unsafe gtk_check_button_get_active(typed()) != 0 }
    set { unsafe gtk_check_button_set_active(typed(), newValue ? 1 : 0) }
  }

  func onToggled(_ handler: @escaping () -> Void) { on("toggled", handler) }
}

final class Switch: Widget {
  override class var type: GType { gtk_switch_get_type() }

  static func make(_ name: String) throws(Problem) -> Switch {
    let made = try unsafe made(gtk_switch_new())
    made.centerVertically()
    made.setAccessibleName(name)
    return made
  }

  var isOn: Bool {
    get { unsafe gtk_switch_get_active(opaque) != 0 }
    // To set what it is would end the animation of a press, and the press with it.
    set { if newValue != isOn { unsafe gtk_switch_set_active(opaque, newValue ? 1 : 0) } }
  }

  func onToggled(_ handler: @escaping () -> Void) { on("notify::active", handler) }
}

final class MenuButton: Widget {
  override class var type: GType { gtk_menu_button_get_type() }

  var popover: Popover? {
    unsafe gtk_menu_button_get_popover(opaque).map { unsafe Popover(UnsafeMutableRawPointer($0)) }
  }

  func popUp() { unsafe gtk_menu_button_popup(opaque) }
}

final class DropDown: Widget {
  override class var type: GType { gtk_drop_down_get_type() }

  static func make(_ choices: [String]) throws(Problem) -> DropDown {
    let button = unsafe withCStrings(choices) { strings in
      unsafe strings.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: choices.count + 1) {
        unsafe gtk_drop_down_new_from_strings($0)
      }
    }
    let list = try unsafe made(button)
    list.choices = choices
    list.nameButton()
    list.onSelected { [weak list] in list?.nameButton() }
    return list
  }

  private(set) var choices: [String] = []

  /// Replaces the texts, and chooses the first one.
  func setChoices(_ choices: [String]) {
    self.choices = choices
    unsafe withStringList(choices) { unsafe gtk_drop_down_set_model(opaque, $0) }
    nameButton()
  }

  /// Names the button in it by the chosen text: screen readers read that button, and GTK 4.8 names it by its type.
  private func nameButton() {
    guard choices.indices.contains(selected), let button = unsafe gtk_widget_get_first_child(typed()) else {
      return
    }
    unsafe Widget(UnsafeMutableRawPointer(button)).setAccessibleName(choices[selected])
  }

  var selected: Int {
    get { Int(unsafe gtk_drop_down_get_selected(opaque)) }
    set { unsafe gtk_drop_down_set_selected(opaque, guint(newValue)) }
  }

  func onSelected(_ handler: @escaping () -> Void) { on("notify::selected", handler) }
}
