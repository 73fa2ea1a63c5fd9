import SequencePlatform
import SequencePresentation
import SequenceRunner

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
