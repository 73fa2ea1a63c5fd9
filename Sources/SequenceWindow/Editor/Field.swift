/// A field of a form: a name, a widget, and the mistake in what the user wrote.
final class Field {
  let widget: Box
  private let row: Box
  private let control: Widget
  private let mistake: Label

  /// - Parameter isLarge: whether the name is above the widget, because texts are large.
  init(_ name: String, _ control: Widget, isLarge: Bool) throws(ToolkitError) {
    self.control = control
    widget = try Box.make(isVertical: true, spacing: 3)
    row = try Box.make(isVertical: isLarge, spacing: isLarge ? 3 : 12)
    let label = try Label.make(name)
    label.alignToStart()
    control.setAccessibleName(name)
    let fills = control is Entry || control is TextView
    label.setExpands(horizontally: !fills)
    label.setWraps(!fills || isLarge)
    if fills { label.setWidth(characters: 10) }
    control.setExpands(horizontally: fills)
    mistake = try Label.make(classes: "error", "caption")
    mistake.alignToStart()
    mistake.setWraps()
    mistake.isVisible = false
    row.append(label)
    row.append(control)
    widget.append(row)
    widget.append(mistake)
  }

  var isVisible: Bool {
    get { widget.isVisible }
    set { widget.isVisible = newValue }
  }

  /// Shows the mistake in what the user wrote, or none.
  func show(mistake text: String?) {
    mistake.text = text ?? ""
    mistake.isVisible = text != nil
    control.set(class: "error", text != nil)
    control.setAccessibleInvalid(text != nil)
    control.setAccessibleDescription(text ?? "")
  }
}

/// A field with a line of text, which is taken over when the user presses Enter or leaves it.
final class TextFieldCommit {
  private let entry: Entry
  private let field: Field
  /// The text that is known.
  private var shown = ""
  /// Takes a text over; returns the mistake in it, or `nil`.
  private let take: (String) -> String?

  init(_ entry: Entry, _ field: Field, _ take: @escaping (String) -> String?) throws(ToolkitError) {
    (self.entry, self.field, self.take) = (entry, field, take)
    entry.onActivate { [unowned self] in commit() }
    try entry.onFocusLeft { [unowned self] in commit() }
  }

  /// Shows a text, unless the user is writing another one.
  func show(_ text: String) {
    let isWriting = entry.text != shown && entry.hasFocus
    shown = text
    guard !isWriting, entry.text != text else { return }
    entry.text = text
    field.show(mistake: nil)
  }

  /// Takes over what the user wrote.
  func commit() {
    guard entry.text != shown else { return field.show(mistake: nil) }
    field.show(mistake: take(entry.text))
  }
}
