import SequencePlatform

/// A field with a file that is chosen, such as a picture or a sound.
final class MediaField {
  let field: Field
  private let name: Label
  private let choose: Button
  private let remove: Button
  var onChoose: () -> Void = {}
  var onRemove: () -> Void = {}

  /// - Parameter title: the name of the field.
  init(_ title: String, isLarge: Bool) throws(ToolkitError) {
    let box = try Box.make(spacing: 6)
    name = try Label.make(classes: "dim-label")
    name.setEllipsis(isInMiddle: true)
    choose = try Button.make(label: translated("Choose…"))
    choose.setAccessibleName(translated("Choose: {}", title))
    remove = try Button.make(icon: "edit-clear-symbolic", translated("Remove: {}", title))
    for part in [name, choose, remove] as [Widget] { box.append(part) }
    field = try Field(title, box, isLarge: isLarge)
    choose.onClicked { [weak self] in self?.onChoose() }
    remove.onClicked { [weak self] in self?.onRemove() }
  }

  /// Shows the text of the file, such as `pictures/squat.png`; `nil` for none.
  func show(_ text: String?, isEditable: Bool) {
    name.text = text.map { TextSafety.sanitised(pathParts($0).last ?? $0) } ?? ""
    name.setTooltip(text.map(TextSafety.sanitised))
    remove.isVisible = text != nil
    for button in [choose, remove] { button.isSensitive = isEditable }
  }
}
