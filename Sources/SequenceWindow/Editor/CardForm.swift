import SequencePresentation
import SequenceRunner
import SequencePlatform

final class CardForm {
  let widget: Box
  var onEdit: (SequenceEdit) -> String? = { _ in nil }
  /// Lets the user choose a picture or a sound, and calls a handler with its text in the file.
  var onChooseImage: (@escaping (String) -> Void) -> Void = { _ in }
  var onChooseSound: (@escaping (String) -> Void) -> Void = { _ in }
  var onMoreTitles: ([String]) -> Void = { _ in }
  /// The cards that have a length.
  var cardsLasting: (Duration) -> [EditorPlace] = { _ in [] }
  private var place: EditorPlace
  private var card: EditedCard
  private var isSetting = false
  private let title: Entry
  private let kind: DropDown
  private let length: Entry
  private let others: Button
  /// The length before the one that the user has just given the card.
  private var formerLength: Duration?
  private let perRound: Entry
  private let lengths: LengthChips
  private let vary: Button
  private let atLeast: Entry
  private let atMost: Entry
  private let goal: Entry
  private let every: Entry
  private let reminders: SpinButton
  private let note: TextView
  private let skip: Switch
  private let rest: Switch
  private let insist: Entry
  private let sound: MediaField
  private let image: MediaField
  private let independent: Button
  private var fields: [Name: Field] = [:]
  private var commits: [Name: CommittedText] = [:]

  private enum Name: Hashable {
    case title, kind, length, perRound, lengths, atLeast, atMost, insist, goal, reminders, every, note, skip,
      rest
  }

  init(_ place: EditorPlace, _ card: EditedCard, isLarge: Bool) throws(Problem) {
    (self.place, self.card) = (place, card)
    widget = try Box.make(isVertical: true, spacing: 9)
    title = try Entry.make()
    kind = try DropDown.make([
      translated("Countdown"), translated("Countdown, then wait"), translated("Stopwatch"),
    ])
    length = try Entry.make()
    others = try Button.make(label: "")
    perRound = try Entry.make()
    perRound.setPlaceholder(translated("No change"))
    lengths = try LengthChips()
    vary = try Button.make(label: "")
    atLeast = try Entry.make()
    atMost = try Entry.make()
    for bound in [atLeast, atMost] { bound.setPlaceholder(translated("No change")) }
    goal = try Entry.make()
    goal.setPlaceholder(translated("None"))
    every = try Entry.make()
    reminders = try SpinButton.make(0...SequenceLimits.mostReminders)
    note = try TextView.make()
    note.setPadding(6)
    note.set(class: "note", true)
    skip = try Switch.make(translated("Leave out in the last round"))
    rest = try Switch.make(translated("This is a rest"))
    insist = try Entry.make()
    insist.setPlaceholder(translated("Never"))
    sound = try MediaField(translated("Sound"), isLarge: isLarge)
    image = try MediaField(translated("Picture"), isLarge: isLarge)
    independent = try Button.make(label: translated("Make Independent"))
    for (name, text, control) in [
      (Name.title, translated("Title"), title as Widget), (.kind, translated("Type"), kind),
      (.length, translated("Time"), length), (.perRound, translated("Every Round"), perRound),
      (.lengths, translated("Time in Each Round"), lengths.widget),
      (.insist, translated("Remind Every"), insist),
      (.goal, translated("Goal"), goal),
      (.reminders, translated("Reminders"), reminders), (.every, translated("Every"), every),
      (.note, translated("Note"), note), (.skip, translated("Leave Out in the Last Round"), skip),
      (.rest, translated("This Is a Rest"), rest),
      // Only for a run that is to end at a time.
      (.atLeast, translated("Shortest Time"), atLeast), (.atMost, translated("Longest Time"), atMost),
    ] {
      // The fields of the rounds have no room next to their name.
      let field = try Field(text, control, isLarge: isLarge || name == .lengths)
      fields[name] = field
      widget.append(field.widget)
      if name == .length { widget.append(others) }
      if name == .lengths { widget.append(vary) }
    }
    for part in [image.field, sound.field] { widget.append(part.widget) }
    widget.append(independent)
    try connect()
    show(place, card)
  }

  private func connect() throws(Problem) {
    try commit(.title, title) { form, text in form.takeTitle(text) }
    try commit(.length, length) { form, text in form.takeLength(text) }
    others.onClicked { [weak self] in self?.changeOthers() }
    try commit(.perRound, perRound) { form, text in
      guard text.contains(where: { !$0.isWhitespace }) else { return form.set(.perRound(nil)) }
      return form.take(EditorText.change(text)) { .perRound($0) }
    }
    try commit(.atLeast, atLeast) { form, text in form.takeBound(text) { .atLeast($0) } }
    try commit(.atMost, atMost) { form, text in form.takeBound(text) { .atMost($0) } }
    lengths.onLengths = { [weak self] in self?.set(.lengths($0)) }
    lengths.onMistake = { [weak self] in self?.show($0, at: .lengths) }
    vary.onClicked { [weak self] in
      guard let self else { return }
      show(set(.lengths(otherLengths)), at: card.lengths.isEmpty ? .perRound : .lengths)
    }
    try commit(.goal, goal) { form, text in
      guard text.contains(where: { !$0.isWhitespace }) else {
        return form.set(.timing(.countUp()))
      }
      return form.take(EditorText.duration(text)) {
        .timing(.countUp(goal: form.changed(length: $0)))
      }
    }
    try commit(.every, every) { form, text in
      if case .value(let interval) = EditorText.duration(text), interval < Goal.minimumCadence {
        return translated("At least 10 min")
      }
      return form.take(EditorText.duration(text)) {
        .timing(.countUp(goal: form.changed(cadence: $0)))
      }
    }
    try commit(.insist, insist) { form, text in
      guard text.contains(where: { !$0.isWhitespace }) else {
        return form.set(.insist(nil))
      }
      return form.take(EditorText.duration(text)) { .insist($0) }
    }
    image.onChoose = { [weak self] in
      guard let self else { return }
      onChooseImage { [weak self] in self?.setImage($0) }
    }
    image.onRemove = { [weak self] in self?.setImage(nil) }
    sound.onChoose = { [weak self] in
      guard let self else { return }
      onChooseSound { [weak self] in self?.setSound($0) }
    }
    sound.onRemove = { [weak self] in self?.setSound(nil) }
    reminders.onValue { [weak self] in
      guard let self, !isSetting else { return }
      show(set(.timing(.countUp(goal: changed(reminders: reminders.value)))), at: .reminders)
    }
    kind.onSelected { [weak self] in
      guard let self, !isSetting else { return }
      show(set(.timing(chosenTiming)), at: .kind)
    }
    try commit(.note, note) { form, text in
      form.take(EditorText.note(text)) { .note($0) }
    }
    skip.onToggled { [weak self] in
      guard let self, !isSetting else { return }
      show(set(.skipsLastRound(skip.isOn)), at: .skip)
    }
    rest.onToggled { [weak self] in
      guard let self, !isSetting else { return }
      show(set(.isRest(rest.isOn)), at: .rest)
    }
    independent.onClicked { [weak self] in
      guard let self else { return }
      _ = onEdit(.makeIndependent(place))
    }
  }

  private func commit(
    _ name: Name, _ entry: any WrittenText, _ take: @escaping (CardForm, String) -> String?
  ) throws(Problem) {
    guard let field = fields[name] else { return }
    commits[name] = try CommittedText(entry, mistake: field.show(mistake:)) { [weak self] text in
      self.flatMap { take($0, text) }
    }
  }

  // MARK: - Showing

  /// Shows a card; a text that the user is writing stays.
  func show(_ place: EditorPlace, _ card: EditedCard) {
    (self.place, self.card) = (place, card)
    isSetting = true
    defer { isSetting = false }
    commits[.title]?.show(card.title)
    kind.selected = Kind(card.timing).rawValue
    commits[.length]?.show(card.timing.duration.map(LengthText.format) ?? "")
    showOthers()
    commits[.perRound]?.show(card.change ?? "")
    lengths.show(card.lengths, isEditable: card.isEditable)
    let aim = card.timing.goal
    commits[.goal]?.show(aim.map { LengthText.format($0.duration) } ?? "")
    commits[.every]?.show(aim.map { LengthText.format($0.cadence) } ?? "")
    if reminders.value != aim?.reminders { reminders.value = aim?.reminders ?? Goal.defaultReminders }
    commits[.note]?.show(card.note ?? "")
    skip.isOn = card.skipsLastRound
    rest.isOn = card.isRest
    commits[.insist]?.show(card.insist.map(LengthText.format) ?? "")
    image.show(card.image, isEditable: card.isEditable)
    sound.show(card.sound, isEditable: card.isEditable)
    let isCountUp = Kind(card.timing) == .stopwatch
    let canVary = !isCountUp && card.rounds ?? 0 > 1
    fields[.length]?.isVisible = !isCountUp && card.lengths.isEmpty
    fields[.perRound]?.isVisible = !isCountUp && card.lengths.isEmpty && (canVary || card.change != nil)
    fields[.lengths]?.isVisible = !card.lengths.isEmpty
    vary.isVisible = !card.lengths.isEmpty || canVary && card.rounds ?? 0 <= LengthChips.most
    vary.isSensitive = card.isEditable
    vary.label =
      card.lengths.isEmpty ? translated("A Time for Each Round") : translated("One Time for All Rounds")
    commits[.atLeast]?.show(card.atLeast.map(LengthText.format) ?? "")
    commits[.atMost]?.show(card.atMost.map(LengthText.format) ?? "")
    for name in [Name.atLeast, .atMost] { fields[name]?.isVisible = Kind(card.timing) == .countdown }
    fields[.insist]?.isVisible = Kind(card.timing) == .waiting
    fields[.goal]?.isVisible = isCountUp
    fields[.reminders]?.isVisible = aim != nil
    fields[.every]?.isVisible = aim != nil
    fields[.skip]?.isVisible = card.hasLastRound
    fields[.kind]?.show(mistake: nil)
    for control in [
      title, kind, length, perRound, atLeast, atMost, goal, every, reminders, note, skip, rest, insist,
    ] as [Widget] {
      control.isSensitive = card.isEditable
    }
    independent.isVisible = card.alias != nil
  }

  func focusTitle() {
    title.grabFocus()
    title.selectAll()
  }

  func commit() {
    for commit in commits.values { commit.commit() }
    lengths.commit()
    reminders.update()
  }

  // MARK: - Edits

  /// Sets a value; returns the reason if that was not done.
  private func set(_ field: SequenceEdit.Field) -> String? { onEdit(.set(place, field)) }

  private func take<Value>(
    _ reading: EditorText.Parsed<Value>, _ field: (Value) -> SequenceEdit.Field
  ) -> String? {
    switch reading {
    case .value(let value): set(field(value))
    case .mistake(let text): text
    }
  }

  /// Takes the shortest or the longest length of the card, or none for an empty text.
  private func takeBound(_ text: String, _ field: (Duration?) -> SequenceEdit.Field) -> String? {
    guard text.contains(where: { !$0.isWhitespace }) else { return set(field(nil)) }
    return take(EditorText.duration(text), field)
  }

  private func show(_ mistake: String?, at name: Name) { fields[name]?.show(mistake: mistake) }

  private func takeTitle(_ text: String) -> String? {
    let titles = EditorText.titles(text)
    if let mistake = take(EditorText.title(titles.first ?? ""), { .title($0) }) { return mistake }
    if titles.count > 1 {
      let more = Array(titles.dropFirst())
      // The other cards come once this one has its title.
      LoopSource.soon { [weak self] in self?.onMoreTitles(more) }
    }
    return nil
  }

  private func takeLength(_ text: String) -> String? {
    switch EditorText.duration(text) {
    case .mistake(let text): return text
    case .value(let length):
      if length != card.length { formerLength = card.length }
      let mistake = onEdit(.setLength([place], length))
      if mistake != nil { formerLength = nil }
      showOthers()
      return mistake
    }
  }

  /// Offers to change the other cards that have the former length, too.
  private func showOthers() {
    let count = formerLength.map { cardsLasting($0).count } ?? 0
    others.isVisible = count > 0 && card.length != nil
    guard let formerLength, count > 0 else { return }
    let text = LengthText.format(formerLength)
    others.label = plural(
      "Also Change 1 Other With {length}", "Also Change {} Others With {length}", count: count,
      ["length": text])
  }

  private func changeOthers() {
    guard let formerLength, let length = card.length else { return }
    // The button is hidden then.
    self.length.grabFocus()
    fields[.length]?.show(mistake: onEdit(.setLength(cardsLasting(formerLength), length)))
  }

  /// Forgets the former length, because the user has left the card.
  func dropOthers() {
    formerLength = nil
    showOthers()
  }

  private func setImage(_ path: String?) { image.field.show(mistake: set(.image(path))) }

  private func setSound(_ path: String?) { sound.field.show(mistake: set(.sound(path))) }

  var isDirty: Bool { commits.values.contains(where: \.isDirty) || lengths.isDirty }

  // MARK: - Timing

  private enum Kind: Int {
    case countdown, waiting, stopwatch

    init(_ timing: Timing) {
      switch timing {
      case .countdown(_, .automatic): self = .countdown
      case .countdown(_, .manual): self = .waiting
      case .countUp: self = .stopwatch
      }
    }
  }

  /// A list with the length that each round has now, or the first of a list.
  private var otherLengths: [Duration] {
    guard card.lengths.isEmpty else { return Array(card.lengths.prefix(1)) }
    let first = card.timing.duration ?? .seconds(30)
    return (1...max(2, card.rounds ?? 2)).map {
      card.laterRounds?.duration(ofRound: $0, after: first) ?? first
    }
  }

  private var chosenTiming: Timing {
    let length = card.timing.target ?? .seconds(30)
    return switch Kind(rawValue: kind.selected) ?? .countdown {
    case .countdown: .countdown(length)
    case .waiting: .countdown(length, advance: .manual)
    case .stopwatch: .countUp(goal: Goal(duration: length))
    }
  }

  private func changed(length: Duration? = nil, reminders: Int? = nil, cadence: Duration? = nil) -> Goal {
    let goal = card.timing.goal
    return Goal(
      duration: length ?? goal?.duration ?? .seconds(30),
      reminders: reminders ?? goal?.reminders ?? Goal.defaultReminders,
      cadence: cadence ?? goal?.cadence ?? Goal.minimumCadence)
  }
}

final class GroupForm {
  let widget: Box
  var onEdit: (SequenceEdit) -> String? = { _ in nil }
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

  init(_ place: EditorPlace, _ group: EditedGroup, isLarge: Bool) throws(Problem) {
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

  func commit() { rounds.update() }
}
