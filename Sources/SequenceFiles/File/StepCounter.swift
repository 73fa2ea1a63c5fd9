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
    guard case .mapping(let entries) = node.content,
      let cards = entries.first(where: { $0.key == "cards" })?.value,
      let rounds = entries.first(where: { $0.key == "rounds" })?.value
    else { return Size(steps: 1, cards: 1, text: StepCounter.text(of: node)) }
    guard depth < SequenceLimits.deepestNesting else { throw wrong(TimelineError.tooDeep, node) }
    let inner = try count(ofCardsIn: cards, depth: depth + 1)
    guard case .times(let count) = try StepCounter.rounds(rounds) else {
      guard depth == 0, isLast else { throw wrong(TimelineError.foreverNotLast, rounds) }
      return inner
    }
    let (steps, overflowed) = inner.steps.multipliedReportingOverflow(by: count)
    guard !overflowed, steps - skipped(in: cards) <= SequenceLimits.mostSteps else { throw tooMany(rounds) }
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

  static func rounds(_ node: YAMLNode) throws(SequenceFileError) -> Rounds {
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
    return nodes.count { node in
      guard case .mapping(let entries) = node.content else { return false }
      return entries.contains { entry in
        guard entry.key == "skipLast", case .scalar("true") = entry.value.content else { return false }
        return true
      }
    }
  }

  private func tooMany(_ node: YAMLNode) -> SequenceFileError {
    wrong(TimelineError.tooManySteps, node)
  }
}
