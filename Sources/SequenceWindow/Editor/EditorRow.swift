import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner

struct EditorRow: Hashable {
  let place: EditorPlace
  let content: Content

  enum Content: Hashable {
    case card(EditedCard)
    case group(EditedGroup)
    case end(isSequence: Bool)
  }

  var depth: Int { place.depth }

  var card: EditedCard? { if case .card(let card) = content { card } else { nil } }
  var group: EditedGroup? { if case .group(let group) = content { group } else { nil } }
  var isEnd: Bool { if case .end = content { true } else { false } }

  func isSameKind(as other: EditorRow) -> Bool {
    switch (content, other.content) {
    case (.card, .card), (.group, .group): true
    case (.end(let isSequence), .end(let isOther)): isSequence == isOther
    default: false
    }
  }
}

struct EditedCard: Hashable {
  let title: String
  let note: String?
  let timing: Timing
  let laterRounds: LaterRounds?
  let atLeast: Duration?
  let atMost: Duration?
  /// The number of rounds that have the card; `nil` outside of groups and in endless rounds.
  let rounds: Int?
  let skipsLastRound: Bool
  let isRest: Bool
  let insist: Duration?
  let sound: String?
  let image: String?
  /// The name of the card that it repeats; `nil` if it has a text of its own.
  let alias: String?
  /// Whether it is part of a group that is repeated by an alias.
  let isInAlias: Bool
  let hasLastRound: Bool

  var isEditable: Bool { alias == nil && !isInAlias }

  var time: String {
    switch timing {
    case .countdown(let duration, _): LengthText.format(duration)
    case .countUp(let goal?): LengthText.format(goal.duration)
    case .countUp(nil): ""
    }
  }

  /// The length in all rounds, if it can be changed.
  var length: Duration? { isEditable && lengths.isEmpty ? timing.duration : nil }

  /// The length in each round; empty if all follow from the first one.
  var lengths: [Duration] {
    guard case .lengths(let lengths) = laterRounds, let first = timing.duration else { return [] }
    return [first] + lengths
  }

  /// The time that each round adds, such as `+5 s`; `nil` for none.
  var change: String? {
    guard case .adding(let time) = laterRounds else { return nil }
    return StepText.change(time, LengthText.format)
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
      alias.map { translated("same as {} above", $0) }, change.map { translated("{} each round", $0) },
      lengths.isEmpty ? nil : lengths.dropFirst().map(LengthText.format).joined(separator: ", "), kind,
      skipsLastRound && hasLastRound ? translated("not in the last round") : nil, note,
    ].compactMap(\.self).joined(separator: " · ")
  }
}

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
    case .times(let count): plural("1 round", "{} rounds", count: count)
    case .forever: translated("Repeats until you stop it")
    }
  }

  var facts: String {
    [
      alias.map { translated("same as {} above", $0) }, plural("1 card", "{} cards", count: count),
    ].compactMap(\.self).joined(separator: " · ")
  }

  var timeText: String {
    time == .zero ? "" : LengthText.format(time) + (rounds == .forever ? translated(" each") : "")
  }
}

/// A place in the tree of a sequence file: before the element with an index in a list of cards and groups, or after
/// the last one.
struct EditorPlace: Hashable {
  var list: [YAMLNode.Step]
  var index: Int

  static let cards: [YAMLNode.Step] = [.key("cards")]

  var path: [YAMLNode.Step] { list + [.index(index)] }
  var inner: [YAMLNode.Step] { path + [.key("cards")] }
  var depth: Int { list.count / 2 }
  var group: EditorPlace? {
    guard list.count > 2, case .index(let index) = list[list.count - 2] else { return nil }
    return EditorPlace(list: Array(list.dropLast(2)), index: index)
  }

  /// The innermost list that has all places in it, or in the groups in it.
  static func commonList(of places: [EditorPlace]) -> [YAMLNode.Step] {
    var path = places.first?.list ?? cards
    for place in places { path = zip(path, place.list).prefix { $0 == $1 }.map(\.0) }
    // A list, and not an element of it.
    if case .index? = path.last { path.removeLast() }
    return path
  }

  func afterRemoval(of removed: EditorPlace) -> EditorPlace { shifted(by: -1, at: removed) { $0 > $1 } }

  func afterInsertion(at inserted: EditorPlace) -> EditorPlace { shifted(by: 1, at: inserted) { $0 >= $1 } }

  private func shifted(by distance: Int, at other: EditorPlace, if isBehind: (Int, Int) -> Bool)
    -> EditorPlace
  {
    var place = self
    if list == other.list {
      if isBehind(index, other.index) { place.index += distance }
    } else if list.count > other.list.count, list.starts(with: other.list),
      case .index(let around) = list[other.list.count], isBehind(around, other.index)
    {
      place.list[other.list.count] = .index(around + distance)
    }
    return place
  }
}

/// Finds the rows of a changed list among those of before, so that they keep their widgets.
enum RowMatching {
  /// Returns the index of the old row of each new one; `nil` for a row that is new.
  ///
  /// Rows that show the same are found wherever they are; the rest is matched in order, if it is the same kind of row.
  ///
  /// - Complexity: O(rows).
  static func match(_ old: [EditorRow], _ new: [EditorRow]) -> [Int?] {
    var found = [Int?](repeating: nil, count: new.count)
    let start = zip(old, new).prefix { $0.content == $1.content && $0.depth == $1.depth }.count
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
      .prefix { $0.content == $1.content && $0.depth == $1.depth }.count
    for index in 0..<start { found[index] = index }
    for distance in 0..<end { found[new.count - 1 - distance] = old.count - 1 - distance }
    var rest = Array(start..<old.count - end)
    var places = Dictionary(grouping: rest) { old[$0].content }.mapValues { Array($0.reversed()) }
    for index in start..<new.count - end {
      if let place = places[new[index].content]?.popLast() {
        found[index] = place
        rest.removeAll { $0 == place }
      }
    }
    for index in start..<new.count - end where found[index] == nil {
      guard let place = rest.firstIndex(where: { old[$0].isSameKind(as: new[index]) }) else { continue }
      found[index] = rest.remove(at: place)
    }
    return found
  }
}
