package import FoundationEssentials
public import NotifierLedger
public import SequencePlatform
package import SequenceRunner
package import SequenceStore

extension NotificationScope {
  package static let allSequences = NotificationScope(prefix: "sequence")

  package static func sequence(_ id: UUID) -> NotificationScope {
    NotificationScope(prefix: "sequence.\(id.text)")
  }

  /// The reminders of an occurrence of a card that insists.
  static func insistence(sequence: UUID, card: UUID, rounds: [Int]) -> NotificationScope {
    NotificationScope(
      NotificationIdentifier(
        components: NotificationIdentifier.occurrence(sequence, card, rounds)
          + NotificationIdentifier.insistence))
  }

  /// The notifications of one card of a sequence, in every round.
  package static func card(_ id: UUID, ofSequence sequence: UUID) -> NotificationScope {
    NotificationScope(prefix: "sequence.\(sequence.text).card.\(id.text)")
  }

  /// The sequences that have a notification of a card.
  ///
  /// - Complexity: O(sequences with notifications · log entries).
  package static func sequences(withCard card: UUID, in ledger: Ledger) throws(StoreError) -> [UUID] {
    var sequences: [UUID] = []
    var start = allSequences.bounds.first
    let end = allSequences.bounds.end
    while let identifier = try firstIdentifier(in: ledger, from: start, before: end) {
      let bytes = identifier.utf8.dropFirst("sequence.".utf8.count).prefix { $0 != UInt8(ascii: ".") }
      let component = String(decoding: bytes, as: UTF8.self)
      if let sequence = UUID(uuidString: component) {
        let bounds = self.card(card, ofSequence: sequence).bounds
        if try firstIdentifier(in: ledger, from: bounds.first, before: bounds.end) != nil {
          sequences.append(sequence)
        }
      }
      start = NotificationScope(prefix: "sequence.\(component)").bounds.end
    }
    return sequences
  }

  private static func firstIdentifier(
    in ledger: Ledger, from first: String, before end: String
  ) throws(StoreError) -> String? {
    try ledger.database.rows(
      "SELECT identifier FROM notification WHERE identifier >= ? AND identifier < ? ORDER BY identifier LIMIT 1",
      .text(first), .text(end)
    ) { $0.text(0) }.first
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
  /// - Parameter rounds: the number of the round in each group around the card, outermost first, from 1.
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
    NotificationIdentifier(components: ["sequence", sequence.text, "finished"])
  }

  /// A start by a schedule: `sequence.<uuid>.started`.
  package static func started(sequence: UUID) -> NotificationIdentifier {
    NotificationIdentifier(components: ["sequence", sequence.text, "started"])
  }

  /// A run that was paused: `sequence.<uuid>.paused`.
  package static func paused(sequence: UUID) -> NotificationIdentifier {
    NotificationIdentifier(components: ["sequence", sequence.text, "paused"])
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
    let place = ["sequence", sequence.text, "card", card.text]
    return rounds.isEmpty ? place : place + ["round"] + rounds.map(String.init)
  }
}

/// Returns the event that a notification of a run is about; `nil` for a notification of a program.
package func event(of request: NotificationRequest) -> RunEvent.Name? {
  request.kind.flatMap(RunEvent.Name.init)
}

extension NotificationReason {
  /// A live display or a window of the run had the keyboard focus.
  package static let foreground = NotificationReason("foreground")

  /// The reason as a part of a sentence, with the reasons of runs.
  public var sentence: LocalizedText { sentence(with: NotificationReason.sentenceOfRuns) }

  /// The codes that runs add; a dictionary of them would cost more than printing them.
  private static func sentenceOfRuns(_ code: String) -> LocalizedText? {
    switch code {
    case "foreground": "a display of the run had the keyboard focus"
    case "run-started": "the sequence was started again"
    case "run-paused": "the run was paused"
    case "run-resumed": "the run was resumed"
    case "run-toggled": "the run was paused or resumed"
    case "run-stopped": "the run was stopped"
    case "run-over": "the run had ended"
    case "run-deleted": "the run was deleted from the history"
    case "step-completed": "the step was completed"
    case "step-skipped": "the step was skipped"
    case "step-back": "the previous step was restarted"
    case "step-restarted": "the step was restarted"
    case "step-extended": "the step was extended"
    case "screen-locked": "the screen was locked"
    case "machine-asleep": "the computer was suspended"
    case "machine-off": "the computer was switched off"
    case "machine-back": "the computer resumed from suspend"
    case "machine-restarted": "the computer was restarted"
    case "store-damaged": "the store was damaged"
    case "button-unknown": "the button is unknown"
    case "step-was-over": "the step had ended"
    case "it-was-so-already": "the run was in that state already"
    case "start-failed": "the sequence could not be started"
    case "start-too-late": "its time was over"
    case "step-cannot-be-longer": "the step cannot be extended"
    default: nil
    }
  }
}
