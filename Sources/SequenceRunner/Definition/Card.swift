public import FoundationEssentials

/// One thing to do: a title and a timing.
public struct Card: Hashable, Sendable, Encodable {
  /// Names the card in notification identifiers; the same from run to run.
  public let id: UUID
  /// What is shown; never empty.
  public let title: String
  /// What to keep in mind while doing it.
  public let note: String?
  /// How long it lasts, or how it ends.
  public let timing: Timing
  /// Whether the card is left out in the last round of its group, as a rest after the last effort is.
  public let skipsLastRound: Bool

  /// A card with all its properties.
  public init(
    id: UUID, title: String, note: String? = nil, timing: Timing, skipsLastRound: Bool = false
  ) {
    self.id = id
    self.title = title
    self.note = note
    self.timing = timing
    self.skipsLastRound = skipsLastRound
  }
}

/// Cards, or groups of them, that are repeated a number of rounds.
public struct Group: Hashable, Sendable, Encodable {
  /// How often the elements are gone through; at least 1.
  public let rounds: Int
  /// What one round consists of; never empty.
  public let elements: [SequenceElement]

  /// A group of elements and how often they are repeated.
  public init(rounds: Int, elements: [SequenceElement]) {
    self.rounds = rounds
    self.elements = elements
  }
}

/// A card, or a group of cards.
public enum SequenceElement: Hashable, Sendable, Encodable {
  /// One card, gone through once.
  case card(Card)
  /// Cards that are repeated.
  case group(Group)
}
