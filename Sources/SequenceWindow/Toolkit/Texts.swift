import CSequenceAdwaita
import SequencePlatform

final class Label: Widget {
  override class var type: GType { gtk_label_get_type() }

  static func make(_ text: String = "", classes: String...) throws(Problem) -> Label {
    let label = try unsafe made(gtk_label_new(text))
    for name in classes { label.set(class: name, true) }
    return label
  }

  /// GTK lays the window out again for each text that is set, even if it is the same.
  var text: String {
    get { unsafe String(cString: gtk_label_get_text(opaque)) }
    set { if newValue != text { unsafe gtk_label_set_text(opaque, newValue) } }
  }

  /// Breaks the text into lines, up to a number of them; `nil` for any number.
  func setWraps(_ wraps: Bool = true, lines: Int? = nil) {
    unsafe gtk_label_set_wrap(opaque, wraps ? 1 : 0)
    unsafe gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
    if let lines {
      unsafe gtk_label_set_lines(opaque, gint(lines))
      unsafe gtk_label_set_ellipsize(opaque, PANGO_ELLIPSIZE_END)
    }
  }

  func setLines(_ count: Int) { unsafe gtk_label_set_lines(opaque, gint(count)) }

  func setWidth(characters: Int) { unsafe gtk_label_set_width_chars(opaque, gint(characters)) }

  /// Begins each line at the start of the label, instead of in its middle.
  override func alignToStart() { unsafe gtk_label_set_xalign(opaque, 0) }

  func center() { unsafe gtk_label_set_justify(opaque, GTK_JUSTIFY_CENTER) }

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

  func setTextSize(_ pixels: Int) {
    let attributes = unsafe pango_attr_list_new()
    unsafe pango_attr_list_insert(
      attributes, pango_attr_size_new_absolute(gint(pixels) * PANGO_SCALE))
    unsafe gtk_label_set_attributes(opaque, attributes)
    unsafe pango_attr_list_unref(attributes)
  }
}

protocol WrittenText: Widget {
  var text: String { get set }
}

protocol TextField: WrittenText {}

extension TextField {
  var text: String {
    get { unsafe String(cString: gtk_editable_get_text(opaque)) }
    set { unsafe gtk_editable_set_text(opaque, newValue) }
  }

  func setWidth(characters: Int) { unsafe gtk_editable_set_width_chars(opaque, gint(characters)) }

  func deselect() { unsafe gtk_editable_select_region(opaque, 0, 0) }

  func selectAll() { unsafe gtk_editable_select_region(opaque, 0, -1) }

  func moveToEnd() { unsafe gtk_editable_set_position(opaque, -1) }

  func onChange(_ handler: @escaping () -> Void) { on("changed", handler) }

  func onActivate(_ handler: @escaping () -> Void) { on("activate", handler) }
}

final class Entry: Widget, TextField {
  override class var type: GType { gtk_entry_get_type() }

  static func make() throws(Problem) -> Entry { try unsafe made(gtk_entry_new()) }

  func setPlaceholder(_ text: String) { unsafe gtk_entry_set_placeholder_text(typed(), text) }

  func activatesDefault() { unsafe gtk_entry_set_activates_default(typed(), 1) }
}

final class SearchEntry: Widget, TextField {
  override class var type: GType { gtk_search_entry_get_type() }

  /// Calls a handler shortly after the last letter.
  func onSearch(_ handler: @escaping () -> Void) { on("search-changed", handler) }

  /// Calls a handler at Escape.
  func onStop(_ handler: @escaping () -> Void) { on("stop-search", handler) }
}

final class SpinButton: Widget, TextField {
  override class var type: GType { gtk_spin_button_get_type() }

  static func make(_ range: ClosedRange<Int>) throws(Problem) -> SpinButton {
    let button = try unsafe made(
      gtk_spin_button_new_with_range(Double(range.lowerBound), Double(range.upperBound), 1))
    unsafe gtk_spin_button_set_numeric(button.opaque, 1)
    // A page that is scrolled must not change its numbers.
    try button.scrollsPage()
    return button
  }

  var value: Int {
    get { Int(unsafe gtk_spin_button_get_value_as_int(opaque)) }
    set { unsafe gtk_spin_button_set_value(opaque, Double(newValue)) }
  }

  func onValue(_ handler: @escaping () -> Void) { on("value-changed", handler) }

  /// Takes over a number that the user has written and not confirmed.
  func update() { unsafe gtk_spin_button_update(opaque) }
}

final class TextView: Widget, WrittenText {
  override class var type: GType { gtk_text_view_get_type() }

  static func make() throws(Problem) -> TextView {
    let view = try unsafe made(gtk_text_view_new())
    unsafe gtk_text_view_set_wrap_mode(view.typed(), GTK_WRAP_WORD_CHAR)
    // Tab goes on to the next field, as in a field of one line.
    unsafe gtk_text_view_set_accepts_tab(view.typed(), 0)
    return view
  }

  private var buffer: UnsafeMutablePointer<GtkTextBuffer>? {
    unsafe gtk_text_view_get_buffer(typed())
  }

  var text: String {
    get {
      var (start, end) = unsafe (GtkTextIter(), GtkTextIter())
      unsafe gtk_text_buffer_get_bounds(buffer, &start, &end)
      guard let text = unsafe gtk_text_buffer_get_text(buffer, &start, &end, 0) else { return "" }
      defer { unsafe g_free(text) }
      return unsafe String(cString: text)
    }
    set { unsafe gtk_text_buffer_set_text(buffer, newValue, -1) }
  }

  func onChange(_ handler: @escaping () -> Void) {
    if let buffer = unsafe self.buffer {
      unsafe ToolkitObject(UnsafeMutableRawPointer(buffer)).on("changed", handler)
    }
  }

  func setPadding(_ pixels: Int) {
    for side in ["top-margin", "bottom-margin", "left-margin", "right-margin"] { set(side, to: pixels) }
  }
}
