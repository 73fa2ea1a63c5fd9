package import FoundationEssentials
package import NotifierLedger
import SequencePlatform
package import SequenceStore

extension NotificationScope {
  /// Those of every sequence.
  package static let allSequences = NotificationScope(prefix: "sequence")

  /// Those of one sequence.
  package static func sequence(_ id: UUID) -> NotificationScope {
    NotificationScope(prefix: "sequence.\(id.uuidString)")
  }

  /// The reminders of an occurrence of a card that insists.
  static func insistence(sequence: UUID, card: UUID, rounds: [Int]) -> NotificationScope {
    NotificationScope(
      NotificationIdentifier(
        components: NotificationIdentifier.occurrence(sequence, card, rounds)
          + NotificationIdentifier.insistence))
  }

  /// Those of one card of a sequence, in every round.
  package static func card(_ id: UUID, ofSequence sequence: UUID) -> NotificationScope {
    NotificationScope(prefix: "sequence.\(sequence.uuidString).card.\(id.uuidString)")
  }
}

extension NotificationIdentifier {
  /// The id of its sequence; `nil` if it is of none.
  var sequence: UUID? {
    let components = rawValue.split(separator: ".")
    return components.first == "sequence" && components.count > 1
      ? UUID(uuidString: String(components[1])) : nil
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

  /// Reminder `number`, from 1, of a countdown that insists: `sequence.<uuid>.card.<uuid>[.round.<r>…].countdown.reminder.<n>`.
  static func insistence(
    _ number: Int, sequence: UUID, card: UUID, rounds: [Int]
  ) -> NotificationIdentifier {
    NotificationIdentifier(
      components: occurrence(sequence, card, rounds) + insistence + [String(number)])
  }

  fileprivate static let insistence = ["countdown", "reminder"]

  fileprivate static func occurrence(_ sequence: UUID, _ card: UUID, _ rounds: [Int]) -> [String] {
    let place = ["sequence", sequence.uuidString, "card", card.uuidString]
    return rounds.isEmpty ? place : place + ["round"] + rounds.map(String.init)
  }
}

extension Ledger {
  /// The sequences that have a notification of a card.
  ///
  /// - Complexity: O(sequences with notifications · log entries).
  package func sequences(withCard card: UUID) throws(StoreError) -> [UUID] {
    var sequences: [UUID] = []
    var start = NotificationScope.allSequences.bounds.first
    let end = NotificationScope.allSequences.bounds.end
    while let identifier = try firstIdentifier(from: start, before: end) {
      let bytes = identifier.utf8.dropFirst("sequence.".utf8.count).prefix { $0 != UInt8(ascii: ".") }
      let component = String(decoding: bytes, as: UTF8.self)
      if let sequence = UUID(uuidString: component) {
        let bounds = NotificationScope.card(card, ofSequence: sequence).bounds
        if try firstIdentifier(from: bounds.first, before: bounds.end) != nil { sequences.append(sequence) }
      }
      start = NotificationScope(prefix: "sequence.\(component)").bounds.end
    }
    return sequences
  }

  private func firstIdentifier(from first: String, before end: String) throws(StoreError) -> String? {
    try database.rows(
      "SELECT identifier FROM notification WHERE identifier >= ? AND identifier < ? ORDER BY identifier LIMIT 1",
      .text(first), .text(end)
    ) { $0.text(0) }.first
  }
}
