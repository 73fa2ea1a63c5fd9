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
    if isLarge, !fills { control.alignToStart() }
    label.setExpands(horizontally: !fills)
    label.setWraps(!fills || isLarge)
    if fills { label.setWidth(characters: 10) }
    // Fields have room in a narrow window.
    (control as? Entry)?.setWidth(characters: 6)
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

/// A line of text in a field, which is taken over when the user presses Enter or leaves it.
final class CommittedText {
  private let entry: Entry
  private let field: Field
  /// The text that is known.
  private var shown = ""
  /// Whether another program has changed the text since the user began to write.
  private var isChanged = false
  private var hasMistake = false
  /// Whether a text is being taken over: the text that is shown then is the answer to it.
  private var isTaking = false
  /// Takes a text over; returns the mistake in it, or `nil`.
  private let take: (String) -> String?

  init(_ entry: Entry, _ field: Field, _ take: @escaping (String) -> String?) throws(ToolkitError) {
    (self.entry, self.field, self.take) = (entry, field, take)
    entry.onActivate { [weak self] in self?.commit() }
    // It comes after the row was removed, too.
    try entry.onFocusLeft { [weak self] in self?.commit() }
  }

  /// Whether the user has written something that wasn't taken over.
  var isDirty: Bool { entry.text != shown }

  /// Shows a text, unless the user is writing another one, or has to correct it.
  func show(_ text: String) {
    let isWriting = !isTaking && isDirty && (entry.hasFocus || hasMistake)
    if isWriting, text != shown { isChanged = true }
    shown = text
    guard !isWriting, entry.text != text else { return }
    isChanged = false
    entry.text = text
    show(mistake: nil)
  }

  /// Takes over what the user wrote.
  func commit() {
    guard !isTaking else { return }
    guard isDirty else {
      isChanged = false
      return show(mistake: nil)
    }
    guard !isChanged else {
      isChanged = false
      return show(
        mistake: translated("Another program has written “{}”. Press Enter to write yours.", shown))
    }
    isTaking = true
    let mistake = take(entry.text)
    isTaking = false
    show(mistake: mistake)
  }

  private func show(mistake text: String?) {
    hasMistake = text != nil
    field.show(mistake: text)
  }
}
