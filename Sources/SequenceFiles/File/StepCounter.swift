import SequenceRunner

/// A counter of the steps, cards and texts of a sequence that is not built.
///
/// The target of an alias is counted once per nesting depth, so counting takes time proportional to the size
/// of the file.
package struct StepCounter {
  /// The size of an expanded list of cards.
  package struct Size {
    package var steps = 0
    /// The number of cards with all aliases written out.
    package var cards = 0
    /// The bytes of the texts of these cards.
    package var text = 0
  }

  private struct Place: Hashable {
    /// The position of the list, which is the same for all its aliases.
    let list: FilePosition
    let depth: Int
  }

  private var sizes: [Place: Size] = [:]

  package init() {}

  /// - Parameter depth: the number of groups around the list.
  package mutating func count(ofCardsIn node: YAMLNode, depth: Int) throws(SequenceFileError) -> Size {
    let place = Place(list: node.position, depth: depth)
    if let size = sizes[place] { return size }
    guard case .list(let nodes) = node.content else {
      throw wrong("cards must be a list, not \(node.kind)", node)
    }
    guard !nodes.isEmpty else { throw wrong("cards is empty", remedy: "write at least one card", node) }
    var size = Size()
    for (index, node) in nodes.enumerated() {
      let more = try count(of: node, depth: depth, isLast: index == nodes.count - 1)
      size.steps += more.steps
      size.cards += more.cards
      size.text += more.text
      guard max(size.steps, size.cards) <= SequenceLimits.mostSteps else { throw tooMany(node) }
      guard size.text <= SequenceLimits.largestText else { throw wrong(TimelineError.tooMuchText, node) }
    }
    sizes[place] = size
    return size
  }

  private mutating func count(
    of node: YAMLNode, depth: Int, isLast: Bool
  ) throws(SequenceFileError) -> Size {
    guard let cards = StepCounter.value("cards", of: node) else {
      return Size(steps: 1, cards: 1, text: StepCounter.text(of: node))
    }
    guard depth < SequenceLimits.deepestNesting else { throw wrong(TimelineError.tooDeep, node) }
    let inner = try count(ofCardsIn: cards, depth: depth + 1)
    let place = StepCounter.value("rounds", of: node) ?? node
    guard case .times(let count) = try StepCounter.rounds(ofGroup: node) else {
      guard depth == 0, isLast else { throw wrong(TimelineError.foreverNotLast, place) }
      return inner
    }
    let (steps, overflowed) = inner.steps.multipliedReportingOverflow(by: count)
    guard !overflowed, steps - skipped(in: cards) <= SequenceLimits.mostSteps else { throw tooMany(place) }
    return Size(steps: steps - skipped(in: cards), cards: inner.cards, text: inner.text)
  }

  /// Returns the bytes of the texts of a card: its title and note, and the texts of its sound and image.
  private static func text(of card: YAMLNode) -> Int {
    guard case .mapping(let entries) = card.content else { return 0 }
    return entries.reduce(0) { size, entry in
      guard ["title", "note", "sound", "image"].contains(entry.key),
        case .scalar(let text) = entry.value.content
      else {
        return size
      }
      return size + text.utf8.count
    }
  }

  /// Returns the rounds of a group, or without the key those of the first list of lengths in it.
  package static func rounds(ofGroup node: YAMLNode) throws(SequenceFileError) -> Rounds {
    if value("rounds", of: node) == nil, case .list(let cards)? = value("cards", of: node)?.content {
      for card in cards {
        // An empty list is a mistake of its card.
        if case .list(let lengths)? = value("countdown", of: card)?.content {
          return .times(max(1, lengths.count + (isLeftOutLast(card) ? 1 : 0)))
        }
      }
    }
    let fields = try Fields(node, of: "a group", known: ["rounds", "cards"])
    return try rounds(try fields.required("rounds"))
  }

  /// Returns the value of a key, also in an alias.
  private static func value(_ key: String, of node: YAMLNode) -> YAMLNode? {
    guard case .mapping(let entries) = node.content else { return nil }
    return entries.first { $0.key == key }?.value
  }

  private static func isLeftOutLast(_ card: YAMLNode) -> Bool {
    if case .scalar("true")? = value("skipLast", of: card)?.content { true } else { false }
  }

  private static func rounds(_ node: YAMLNode) throws(SequenceFileError) -> Rounds {
    if case .scalar(Rounds.foreverText) = node.content { return .forever }
    guard case .scalar(let text) = node.content, !text.isEmpty,
      text.utf8.allSatisfy({ (48...57).contains($0) })
    else {
      throw noRounds(node)
    }
    guard let rounds = Int(text), rounds <= SequenceLimits.mostSteps else {
      throw StepCounter().tooMany(node)
    }
    guard rounds > 0 else { throw noRounds(node) }
    return .times(rounds)
  }

  private static func noRounds(_ node: YAMLNode) -> SequenceFileError {
    wrong("rounds must be a whole number from 1, or forever, not \(node.kind)", node)
  }

  /// Returns the number of cards in a list that are left out in the last round.
  private func skipped(in cards: YAMLNode) -> Int {
    guard case .list(let nodes) = cards.content else { return 0 }
    return nodes.count(where: StepCounter.isLeftOutLast)
  }

  private func tooMany(_ node: YAMLNode) -> SequenceFileError {
    wrong(TimelineError.tooManySteps, node)
  }
}
