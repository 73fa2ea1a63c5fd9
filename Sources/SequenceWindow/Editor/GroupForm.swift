import SequenceRunner

/// The fields of a group in its open row.
final class GroupForm {
  let widget: Box
  /// Does an edit; returns the reason if it was not done.
  var onEdit: (SequenceEdit) -> String? = { _ in nil }
  /// Asks for the length of the rests.
  var onAddRests: () -> Void = {}
  private var place: EditorPlace
  private var group: EditedGroup
  private var isSetting = false
  private let rounds: SpinButton
  private let endless: Switch
  private let roundsField: Field
  private let endlessField: Field
  private let rests: Button
  private let independent: Button

  init(_ place: EditorPlace, _ group: EditedGroup, isLarge: Bool) throws(ToolkitError) {
    (self.place, self.group) = (place, group)
    widget = try Box.make(isVertical: true, spacing: 9)
    rounds = try SpinButton.make(1...SequenceLimits.mostSteps)
    endless = try Switch.make(translated("Repeat until stopped"))
    rests = try Button.make(label: translated("Add Rests Between Cards…"))
    independent = try Button.make(label: translated("Make Independent"))
    roundsField = try Field(translated("Rounds"), rounds, isLarge: isLarge)
    endlessField = try Field(translated("Repeat Until Stopped"), endless, isLarge: isLarge)
    for part in [roundsField.widget, endlessField.widget, rests, independent] { widget.append(part) }
    rounds.onValue { [weak self] in
      guard let self, !isSetting else { return }
      roundsField.show(mistake: onEdit(.set(self.place, .rounds(.times(rounds.value)))))
    }
    endless.onToggled { [weak self] in
      guard let self, !isSetting else { return }
      let rounds: Rounds = endless.isOn ? .forever : .times(rounds.value)
      let mistake = onEdit(.set(self.place, .rounds(rounds)))
      endlessField.show(mistake: mistake)
      if mistake != nil { show(self.place, self.group) }
    }
    rests.onClicked { [weak self] in self?.onAddRests() }
    independent.onClicked { [weak self] in
      guard let self else { return }
      _ = onEdit(.makeIndependent(self.place))
    }
    show(place, group)
  }

  func show(_ place: EditorPlace, _ group: EditedGroup) {
    (self.place, self.group) = (place, group)
    isSetting = true
    defer { isSetting = false }
    if case .times(let count) = group.rounds, rounds.value != count { rounds.value = count }
    rounds.isSensitive = group.isEditable && group.rounds != .forever
    endless.isOn = group.rounds == .forever
    // Only the last element of the sequence can repeat forever.
    endlessField.isVisible = group.canBeEndless || group.rounds == .forever
    endless.isSensitive = group.isEditable
    rests.isSensitive = group.isEditable
    independent.isVisible = group.alias != nil
  }

  func focus() { rounds.grabFocus() }

  /// Takes over the texts that the user is writing.
  func commit() { rounds.update() }
}
