import FoundationEssentials
import NotifierLedger
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequencePlanning
import SequenceRunner

enum NotificationsCommand {
  static let command = Command(
    "notifications", "list or clear notifications", argument: action,
    options: [card, sequence, all, Flag.json],
    discussion: [
      "clear removes pending and visible notifications, and those that follow later. The next command that changes the run plans its notifications again.",
      "A run has at most 64 pending notifications at a time; list shows the next 64 as well, in the state later.",
    ],
    examples: [
      .init("sequence notifications", "list notifications with their states and reasons"),
      .init("sequence notifications clear --all", "remove all pending and visible notifications"),
    ], perform: perform)

  private static let action = Argument<Action>(of: "action", isOptional: true)
  private static let card = Option<UUID>(
    "card", "ID", "only notifications of this card", kind: .activeCard, parse: uuid)
  private static let sequence = Option<UUID>(
    "sequence", "ID", "only notifications of this sequence", kind: .activeSequence, parse: uuid)
  private static let all = Flag("all", "notifications of all sequences")

  private enum Action: String, CaseIterable {
    case list, clear
  }

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let isClearing = try arguments[action] == .clear
    if isClearing, !arguments.has(card), !arguments.has(sequence), !arguments.has(all) {
      throw Failure(
        usage: "clear needs --card, --sequence or --all",
        remedy: "to remove all, run sequence notifications clear --all")
    }
    if arguments.has(all), arguments.has(card) || arguments.has(sequence) {
      throw Failure(usage: "--all cannot be combined with --card or --sequence", remedy: "remove one of them")
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
    let (pending, onScreen) = try store.changeLedger { ledger throws(StoreError) in
      var (pending, onScreen) = (0, 0)
      for scope in scopes {
        let cleared = try ledger.clearPlanned(scope, at: store.clock.now())
        pending += cleared.pending
        onScreen += cleared.onScreen
      }
      return (pending, onScreen)
    }
    client.ensureAgent()
    if arguments.has(.json) {
      try context.print(JSONText.encode(ClearedDocument(pending: pending, onScreen: onScreen)))
    } else {
      let noun = onScreen == 1 ? "notification" : "notifications"
      try context.print("removed \(pending) pending and \(onScreen) visible \(noun)")
    }
    return .done
  }

  private static func list(
    _ scopes: [NotificationScope], _ arguments: ParsedArguments, _ client: Client, _ context: CommandContext
  ) throws -> ExitStatus {
    // Settled first, so that the list is of this moment.
    _ = try client.settle()
    try client.showDue()
    let entries = try client.store.readLedger { ledger throws(StoreError) in
      var entries: [LedgerEntry] = []
      for scope in scopes { entries += try ledger.entries(in: scope) }
      return entries
    }
    let (later, hasMore) = try client.store.laterNotifications(in: scopes, atMost: mostLater)
    if arguments.has(.json) {
      try context.print(JSONText.encode(NotificationsDocument(entries, later: later, hasMore: hasMore)))
    } else if entries.isEmpty, later.isEmpty {
      context.printError("no notifications yet")
    } else {
      for entry in entries { try context.print(line(entry)) }
      for request in later { try context.print(line(request, due: request.due?.wall, "later")) }
      if hasMore { try context.print("more notifications follow") }
    }
    return .done
  }

  /// How many notifications without an entry are listed.
  private static let mostLater = 64

  private static func line(_ entry: LedgerEntry) -> String {
    // The identifier in that reason is for programs.
    let reason =
      entry.reason.map { $0.code == "merged" ? " (merged into a newer one)" : " (\($0.sentence))" } ?? ""
    return line(entry.request, due: entry.due.wall, "\(entry.state.rawValue)\(reason)")
  }

  private static func line(_ request: NotificationRequest, due: Moment?, _ state: String) -> String {
    let time = due.map { LocalTime.text(of: $0) } ?? ""
    return TextSafety.sanitised("\(time)  \(state)  \(request.summary)")
  }

  private static func scopes(_ arguments: ParsedArguments, _ store: OpenRunStore) throws
    -> [NotificationScope]
  {
    let sequence = try arguments[sequence]
    guard let card = try arguments[card] else {
      return [sequence.map(NotificationScope.sequence) ?? .allSequences]
    }
    if let sequence { return [.card(card, ofSequence: sequence)] }
    var sequences = try store.readLedger { ledger throws(StoreError) in try ledger.sequences(withCard: card) }
    // The notifications of a card may be planned later.
    for active in try store.peek().runs.map(\.sequence)
    where active.hasCard(card) && !sequences.contains(active.id) {
      sequences.append(active.id)
    }
    return sequences.map { .card(card, ofSequence: $0) }
  }

  private static func uuid(_ text: String) throws(Failure) -> UUID {
    guard let id = UUID(uuidString: text) else {
      throw Failure(usage: "\(quote(text)) is not a UUID", remedy: "see sequence check FILE --json")
    }
    return id
  }
}

/// The document of `notifications clear --json`.
private struct ClearedDocument: Encodable {
  let schema = JSONText.schema
  let pending: Int
  let onScreen: Int
}
