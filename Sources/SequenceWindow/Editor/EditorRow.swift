import SequencePresentation
import SequenceFiles
import SequenceRunner

/// A row of the editor: a card, the head of a group, or the end of a list.
struct EditorRow: Hashable {
  /// The place of the card or the group, or the end of the list.
  let place: EditorPlace
  let content: Content

  enum Content: Hashable {
    case card(EditedCard)
    case group(EditedGroup)
    /// The end of a group or of the sequence, where cards can be added.
    case end(isSequence: Bool)
  }

  var depth: Int { place.depth }

  var card: EditedCard? { if case .card(let card) = content { card } else { nil } }
  var group: EditedGroup? { if case .group(let group) = content { group } else { nil } }
  var isEnd: Bool { if case .end = content { true } else { false } }

  /// Whether the row may have the widgets of another one: it is the same kind of thing.
  func isSameKind(as other: EditorRow) -> Bool {
    switch (content, other.content) {
    case (.card, .card), (.group, .group): true
    case (.end(let isSequence), .end(let isOther)): isSequence == isOther
    default: false
    }
  }
}

/// A card as the editor shows it.
struct EditedCard: Hashable {
  let title: String
  let note: String?
  let timing: Timing
  let skipsLastRound: Bool
  let isRest: Bool
  let insist: Duration?
  /// The texts of the sound and the picture in the file.
  let sound: String?
  let image: String?
  /// The name of the card that it repeats; `nil` if it has a text of its own.
  let alias: String?
  /// Whether it is part of a group that is repeated by an alias.
  let isInAlias: Bool
  /// Whether it is in a group that has a last round.
  let hasLastRound: Bool

  /// Whether its values can be changed.
  var isEditable: Bool { alias == nil && !isInAlias }

  /// The length of the card at the end of its row.
  var time: String {
    switch timing {
    case .countdown(let duration, _): LengthText.format(duration)
    case .countUp(let goal?): LengthText.format(goal.duration)
    case .countUp(nil): ""
    }
  }

  /// Its unusual properties, and its note.
  var facts: String {
    let kind: String? =
      switch timing {
      case .countdown(_, .automatic): nil
      case .countdown(_, .manual): translated("then waits for you")
      case .countUp(nil): translated("until you complete it")
      case .countUp: translated("counts up to a goal")
      }
    return [
      alias.map { translated("same as {} above", $0) }, kind,
      skipsLastRound && hasLastRound ? translated("not in the last round") : nil, note,
    ].compactMap(\.self).joined(separator: " · ")
  }
}

/// The head of a group as the editor shows it.
struct EditedGroup: Hashable {
  let rounds: Rounds
  /// The number of cards in it, and in the groups in it.
  let count: Int
  /// The time of all rounds, or of one round of an endless group.
  let time: Duration
  let alias: String?
  let isInAlias: Bool
  /// Whether only its place makes it impossible to repeat it until the user stops.
  let canBeEndless: Bool

  var isEditable: Bool { alias == nil && !isInAlias }

  var title: String {
    switch rounds {
    case .times(let count): translated("1 round", "{} rounds", count: count)
    case .forever: translated("Repeats until you stop it")
    }
  }

  var facts: String {
    [
      alias.map { translated("same as {} above", $0) }, translated("1 card", "{} cards", count: count),
    ].compactMap(\.self).joined(separator: " · ")
  }

  var timeText: String {
    time == .zero ? "" : LengthText.format(time) + (rounds == .forever ? translated(" each") : "")
  }
}
