import SequenceFiles
import SequenceRunner

/// A sequence file that is edited: its text, its meaning, and its rows.
///
/// The text is the only data. An edit is a small replacement in it, and the result must be a sequence again.
struct EditedSequence {
  let document: SequenceDocument
  let parsed: SequenceFile
  let rows: [EditorRow]
  /// The folder that the paths in the file are relative to.
  let folder: String

  init(_ document: SequenceDocument, in folder: String) throws(SequenceFileError) {
    self.document = document
    self.folder = folder
    parsed = try SequenceFile.parse(document.bytes, in: folder)
    var builder = RowBuilder(document.value, parsed.timeline)
    builder.add(parsed.definition.elements, in: EditorPlace.cards, from: 0, of: nil, isInAlias: false)
    rows = builder.rows
  }

  init(_ bytes: [UInt8], in folder: String) throws(SequenceFileError) {
    try self.init(SequenceDocument(bytes), in: folder)
  }

  var title: String { parsed.definition.title }

  func group(at place: EditorPlace) -> EditedGroup? { row(at: place).flatMap { rows[$0].group } }

  func card(at place: EditorPlace) -> Card? {
    var (elements, found) = (parsed.definition.elements, SequenceElement?.none)
    for case .index(let index) in place.path {
      guard elements.indices.contains(index) else { return nil }
      found = elements[index]
      if case .group(let group) = elements[index] { elements = group.elements } else { elements = [] }
    }
    if case .card(let card) = found { return card }
    return nil
  }

  func row(at place: EditorPlace) -> Int? { rows.firstIndex { $0.place == place && !$0.isEnd } }

  /// The rows of an element: its own, and for a group those up to its end.
  func rows(ofElementAt index: Int) -> ClosedRange<Int> {
    guard rows[index].group != nil else { return index...index }
    let inner = rows[index].place.inner
    let end = rows.indices.dropFirst(index).first { rows[$0].isEnd && rows[$0].place.list == inner }
    return index...(end ?? index)
  }

  /// The index of the first step of an element, in the first round of the groups around it; `nil` if it has none,
  /// because the only round of its group leaves it out.
  ///
  /// - Complexity: O(cards).
  func firstStep(ofElementAt place: EditorPlace) -> Int? {
    var (step, elements, isLast) = (0, parsed.definition.elements, false)
    for part in place.path {
      guard case .index(let index) = part else { continue }
      step += SequencePlan.count(Array(elements.prefix(index)), isLast: isLast) { _ in true }
      guard elements.indices.contains(index) else { return nil }
      guard SequencePlan.count([elements[index]], isLast: isLast, where: { _ in true }) > 0 else {
        return nil
      }
      if case .group(let group) = elements[index] {
        (elements, isLast) = (group.elements, group.rounds == .times(1))
      }
    }
    return step
  }

  /// The place before a row: each gap between two rows is one place in the tree.
  func place(beforeRow index: Int) -> EditorPlace { rows[index].place }

  /// An element, and the rest below it if it is another card.
  func withRest(_ place: EditorPlace) -> [EditorPlace] {
    let next = EditorPlace(list: place.list, index: place.index + 1)
    return card(at: place)?.isRest == false && card(at: next)?.isRest == true ? [place, next] : [place]
  }

  /// The place that elements get if they move down or up, past one row, or past a card with its rest; `nil` at the end
  /// of the sequence.
  ///
  /// Only a rest that moves alone gets between a card and its rest.
  func place(moving places: [EditorPlace], down isDown: Bool) -> EditorPlace? {
    guard let first = places.first.flatMap(row), let last = places.last.flatMap(row) else { return nil }
    let isRest = places.allSatisfy { card(at: $0)?.isRest == true }
    if isDown {
      // The place behind the row that follows, which is the end of a group or the head of one, too.
      let next = rows(ofElementAt: last).upperBound + 1
      let behind = next + (!isRest && next < rows.count ? withRest(rows[next].place).count : 1)
      return behind < rows.count ? place(beforeRow: behind) : nil
    }
    guard first > 0 else { return nil }
    let isBehindRest =
      first > 1 && !isRest && withRest(rows[first - 2].place).dropFirst().first == rows[first - 1].place
    return place(beforeRow: first - (isBehindRest ? 2 : 1))
  }

  /// Whether elements can get a place: not one inside of them, nor where they are.
  func canMove(_ places: [EditorPlace], to place: EditorPlace) -> Bool {
    guard let first = places.first, !places.contains(where: { place.list.starts(with: $0.path) }) else {
      return false
    }
    let areNeighbors = places.enumerated().allSatisfy {
      $1 == EditorPlace(list: first.list, index: first.index + $0)
    }
    return !areNeighbors || place.list != first.list
      || !(first.index...first.index + places.count).contains(place.index)
  }

  /// The countdowns of a length that can be changed.
  func cards(lasting length: Duration) -> [EditorPlace] {
    rows.filter { $0.card?.length == length }.map(\.place)
  }
}

private struct RowBuilder {
  private(set) var rows: [EditorRow] = []
  private let value: YAMLNode
  private let timeline: Timeline

  init(_ value: YAMLNode, _ timeline: Timeline) { (self.value, self.timeline) = (value, timeline) }

  /// - Parameters:
  ///   - first: the index of their first step, in the first round of the groups around them.
  ///   - rounds: those of the group around the elements; `nil` outside of groups.
  ///   - isInAlias: whether the elements belong to a part that is written elsewhere.
  mutating func add(
    _ elements: [SequenceElement], in list: [YAMLNode.Step], from first: Int, of rounds: Rounds?,
    isInAlias: Bool
  ) {
    var step = first
    for (index, element) in elements.enumerated() {
      let count = SequencePlan.count([element], isLast: rounds == .times(1)) { _ in true }
      defer { step += count }
      let place = EditorPlace(list: list, index: index)
      let alias = isInAlias ? nil : self.alias(at: place.path)
      switch element {
      case .card(let card):
        rows.append(
          EditorRow(
            place: place,
            content: .card(
              EditedCard(
                title: card.title, note: card.note, timing: card.timing, laterRounds: card.laterRounds,
                atLeast: card.atLeast, atMost: card.atMost, rounds: RowBuilder.rounds(of: card, in: rounds),
                skipsLastRound: card.skipsLastRound,
                isRest: card.isRest, insist: card.insist, sound: text("sound", at: place),
                image: text("image", at: place), alias: alias.map { _ in card.title },
                isInAlias: isInAlias, hasLastRound: rounds.map { $0 != .forever && $0 != .times(1) } ?? false)
            )))
      case .group(let group):
        let isLast = place.depth == 0 && index == elements.count - 1
        rows.append(
          EditorRow(
            place: place,
            content: .group(
              EditedGroup(
                rounds: group.rounds, count: group.elements.flatMap(\.cards).count,
                time: timeline.duration(of: step..<step + count),
                alias: alias, isInAlias: isInAlias, canBeEndless: isLast))))
        // The list of a group can be an alias, too.
        let isHidden = isInAlias || alias != nil || self.alias(at: place.inner) != nil
        add(group.elements, in: place.inner, from: step, of: group.rounds, isInAlias: isHidden)
      }
    }
    rows.append(
      EditorRow(
        place: EditorPlace(list: list, index: elements.count), content: .end(isSequence: list.count == 1)))
  }

  private static func rounds(of card: Card, in rounds: Rounds?) -> Int? {
    guard case .times(let count) = rounds else { return nil }
    return card.skipsLastRound ? count - 1 : count
  }

  private func text(_ key: String, at place: EditorPlace) -> String? {
    value.part(at: place.path)?[key]?.text
  }

  private func alias(at path: [YAMLNode.Step]) -> String? { value.part(at: path)?.alias }
}
