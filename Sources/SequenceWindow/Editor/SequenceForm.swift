import SequenceClient
import SequencePlatform
import SequenceRunner

/// The fields of the sequence itself, above its cards.
final class SequenceForm {
  private let title: Entry
  private let icon: Entry
  private let color: DropDown
  private let labels: Entry
  private let mistake: Label
  private var texts: [CommittedText] = []
  private var look: SequenceDefinition?
  /// Whether the color is being set, so that it is no edit of the user.
  private var isSetting = false
  /// The field that the mistake below the fields is in.
  private var mistaken: Entry?
  var onEdit: (SequenceEdit) -> String? = { _ in nil }
  var onColor: (SequenceColor?) -> Void = { _ in }

  init(_ interface: Interface) throws {
    title = try interface.object("editor_title")
    icon = try interface.object("editor_icon")
    labels = try interface.object("editor_labels")
    mistake = try interface.object("editor_title_error")
    color = try DropDown.make(
      [translated("Usual")] + SequenceColor.allCases.map(SequenceLook.words))
    color.setAccessibleName(translated("Color"))
    color.centerVertically()
    try (interface.object("editor_color") as ActionRow).addSuffix(color)
    try commit(title) { form, text in
      switch EditorText.title(text) {
      case .mistake(let mistake): mistake
      case .value(let title): form.onEdit(.rename(title))
      }
    }
    try commit(icon) { form, text in
      let icon = trimmed(text)
      guard icon.isEmpty || SequenceLimits.isIcon(icon) else {
        return translated("Write one emoji or symbol")
      }
      return form.onEdit(.setOption(.icon, icon.isEmpty ? nil : icon))
    }
    try commit(labels) { form, text in form.onEdit(.setLabels(EditorText.labels(text))) }
    color.onSelected { [unowned self] in
      let chosen = color.selected == 0 ? nil : SequenceColor.allCases[color.selected - 1]
      if !isSetting, chosen != look?.color { onColor(chosen) }
    }
  }

  private func commit(_ field: Entry, _ take: @escaping (SequenceForm, String) -> String?)
    throws(Problem)
  {
    texts.append(
      try CommittedText(
        field,
        mistake: { [weak self, weak field] in if let field { self?.show(mistake: $0, of: field) } }
      ) { [weak self] text in self.flatMap { take($0, text) } })
  }

  func show(_ look: SequenceDefinition) {
    self.look = look
    let shown = [look.title, look.icon ?? "", look.labels.joined(separator: ", ")]
    for (text, value) in zip(texts, shown) { text.show(value) }
    isSetting = true
    color.selected =
      look.color.flatMap { SequenceColor.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    isSetting = false
  }

  func focusTitle() {
    title.grabFocus()
    title.selectAll()
  }

  func commit() { for text in texts { text.commit() } }

  func drop() { for text in texts { text.drop() } }

  var isDirty: Bool { texts.contains(where: \.isDirty) }

  private func show(mistake text: String?, of field: Entry) {
    if text == nil, field !== mistaken { return }
    mistaken = text == nil ? nil : field
    mistake.text = text ?? ""
    mistake.isVisible = text != nil
    field.set(class: "error", text != nil)
    field.setAccessibleInvalid(text != nil)
  }
}
