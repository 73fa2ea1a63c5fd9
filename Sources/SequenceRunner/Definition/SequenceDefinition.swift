public import FoundationEssentials

/// What the user defines: a title and an ordered list of cards and groups.
public struct SequenceDefinition: Hashable, Sendable, Encodable {
  /// Names the sequence in notification identifiers; the same from run to run.
  public let id: UUID
  /// What is shown; never empty.
  public let title: String
  /// The cards and groups in the order in which they run; never empty.
  public let elements: [SequenceElement]
  /// What becomes of a run while the machine is away; `nil` where the sequence leaves that open.
  public internal(set) var onSuspend: SuspendPolicy?

  /// A sequence of elements, with all its properties: a copy that leaves one out does not compile.
  ///
  /// Nothing is checked here: `Timeline` refuses what cannot run.
  public init(id: UUID, title: String, elements: [SequenceElement], onSuspend: SuspendPolicy?) {
    self.id = id
    self.title = title
    self.elements = elements
    self.onSuspend = onSuspend
  }

  /// The keys in stored snapshots.
  private enum CodingKeys: String, CodingKey {
    case id, title, elements
    case onSuspend = "away"
  }
}

/// How large a sequence may be.
public enum SequenceLimits {
  /// The longest duration of a card: 30 days.
  public static let longestDuration = Duration.seconds(30 * 86_400)
  /// The longest that all countdowns of a sequence may take together: 36,500 days.
  public static let longestTotal = Duration.seconds(36_500 * 86_400)
  /// How deep groups may nest.
  public static let deepestNesting = 16
  /// How many steps a sequence may have.
  public static let mostSteps = 100_000
  /// How many characters a title or a note may have.
  public static let longestTitle = 1000
  /// How many bytes a sequence file may have: 1 MiB.
  public static let largestFile = 1 << 20
  /// How many reminders a goal may have.
  public static let mostReminders = 100
}
