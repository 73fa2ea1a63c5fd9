import SequencePlatform
import SequencePresentation
import SequenceRunner

final class Field {
  let widget: Box
  private let row: Box
  private let control: Widget
  private let mistake: Label

  /// - Parameter isLarge: whether the name is above the widget, because texts are large.
  init(_ name: String, _ control: Widget, isLarge: Bool) throws(Problem) {
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
  private var shown = ""
  /// Whether another program has changed the text since the user began to write.
  private var isChanged = false
  private var hasMistake = false
  /// Whether a text is being taken over: the text that is shown then is the answer to it.
  private var isTaking = false
  private let showMistake: (String?) -> Void
  /// Takes a text over; returns the mistake in it, or `nil`.
  private let take: (String) -> String?

  init(
    _ entry: any WrittenText, mistake: @escaping (String?) -> Void, _ take: @escaping (String) -> String?
  ) throws(Problem) {
    (self.entry, showMistake, self.take) = (entry, mistake, take)
    (entry as? Entry)?.onActivate { [weak self] in self?.commit() }
    // It comes after the row was removed, too.
    try entry.onFocusLeft { [weak self] in self?.commit() }
  }

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

  func drop() {
    isChanged = false
    entry.text = shown
    show(mistake: nil)
  }

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

final class MediaField {
  let field: Field
  private let name: Label
  private let choose: Button
  private let remove: Button
  var onChoose: () -> Void = {}
  var onRemove: () -> Void = {}

  init(_ title: String, isLarge: Bool) throws(Problem) {
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

enum EditorText {
  enum Parsed<Value: Equatable>: Equatable {
    case value(Value)
    case mistake(String)
  }

  /// Reads a length as people type it, such as `20 s`, `1:30` or `1h30m`; a number alone is in seconds, as in the file.
  static func duration(_ text: String) -> Parsed<Duration> {
    let text = trimmed(text.replacing("\u{A0}", with: " "))
    guard !text.isEmpty else { return .mistake(translated("Write a length")) }
    do throws(DurationTextError) {
      return .value(try DurationText.parseTyped(text))
    } catch {
      switch error {
      case .zero, .negative: return .mistake(translated("Longer than zero"))
      case .tooLong, .infinite: return .mistake(translated("At most 30 days"))
      case .notADuration, .noUnit, .comma, .tooFine:
        return .mistake(translated("Write it like 20 s or 1 min 30 s"))
      }
    }
  }

  /// Reads a change of a length, such as `+5 s` or `-5 s`.
  static func change(_ text: String) -> Parsed<Duration> {
    let text = trimmed(text.replacing("\u{A0}", with: " "))
    let isNegative = text.hasPrefix("-") || text.hasPrefix("−")
    switch duration(isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text) {
    case .value(let time): return .value(isNegative ? .zero - time : time)
    case .mistake(let mistake): return .mistake(mistake)
    }
  }

  static func title(_ text: String) -> Parsed<String> {
    let text = trimmed(text)
    guard !text.isEmpty else { return .mistake(translated("Write a title")) }
    return tooLong(text).map { .mistake($0) } ?? .value(text)
  }

  static func note(_ text: String) -> Parsed<String> {
    let text = trimmed(text)
    return tooLong(text).map { .mistake($0) } ?? .value(text)
  }

  static func titles(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { trimmed(String($0)) }.filter { !$0.isEmpty }
  }

  /// Reads labels with commas between them; a label that is written twice counts once.
  static func labels(_ text: String) -> [String] {
    var labels: [String] = []
    for part in text.split(whereSeparator: { ",;،、\n".contains($0) }) {
      let label = trimmed(String(part))
      if !label.isEmpty, !labels.contains(label) { labels.append(label) }
    }
    return labels
  }

  private static func tooLong(_ text: String) -> String? {
    SequenceLimits.isTooLong(text) ? translated("At most {} characters", "1,000") : nil
  }
}

/// The lengths of a card in the rounds of its group: a small field for each round.
final class LengthChips {
  let widget: Box
  /// Takes the lengths of all rounds over; returns the reason if that was not done.
  var onLengths: ([Duration]) -> String? = { _ in nil }
  var onMistake: (String?) -> Void = { _ in }
  private var lengths: [Duration] = []
  private var lines: [Box] = []
  private var entries: [Entry] = []
  private var commits: [CommittedText] = []
  private let more: Label

  /// The most rounds that have a field.
  static let most = 15
  private static let mostInLine = 3

  init() throws(Problem) {
    widget = try Box.make(isVertical: true, spacing: 6)
    more = try Label.make(classes: "dim-label", "caption")
    more.alignToStart()
    var line = widget
    for index in 0..<LengthChips.most {
      if index.isMultiple(of: LengthChips.mostInLine) {
        line = try Box.make(spacing: 6)
        line.alignToStart()
        lines.append(line)
        widget.append(line)
      }
      let entry = try Entry.make()
      entry.setWidth(characters: 6)
      entry.setAccessibleName(translated("Round {}", String(index + 1)))
      entry.setTooltip(translated("Round {}", String(index + 1)))
      line.append(entry)
      entries.append(entry)
      commits.append(
        try CommittedText(entry, mistake: { [weak self] in self?.show($0, at: index) }) { [weak self] text in
          self?.take(text, at: index)
        })
    }
    widget.append(more)
  }

  func show(_ lengths: [Duration], isEditable: Bool) {
    self.lengths = lengths
    for (index, entry) in entries.enumerated() {
      entry.isVisible = index < lengths.count
      entry.isSensitive = isEditable
      if index < lengths.count { commits[index].show(LengthText.format(lengths[index])) }
    }
    for (index, line) in lines.enumerated() {
      line.isVisible = index * LengthChips.mostInLine < lengths.count
    }
    let hidden = lengths.count - entries.count
    more.isVisible = hidden > 0
    more.text = translated("and {} more in the file", String(hidden))
  }

  func commit() { for commit in shown { commit.commit() } }

  var isDirty: Bool { shown.contains(where: \.isDirty) }

  private var shown: ArraySlice<CommittedText> { commits.prefix(lengths.count) }

  private func take(_ text: String, at index: Int) -> String? {
    guard lengths.indices.contains(index) else { return nil }
    switch EditorText.duration(text) {
    case .mistake(let mistake): return mistake
    case .value(let length):
      var changed = lengths
      changed[index] = length
      return onLengths(changed)
    }
  }

  private func show(_ mistake: String?, at index: Int) {
    entries[index].set(class: "error", mistake != nil)
    entries[index].setAccessibleInvalid(mistake != nil)
    onMistake(mistake)
  }
}
