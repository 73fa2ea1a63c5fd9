import SequenceRunner

/// Counts the steps and the cards of a sequence without building it.
///
/// What an alias stands for is counted once, so it takes as long as the file is, whatever it stands for.
package struct StepCounter {
  /// What a list of cards unfolds to.
  package struct Size {
    /// The occurrences of cards in a run.
    package var steps = 0
    /// The cards with what aliases repeat written out.
    package var cards = 0
  }

  private struct Place: Hashable {
    let node: ObjectIdentifier
    let depth: Int
  }

  private var sizes: [Place: Size] = [:]

  /// A census that has counted nothing.
  package init() {}

  /// The size of the list that a node is, in groups of some depth.
  package mutating func count(ofCardsIn node: YAMLNode, depth: Int) throws(SequenceFileError) -> Size {
    let place = Place(node: ObjectIdentifier(node), depth: depth)
    if let size = sizes[place] { return size }
    guard case .list(let nodes) = node.content else {
      throw wrong("cards must be a list, and not \(node.kind)", node)
    }
    guard !nodes.isEmpty else { throw wrong("cards is empty", remedy: "write one card at least", node) }
    var size = Size()
    for node in nodes {
      let more = try count(of: node, depth: depth)
      size.steps += more.steps
      size.cards += more.cards
      guard max(size.steps, size.cards) <= SequenceLimits.mostSteps else { throw tooMany(node) }
    }
    sizes[place] = size
    return size
  }

  private mutating func count(of node: YAMLNode, depth: Int) throws(SequenceFileError) -> Size {
    guard case .mapping(let entries) = node.content,
      let cards = entries.first(where: { $0.key == "cards" })?.value,
      let rounds = entries.first(where: { $0.key == "rounds" })?.value
    else { return Size(steps: 1, cards: 1) }
    guard depth < SequenceLimits.deepestNesting else { throw wrong(TimelineError.tooDeep, node) }
    let inner = try count(ofCardsIn: cards, depth: depth + 1)
    let (steps, overflowed) = inner.steps.multipliedReportingOverflow(by: try StepCounter.rounds(rounds))
    guard !overflowed, steps - skipped(in: cards) <= SequenceLimits.mostSteps else { throw tooMany(rounds) }
    return Size(steps: steps - skipped(in: cards), cards: inner.cards)
  }

  /// The number of rounds that a node says.
  static func rounds(_ node: YAMLNode) throws(SequenceFileError) -> Int {
    guard case .scalar(let text) = node.content, !text.isEmpty,
      text.utf8.allSatisfy({ (48...57).contains($0) })
    else {
      throw wrong("\(node.kind) is no number of rounds", remedy: "write a whole number from 1", node)
    }
    guard let rounds = Int(text), rounds <= SequenceLimits.mostSteps else {
      throw StepCounter().tooMany(node)
    }
    guard rounds > 0 else { throw wrong("0 rounds are none", remedy: "write a whole number from 1", node) }
    return rounds
  }

  /// How many cards of a list are left out in the last round.
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
