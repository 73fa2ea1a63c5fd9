import FoundationEssentials
import NotificationLedger
import Platform
import SequenceClient
import SequencePlanning
import SequenceRunner

/// `notifications`: what is to come, on screen and over; and taking away.
enum NotificationsCommand {
  static let command = Command(
    "notifications", "list notifications, or take them away", argument: action,
    options: [card, sequence, all, Flag.json],
    discussion: [
      "clear removes what is to come and what is on screen. A command that changes the run plans what is to come anew."
    ], perform: perform)

  private static let action = Argument<Action>(isOptional: true)
  private static let card = Option<UUID>(
    "card", "ID", "those of one card", kind: .activeCard, parse: uuid)
  private static let sequence = Option<UUID>(
    "sequence", "ID", "those of one sequence", kind: .activeSequence, parse: uuid)
  private static let all = Flag("all", "those of every sequence")

  private enum Action: String, CaseIterable {
    case list, clear
  }

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let isClearing = try arguments[action] == .clear
    if isClearing, !arguments.has(card), !arguments.has(sequence), !arguments.has(all) {
      throw UsageError("clear needs --card, --sequence or --all", remedy: "say what to take away")
    }
    if arguments.has(all), arguments.has(card) || arguments.has(sequence) {
      throw UsageError("--all is more than --card or --sequence", remedy: "leave one of them out")
    }
    let client = try context.client(arguments)
    let scopes = try scopes(arguments, client.store)
    return isClearing
      ? try clear(scopes, arguments, client, context) : try list(scopes, arguments, client, context)
  }

  private static func clear(
    _ scopes: [NotificationScope], _ arguments: ParsedArguments, _ client: Client, _ context: CommandContext
  ) throws -> ExitStatus {
    let store = client.store
    let (pending, onScreen) = try store.changeLedger { ledger in
      var (pending, onScreen) = (0, 0)
      for scope in scopes {
        let cleared = try ledger.clear(scope, at: store.clock.now(), reason: .cleared)
        pending += cleared.pending
        onScreen += cleared.onScreen
      }
      return (pending, onScreen)
    }
    client.ensureAgent()
    if arguments.has(.json) {
      try context.print(JSONText.encode(ClearedDocument(pending: pending, onScreen: onScreen)))
    } else {
      try context.print("removed \(pending) to come and \(onScreen) on screen")
    }
    return .done
  }

  private static func list(
    _ scopes: [NotificationScope], _ arguments: ParsedArguments, _ client: Client, _ context: CommandContext
  ) throws -> ExitStatus {
    // The changes by time are written first, so that the list is of this moment.
    _ = try client.settle()
    let entries = try client.store.readLedger { ledger in try scopes.flatMap(ledger.entries) }
    if arguments.has(.json) {
      try context.print(JSONText.encode(NotificationsDocument(entries)))
    } else {
      for entry in entries { try context.print(line(entry)) }
    }
    return .done
  }

  private static func line(_ entry: LedgerEntry) -> String {
    let reason = entry.reason.map { " (\($0))" } ?? ""
    return TextSafety.sanitised(
      "\(entry.request.due.wall)  \(entry.state.rawValue)\(reason)  \(entry.request.summary)")
  }

  private static func scopes(_ arguments: ParsedArguments, _ store: RunStore) throws -> [NotificationScope] {
    let sequence = try arguments[sequence]
    guard let card = try arguments[card] else {
      return [sequence.map(NotificationScope.sequence) ?? .allSequences]
    }
    if let sequence { return [.card(card, ofSequence: sequence)] }
    let sequences = try store.readLedger { try $0.sequences(withCard: card.uuidString) }
    return sequences.compactMap { UUID(uuidString: $0) }.map { .card(card, ofSequence: $0) }
  }

  private static func uuid(_ text: String) throws(UsageError) -> UUID {
    guard let id = UUID(uuidString: text) else {
      throw UsageError("\(quote(text)) is no id", remedy: "sequence check FILE --json shows them")
    }
    return id
  }
}

/// What `notifications clear --json` prints.
private struct ClearedDocument: Encodable {
  let schema = JSONText.schema
  let pending: Int
  let onScreen: Int
}
