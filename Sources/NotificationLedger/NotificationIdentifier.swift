public import FoundationEssentials

/// The identifier of a notification: components separated by dots, the most general one first.
///
/// Related notifications share their first components, so they can be found and removed together.
public struct NotificationIdentifier: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  /// The components with their dots.
  public let rawValue: String

  /// The identifier of a text; `nil` if it is empty or has an empty component.
  public init?(rawValue: String) {
    guard !rawValue.split(separator: ".", omittingEmptySubsequences: false).contains("") else { return nil }
    self.rawValue = rawValue
  }

  private init(components: [String]) {
    rawValue = components.joined(separator: ".")
  }

  /// The end of a countdown: `sequence.<uuid>.card.<uuid>[.round.<r>…].countdown`.
  ///
  /// - Parameters:
  ///   - sequence: the id of the sequence.
  ///   - card: the id of the card.
  ///   - rounds: the number of the round in each group around the card, outermost first, from 1.
  public static func countdownEnd(sequence: UUID, card: UUID, rounds: [Int]) -> NotificationIdentifier {
    NotificationIdentifier(components: occurrence(sequence, card, rounds) + ["countdown"])
  }

  /// Reminder `number`, from 1, of a count-up: `sequence.<uuid>.card.<uuid>[.round.<r>…].countup.reminder.<n>`.
  public static func reminder(
    _ number: Int, sequence: UUID, card: UUID, rounds: [Int]
  ) -> NotificationIdentifier {
    NotificationIdentifier(
      components: occurrence(sequence, card, rounds) + ["countup", "reminder", String(number)])
  }

  /// The end of a run: `sequence.<uuid>.finished`.
  public static func finished(sequence: UUID) -> NotificationIdentifier {
    NotificationIdentifier(components: ["sequence", sequence.uuidString, "finished"])
  }

  /// A run that was paused: `sequence.<uuid>.paused`.
  public static func paused(sequence: UUID) -> NotificationIdentifier {
    NotificationIdentifier(components: ["sequence", sequence.uuidString, "paused"])
  }

  /// The identifier itself.
  public var description: String { rawValue }

  private static func occurrence(_ sequence: UUID, _ card: UUID, _ rounds: [Int]) -> [String] {
    let place = ["sequence", sequence.uuidString, "card", card.uuidString]
    return rounds.isEmpty ? place : place + ["round"] + rounds.map(String.init)
  }
}
