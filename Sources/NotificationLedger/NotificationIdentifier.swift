package import FoundationEssentials

/// The identifier of a notification: components, the most general one first.
///
/// Related notifications share their first components, so they can be found and removed together.
public struct NotificationIdentifier: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
  /// The components, separated by dots; a dot within a component is `%2E`, a percent sign `%25`, and an empty
  /// component `%`.
  public let rawValue: String

  /// Creates an identifier from one or more components of any text.
  public init(_ first: String, _ others: String...) {
    rawValue = NotificationIdentifier.joined([first] + others)
  }

  /// The components as they were given, without escapes.
  public var components: [String] {
    rawValue.split(separator: ".", omittingEmptySubsequences: false).map {
      NotificationIdentifier.component(escaped: $0)
    }
  }

  /// Returns the identifier with one more component, such as that of a snoozed copy.
  public func appending(_ component: String) -> NotificationIdentifier {
    NotificationIdentifier(components: components + [component])
  }

  /// The identifier of a text; `nil` if it is empty or has an empty component.
  public init?(rawValue: String) {
    guard !rawValue.split(separator: ".", omittingEmptySubsequences: false).contains("") else { return nil }
    self.rawValue = rawValue
  }

  private init(components: [String]) {
    rawValue = NotificationIdentifier.joined(components)
  }

  /// The end of a countdown: `sequence.<uuid>.card.<uuid>[.round.<r>…].countdown`.
  ///
  /// - Parameters:
  ///   - sequence: the id of the sequence.
  ///   - card: the id of the card.
  ///   - rounds: the number of the round in each group around the card, outermost first, from 1.
  package static func countdownEnd(sequence: UUID, card: UUID, rounds: [Int]) -> NotificationIdentifier {
    NotificationIdentifier(components: occurrence(sequence, card, rounds) + ["countdown"])
  }

  /// Reminder `number`, from 1, of a count-up: `sequence.<uuid>.card.<uuid>[.round.<r>…].countup.reminder.<n>`.
  package static func reminder(
    _ number: Int, sequence: UUID, card: UUID, rounds: [Int]
  ) -> NotificationIdentifier {
    NotificationIdentifier(
      components: occurrence(sequence, card, rounds) + ["countup", "reminder", String(number)])
  }

  /// The end of a run: `sequence.<uuid>.finished`.
  package static func finished(sequence: UUID) -> NotificationIdentifier {
    NotificationIdentifier(components: ["sequence", sequence.uuidString, "finished"])
  }

  /// A run that was paused: `sequence.<uuid>.paused`.
  package static func paused(sequence: UUID) -> NotificationIdentifier {
    NotificationIdentifier(components: ["sequence", sequence.uuidString, "paused"])
  }

  /// The identifier itself.
  public var description: String { rawValue }

  private static func occurrence(_ sequence: UUID, _ card: UUID, _ rounds: [Int]) -> [String] {
    let place = ["sequence", sequence.uuidString, "card", card.uuidString]
    return rounds.isEmpty ? place : place + ["round"] + rounds.map(String.init)
  }

  /// The components in one text.
  static func joined(_ components: [String]) -> String {
    components.map(escaped).joined(separator: ".")
  }

  /// A component without dots; an empty one is a lone percent sign, which is not in any other.
  private static func escaped(_ component: String) -> String {
    component.isEmpty ? "%" : component.replacing("%", with: "%25").replacing(".", with: "%2E")
  }

  private static func component(escaped: some StringProtocol) -> String {
    escaped == "%" ? "" : String(escaped).replacing("%2E", with: ".").replacing("%25", with: "%")
  }
}
