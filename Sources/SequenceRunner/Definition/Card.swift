public import FoundationEssentials
import SequencePlatform

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
  /// Whether the card is a rest, in which the user needs to know the next effort.
  public let isRest: Bool
  /// The sound at the start of the card, if a program plays sounds: a name of the sound theme or the absolute path of a
  /// file; empty for none, and `nil` for the usual one.
  public let sound: String?
  /// The absolute path of a picture of the card, which notifications about it show; `nil` for none.
  public let image: String?
  /// The interval of the reminders while a countdown waits for the user after its time; `nil` for none.
  ///
  /// There are at most `SequenceLimits.mostInsistence` of them. Only a countdown that waits can have one.
  public let insist: Duration?

  /// Creates a card with all its properties.
  ///
  /// - Parameters:
  ///   - id: the identity of the card in notification identifiers.
  ///   - title: the text that is shown; never empty.
  ///   - note: advice for the person who does the card; `nil` without a note.
  ///   - timing: the duration of the card, or the way it ends.
  ///   - skipsLastRound: whether the last round of the group leaves the card out.
  ///   - isRest: whether the card is a rest; by default one that the last round leaves out is, and one whose title has
  ///     the English word *rest*, *break*, *pause*, *recover*, *recovery* or *breathe*.
  ///   - sound: the sound at the start of the card; empty for none, and `nil` for the usual one.
  ///   - image: the absolute path of a picture of the card; `nil` for none.
  ///   - insist: the interval of the reminders while a countdown waits for the user; `nil` for none.
  public init(
    id: UUID, title: String, note: String? = nil, timing: Timing, skipsLastRound: Bool = false,
    isRest: Bool? = nil, sound: String? = nil, image: String? = nil, insist: Duration? = nil
  ) {
    self.id = id
    self.title = title
    self.note = note
    self.timing = timing
    self.skipsLastRound = skipsLastRound
    self.isRest = isRest ?? (skipsLastRound || Card.hasRestWord(title))
    self.sound = sound
    self.image = image
    self.insist = insist
  }

  var isUsable: Bool {
    guard let insist else { return timing.isUsable }
    guard case .countdown(_, .manual) = timing else { return false }
    return timing.isUsable && insist >= SequenceLimits.shortestInsistence
      && insist <= SequenceLimits.longestDuration
  }

  private enum CodingKeys: String, CodingKey {
    case id, title, note, timing, skipsLastRound, isRest, sound, image, insist
  }

  /// Encodes the interval as whole nanoseconds, so that it is decoded exactly.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(title, forKey: .title)
    try container.encodeIfPresent(note, forKey: .note)
    try container.encode(timing, forKey: .timing)
    try container.encode(skipsLastRound, forKey: .skipsLastRound)
    try container.encode(isRest, forKey: .isRest)
    try container.encodeIfPresent(sound, forKey: .sound)
    try container.encodeIfPresent(image, forKey: .image)
    try container.encodeIfPresent(insist?.nanoseconds, forKey: .insist)
  }

  private static func hasRestWord(_ title: String) -> Bool {
    title.lowercased().split { !$0.isLetter }.contains { restWords.contains(String($0)) }
  }

  private static let restWords: Set = ["rest", "break", "pause", "recover", "recovery", "breathe"]
}

/// Cards or groups that are repeated for a number of rounds.
public struct Group: Hashable, Sendable, Encodable {
  /// How often the elements are repeated.
  public let rounds: Rounds
  /// The cards and groups of one round; never empty.
  public let elements: [SequenceElement]

  /// Creates a group of elements that are repeated.
  public init(rounds: Rounds, elements: [SequenceElement]) {
    self.rounds = rounds
    self.elements = elements
  }
}

/// How often the elements of a group are repeated.
public enum Rounds: Hashable, Sendable {
  /// A number of rounds; at least 1.
  case times(Int)
  /// Until the user stops the run; only for a group that is the last element of a sequence.
  case forever
}

extension Rounds: ExpressibleByIntegerLiteral {
  /// Creates a number of rounds.
  public init(integerLiteral value: Int) { self = .times(value) }
}

extension Rounds: Encodable {
  /// The value that stands for endless rounds in files, options and stored snapshots.
  package static let foreverText = "forever"

  package var text: String {
    switch self {
    case .times(let count): String(count)
    case .forever: Rounds.foreverText
    }
  }

  /// Encodes a number, or the text `forever`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .times(let count): try container.encode(count)
    case .forever: try container.encode(Rounds.foreverText)
    }
  }
}

/// A card, or a group of cards.
public enum SequenceElement: Hashable, Sendable, Encodable {
  /// A card that runs once.
  case card(Card)
  /// Elements that are repeated.
  case group(Group)

  var skipsLastRound: Bool {
    if case .card(let card) = self { card.skipsLastRound } else { false }
  }
}
