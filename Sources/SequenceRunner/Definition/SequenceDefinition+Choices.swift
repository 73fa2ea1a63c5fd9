package import FoundationEssentials
import SequencePlatform

/// Choices for one start of a sequence.
///
/// They keep the ids of its cards, and so the identifiers of notifications.
extension SequenceDefinition {
  /// Returns the sequence with another number of rounds for its top-level group.
  ///
  /// A sequence without groups is repeated as a whole. Groups within the top-level group keep their rounds.
  package func with(rounds: Rounds) throws(SequenceChoiceError) -> SequenceDefinition {
    let groups = elements.compactMap(\.group)
    guard groups.count <= 1 else { throw .severalGroups(rounds: groups.map(\.rounds)) }
    guard !groups.isEmpty else {
      return rounds == .times(1) ? self : with([.group(Group(rounds: rounds, elements: elements))])
    }
    return with(
      elements.map { $0.group.map { .group(Group(rounds: rounds, elements: $0.elements)) } ?? $0 })
  }

  /// Whether the rounds that can be chosen can also be endless.
  package var canRepeatForever: Bool {
    elements.count { $0.group != nil } == (elements.last?.group == nil ? 0 : 1)
  }

  /// Leaves out groups that become empty, too.
  ///
  /// - Parameter names: titles or ids of cards; a title stands for every card that has it.
  package func without(_ names: [String]) throws(SequenceChoiceError) -> SequenceDefinition {
    let cards = elements.flatMap(\.cards)
    for name in names where !cards.contains(where: { $0.isMeant(by: name) }) {
      throw .noSuchCard(name, sequence: title, cards: cards.map(\.title))
    }
    let ids = names.compactMap { UUID(uuidString: $0) }
    let (titles, leftOut) = (Set(names), Set(ids))
    let rest = elements.compactMap { $0.keeping { !titles.contains($0.title) && !leftOut.contains($0.id) } }
    guard !rest.isEmpty else { throw .nothingLeft(sequence: title) }
    return with(rest)
  }

  /// Returns the sequence with another length of some cards, in each of their rounds.
  ///
  /// - Parameter lengths: titles of cards, and the durations of their countdowns or goals; a title stands for every card
  ///   that has it, in any letter case.
  /// - Returns: the sequence, and what is known now of cards that wait for the user.
  package func setting(
    _ lengths: [(title: String, length: Duration)]
  ) throws(SequenceChoiceError) -> (sequence: SequenceDefinition, estimates: [UUID: Estimate]) {
    let cards = elements.flatMap(\.cards)
    var known: [String: Duration] = [:]
    for (title, length) in lengths {
      let key = SequenceDefinition.key(title)
      let meant = cards.filter { SequenceDefinition.key($0.title) == key }
      guard let first = meant.first else {
        throw .noSuchCard(title, sequence: self.title, cards: cards.map(\.title))
      }
      guard meant.allSatisfy({ $0.timing.target != nil }) else { throw .noLength(card: first.title) }
      guard known.updateValue(length, forKey: key) == nil else {
        throw .setTwice(card: first.title)
      }
    }
    var estimates: [UUID: Estimate] = [:]
    let changed = elements.map { element in
      element.changing { card in
        guard let length = known[SequenceDefinition.key(card.title)] else { return card }
        if !card.timing.endsByItself { estimates[card.id] = .chosen }
        return card.lasting(length)
      }
    }
    return (with(changed), estimates)
  }

  /// A title without what people don't type.
  private static func key(_ title: String) -> String { trimmed(title.lowercased()) }

  private func with(_ elements: [SequenceElement]) -> SequenceDefinition {
    var copy = self
    copy.elements = elements
    return copy
  }
}

extension Card {
  package func isMeant(by name: String) -> Bool { title == name || id == UUID(uuidString: name) }

  /// Returns the card with another duration of its countdown, or another goal, in each round.
  fileprivate func lasting(_ length: Duration) -> Card {
    let timing: Timing =
      switch timing {
      case .countdown(_, let advance): .countdown(length, advance: advance)
      case .countUp(let goal):
        .countUp(goal: goal.map { Goal(duration: length, reminders: $0.reminders, cadence: $0.cadence) })
      }
    // A length by hand is not changed by a deadline.
    return Card(
      id: id, title: title, note: note, timing: timing, skipsLastRound: skipsLastRound, isRest: isRest,
      sound: sound, image: image, insist: insist)
  }
}

extension SequenceDefinition {
  package func hasCard(_ id: UUID) -> Bool { elements.contains { $0.cards.contains { $0.id == id } } }
}

extension SequenceElement {
  fileprivate var group: Group? {
    switch self {
    case .card: nil
    case .group(let group): group
    }
  }

  package var cards: [Card] {
    switch self {
    case .card(let card): [card]
    case .group(let group): group.elements.flatMap(\.cards)
    }
  }

  fileprivate func changing(_ change: (Card) -> Card) -> SequenceElement {
    switch self {
    case .card(let card): .card(change(card))
    case .group(let group):
      .group(Group(rounds: group.rounds, elements: group.elements.map { $0.changing(change) }))
    }
  }

  fileprivate func keeping(_ isKept: (Card) -> Bool) -> SequenceElement? {
    switch self {
    case .card(let card): return isKept(card) ? self : nil
    case .group(let group):
      let elements = group.elements.compactMap { $0.keeping(isKept) }
      return elements.isEmpty ? nil : .group(Group(rounds: group.rounds, elements: elements))
    }
  }
}

package enum SequenceChoiceError: ExplainedError, Equatable, Sendable {
  /// A number of rounds was given, but several top-level groups could take it; these are their rounds.
  case severalGroups(rounds: [Rounds])
  case noSuchCard(String, sequence: String, cards: [String])
  case nothingLeft(sequence: String)
  /// A length was given for a count-up without a goal.
  case noLength(card: String)
  /// Two lengths were given for the cards with one title.
  case setTwice(card: String)

  private static let mostTitles = 20

  package var problem: Problem {
    switch self {
    case .severalGroups(let rounds):
      let numbers = rounds.map(\.text).joined(separator: ", ")
      return Problem(
        "--rounds needs a sequence with one top-level group, but this one has \(rounds.count) (rounds: \(numbers))",
        remedy: "change the rounds in the file")
    case .noSuchCard(let name, let sequence, let cards):
      var known: Set<String> = []
      let titles = cards.filter { known.insert($0).inserted }
      let near = NearNames.of(name, among: titles)
      guard near.isEmpty else {
        return Problem(
          "no card named \(quoted(name)) in \(quoted(sequence))",
          remedy: "did you mean \(alternatives(near.map(quoted)))?")
      }
      let listed = titles.prefix(SequenceChoiceError.mostTitles).map(quoted).joined(separator: ", ")
      let more = titles.count - SequenceChoiceError.mostTitles
      return Problem(
        "no card named \(quoted(name)) in \(quoted(sequence))",
        remedy: more > 0
          ? LocalizedText("use \(listed) or one of \(more) more") : LocalizedText("use \(listed)"))
    case .noLength(let card):
      return Problem(
        "\(quoted(card)) has no length to set, because it runs until you complete it",
        remedy: "give it a goal in the file")
    case .setTwice(let card):
      return Problem("--set has two lengths for \(quoted(card))", remedy: "remove one of them")
    case .nothingLeft(let sequence):
      return Problem("no card of \(quoted(sequence)) would be left", remedy: "leave out fewer cards")
    }
  }
}
