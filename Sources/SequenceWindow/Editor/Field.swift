/// A field of a form: a name, a widget, and the mistake in its text.
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

  /// Shows the mistake in its text, or none.
  func show(mistake text: String?) {
    mistake.text = text ?? ""
    mistake.isVisible = text != nil
    control.set(class: "error", text != nil)
    control.setAccessibleInvalid(text != nil)
    control.setAccessibleDescription(text ?? "")
  }
}

/// A text that is taken over when the user leaves it, or presses Enter in a single line.
final class CommittedText {
  private let entry: any WrittenText
  /// The text that is known.
  private var shown = ""
  /// Whether another program has changed the text since the user began to write.
  private var isChanged = false
  private var hasMistake = false
  /// Whether a text is being taken over: the text that is shown then is the answer to it.
  private var isTaking = false
  /// Shows a mistake, or none.
  private let showMistake: (String?) -> Void
  /// Takes a text over; returns the mistake in it, or `nil`.
  private let take: (String) -> String?

  init(
    _ entry: any WrittenText, mistake: @escaping (String?) -> Void, _ take: @escaping (String) -> String?
  ) throws(ToolkitError) {
    (self.entry, showMistake, self.take) = (entry, mistake, take)
    (entry as? Entry)?.onActivate { [weak self] in self?.commit() }
    // It comes after the row was removed, too.
    try entry.onFocusLeft { [weak self] in self?.commit() }
  }

  /// Whether the user has written something that wasn't taken over.
  var isDirty: Bool { entry.text != shown }

  /// Shows a text, unless the user is writing another one, or has to correct it.
  func show(_ text: String) {
    let isWriting = isDirty && (isTaking || entry.hasFocus || hasMistake)
    if isWriting, !isTaking, text != shown { isChanged = true }
    shown = text
    guard !isWriting else { return }
    isChanged = false
    showText()
  }

  private func showText() {
    guard isDirty else { return }
    entry.text = shown
    // GTK puts the caret before a new text.
    if entry.hasFocus { (entry as? Entry)?.moveToEnd() }
    show(mistake: nil)
  }

  /// Drops the text of the user, so that the field can be used for another one.
  func drop() {
    isChanged = false
    entry.text = shown
    show(mistake: nil)
  }

  /// Takes over the text of the user.
  func commit() {
    guard !isTaking else { return }
    guard isDirty else {
      isChanged = false
      return show(mistake: nil)
    }
    guard !isChanged else {
      isChanged = false
      return show(
        mistake: translated("Another program has written “{}”. Leave the field again to write yours.", shown))
    }
    isTaking = true
    let mistake = take(entry.text)
    isTaking = false
    // A text that was taken over is shown as it was read; another one stays, so that nothing is lost.
    if mistake == nil { showText() }
    show(mistake: mistake)
  }

  private func show(mistake text: String?) {
    hasMistake = text != nil
    showMistake(text)
  }
}
