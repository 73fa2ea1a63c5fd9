import CSequenceAdwaita
import SequencePlatform

final class ListBox: Widget {
  override class var type: GType { gtk_list_box_get_type() }

  func append(_ row: ListRow) { unsafe gtk_list_box_append(opaque, row.typed()) }

  func insert(_ row: ListRow, at index: Int) { unsafe gtk_list_box_insert(opaque, row.typed(), gint(index)) }

  func remove(_ row: ListRow) { unsafe gtk_list_box_remove(opaque, row.typed()) }

  func removeRows() {
    while let row = unsafe gtk_list_box_get_row_at_index(opaque, 0) {
      unsafe row.withMemoryRebound(to: GtkWidget.self, capacity: 1) { unsafe gtk_list_box_remove(opaque, $0) }
    }
  }

  var focusedRow: ListRow? {
    guard let child = unsafe gtk_widget_get_focus_child(typed()) else { return nil }
    return unsafe Widget(UnsafeMutableRawPointer(child)).cast()
  }

  var firstRow: ListRow? {
    unsafe gtk_list_box_get_row_at_index(opaque, 0).map { unsafe ListRow(UnsafeMutableRawPointer($0)) }
  }

  func row(at y: Int) -> ListRow? {
    unsafe gtk_list_box_get_row_at_y(opaque, gint(y)).map { unsafe ListRow(UnsafeMutableRawPointer($0)) }
  }

  func onRow(_ handler: @escaping (Int) -> Void) {
    on("row-activated") { (row: ListRow) in handler(row.index) }
  }
}

class ListRow: Widget {
  override class var type: GType { gtk_list_box_row_get_type() }

  func setActivatable(_ isActivatable: Bool) {
    unsafe gtk_list_box_row_set_activatable(typed(), isActivatable ? 1 : 0)
  }

  /// Lets screen readers open it: GTK 4 gives them no action for a row.
  ///
  /// - Parameter open: what that does; the row owns it, so it must not keep the row alive.
  func addOpening(_ open: @escaping () -> Void) throws(Problem) {
    let actions = try ActionGroup.make()
    try actions.add("open", open)
    insert(actions, prefix: "row")
  }

  /// The place in the list; -1 outside of one.
  var index: Int { Int(unsafe gtk_list_box_row_get_index(typed())) }
}

class ActionRow: ListRow {
  override class var type: GType { adw_action_row_get_type() }

  static func make(
    _ title: String, _ subtitle: String? = nil, isActivatable: Bool = false
  ) throws(Problem) -> ActionRow {
    let row: ActionRow = try unsafe .made(adw_action_row_new())
    // Titles are the user's, and may look like markup.
    row.set("use-markup", to: false)
    row.set(title: title, subtitle)
    row.setTitleLines(2)
    row.setActivatable(isActivatable)
    let widget: UnsafeMutablePointer<GtkWidget> = unsafe row.typed()
    if isActivatable { try row.addOpening { _ = unsafe gtk_widget_activate(widget) } }
    return row
  }

  func set(title: String, _ subtitle: String?) {
    set("title", to: title)
    set("subtitle", to: subtitle ?? "")
  }

  /// Lets a click on the row activate a widget in it.
  func setActivatable(_ widget: Widget) {
    unsafe adw_action_row_set_activatable_widget(typed(), widget.typed())
  }

  func setSubtitle(_ text: String?) { set("subtitle", to: text ?? "") }

  /// The most lines of the title; 0 for any number.
  func setTitleLines(_ count: Int) { unsafe adw_action_row_set_title_lines(typed(), gint(count)) }

  /// The most lines of each paragraph of the subtitle.
  func setSubtitleLines(_ count: Int) { unsafe adw_action_row_set_subtitle_lines(typed(), gint(count)) }

  func addSuffix(_ widget: Widget) { unsafe adw_action_row_add_suffix(typed(), widget.typed()) }

  func addPrefix(_ widget: Widget) { unsafe adw_action_row_add_prefix(typed(), widget.typed()) }
}

final class ExpanderRow: ListRow {
  override class var type: GType { adw_expander_row_get_type() }

  func add(_ row: ListRow) { unsafe adw_expander_row_add_row(typed(), row.typed()) }

  /// Lets screen readers show and hide the rows in it.
  func addExpansion() throws(Problem) {
    try addOpening { [weak self] in if let self { set("expanded", to: !flag("expanded")) } }
  }

  func removeExpanded(_ row: ListRow) { unsafe adw_expander_row_remove(typed(), row.typed()) }
}

final class ComboRow: ActionRow {
  override class var type: GType { adw_combo_row_get_type() }

  /// Shows the chosen text below the title, where it has room, in the place of a subtitle.
  func showValueBelow() { set("use-subtitle", to: true) }

  var choices: [String] {
    get {
      guard let model = unsafe adw_combo_row_get_model(typed()) else { return [] }
      return (0..<(unsafe g_list_model_get_n_items(model))).compactMap {
        unsafe gtk_string_list_get_string(model, $0).map { unsafe String(cString: $0) }
      }
    }
    set { unsafe withStringList(newValue) { unsafe adw_combo_row_set_model(typed(), $0) } }
  }

  var selected: Int {
    get { Int(unsafe adw_combo_row_get_selected(typed())) }
    set { unsafe adw_combo_row_set_selected(typed(), guint(newValue)) }
  }

  func onSelected(_ handler: @escaping () -> Void) { on("notify::selected", handler) }
}

/// Calls a function with a list model of texts, which lives as long as somebody has it.
func withStringList(_ texts: [String], _ take: (OpaquePointer) -> Void) {
  let model = unsafe withCStrings(texts) { strings in
    unsafe strings.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: texts.count + 1) {
      unsafe gtk_string_list_new($0)
    }
  }
  guard let model = unsafe model else { return }
  unsafe take(model)
  unsafe g_object_unref(UnsafeMutableRawPointer(model))
}

/// A text with the characters escaped that mean something in the markup of titles.
func markup(_ text: String) -> String {
  guard let escaped = unsafe g_markup_escape_text(text, -1) else { return "" }
  defer { unsafe g_free(escaped) }
  return unsafe String(cString: escaped)
}
