import CSequenceAdwaita

/// Rows and buttons that are made while the program runs, because their number depends on the user's data.
extension Widget {
  /// A widget that C has made.
  private static func made(_ widget: UnsafeMutablePointer<GtkWidget>?) throws(ToolkitError) -> Widget {
    guard let widget = unsafe widget else { throw ToolkitError("no memory for a widget") }
    return unsafe Widget(UnsafeMutableRawPointer(widget))
  }

  /// A row of a boxed list.
  ///
  /// - Parameter isActivatable: whether a click on it does something.
  static func row(
    _ title: String, _ subtitle: String? = nil, isActivatable: Bool = false
  ) throws(ToolkitError) -> Widget {
    let row = try unsafe made(adw_action_row_new())
    // Titles are the user's, and may look like markup.
    row.set("use-markup", to: false)
    row.set("title", to: title)
    row.set("title-lines", to: 2)
    if let subtitle { row.set("subtitle", to: subtitle) }
    row.set("activatable", to: isActivatable)
    return row
  }

  /// A button that calls an action with a text.
  ///
  /// - Parameters:
  ///   - icon: the name of its icon; `nil` if it shows its label.
  ///   - label: its label, or its name for screen readers and its tooltip.
  static func button(
    icon: String? = nil, _ label: String, action: String, target: String? = nil
  ) throws(ToolkitError) -> Widget {
    let button = try unsafe made(gtk_button_new())
    if let icon {
      button.set("icon-name", to: icon)
      button.set("tooltip-text", to: label)
      button.setAccessibleName(label)
      button.set(class: "flat", true)
    } else {
      button.set("label", to: label)
    }
    button.set("valign", to: Int(GTK_ALIGN_CENTER.rawValue))
    if let target {
      unsafe gtk_actionable_set_action_target_value(button.opaque, g_variant_new_string(target))
    }
    button.set("action-name", to: action)
    return button
  }

  /// A button that stays pressed, with widgets in a row.
  static func toggleButton(with children: [Widget]) throws(ToolkitError) -> Widget {
    let button = try unsafe made(gtk_toggle_button_new())
    let row = try unsafe made(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6))
    for child in children { row.append(child) }
    button.set("child", to: row)
    return button
  }

  /// Puts a child at the end of this box.
  func append(_ child: Widget) { unsafe gtk_box_append(typed(), child.typed()) }

  /// Removes a child of this box.
  func remove(_ child: Widget) { unsafe gtk_box_remove(typed(), child.typed()) }

  /// A label.
  static func label(_ text: String, classes: String...) throws(ToolkitError) -> Widget {
    let label = try unsafe made(gtk_label_new(text))
    for name in classes { label.set(class: name, true) }
    return label
  }

  /// An empty space.
  static func space(width: Int) throws(ToolkitError) -> Widget {
    let space = try unsafe made(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
    space.set("width-request", to: width)
    return space
  }

  /// A symbol without a function of its own.
  static func icon(_ name: String) throws(ToolkitError) -> Widget {
    try unsafe made(gtk_image_new_from_icon_name(name))
  }

  /// A switch with a name for screen readers.
  static func toggle(_ name: String, isOn: Bool) throws(ToolkitError) -> Widget {
    let toggle = try unsafe made(gtk_switch_new())
    toggle.set("active", to: isOn)
    toggle.set("valign", to: Int(GTK_ALIGN_CENTER.rawValue))
    toggle.setAccessibleName(name)
    return toggle
  }

  /// Puts a widget at the end of this row.
  func addSuffix(_ widget: Widget) { unsafe adw_action_row_add_suffix(typed(), widget.typed()) }

  /// Puts a widget at the start of this row.
  func addPrefix(_ widget: Widget) { unsafe adw_action_row_add_prefix(typed(), widget.typed()) }

  /// Puts a row into this row, which can be expanded.
  func addExpanded(_ row: Widget) { unsafe adw_expander_row_add_row(typed(), row.typed()) }

  /// Removes a row from this row.
  func removeExpanded(_ row: Widget) { unsafe adw_expander_row_remove(typed(), row.typed()) }

  /// Puts a row at the end of this list.
  func append(row: Widget) { unsafe gtk_list_box_append(opaque, row.typed()) }

  /// Removes all rows of this list.
  func removeRows() {
    while let row = unsafe gtk_list_box_get_row_at_index(opaque, 0) {
      unsafe row.withMemoryRebound(to: GtkWidget.self, capacity: 1) { unsafe gtk_list_box_remove(opaque, $0) }
    }
  }

  /// Calls a handler with the number of a row of this list that was activated.
  func onRow(_ handler: @escaping (Int) -> Void) {
    onObject("row-activated") { row in
      handler(Int(unsafe gtk_list_box_row_get_index(row.typed())))
    }
  }
}

/// A text with the characters escaped that mean something in the markup of titles.
func markup(_ text: String) -> String {
  guard let escaped = unsafe g_markup_escape_text(text, -1) else { return "" }
  defer { unsafe g_free(escaped) }
  return unsafe String(cString: escaped)
}
