public import FoundationEssentials

/// One thing to do: a title and a timing.
public struct Card: Hashable, Sendable, Encodable {
  /// The identity of the card in notification identifiers; the same in every run.
  public let id: UUID
  /// The text that is shown; never empty.
  public let title: String
  /// Advice for the person who does the card; `nil` without a note.
  public let note: String?
  /// The duration of the card, or the way it ends.
  public let timing: Timing
  /// Whether the last round of the group leaves the card out, such as the rest after the last effort.
  public let skipsLastRound: Bool

  /// Creates a card with all its properties.
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

/// Cards or groups that are repeated for a number of rounds.
public struct Group: Hashable, Sendable, Encodable {
  /// The number of rounds; at least 1.
  public let rounds: Int
  /// The cards and groups of one round; never empty.
  public let elements: [SequenceElement]

  /// Creates a group of elements that are repeated `rounds` times.
  public init(rounds: Int, elements: [SequenceElement]) {
    self.rounds = rounds
    self.elements = elements
  }
}

/// A card, or a group of cards.
public enum SequenceElement: Hashable, Sendable, Encodable {
  /// A card that runs once.
  case card(Card)
  /// Elements that are repeated.
  case group(Group)
}
