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
      """
      The list shows what happened, the newest last, and the next pending notification. With --all it shows \
      the other pending ones and the cancelled ones, too. A run has at most 64 pending notifications at a \
      time; --all shows the next 64 as well, in the state later.
      """,
    ],
    examples: [
      .init("sequence notifications", "show what happened to notifications, and why"),
      .init("sequence notifications --all", "list the pending and cancelled ones, too"),
      .init("sequence notifications clear --all", "remove all pending and visible notifications"),
    ], perform: perform)

  private static let action = Argument<Action>(of: LocalizedText("action"), isOptional: true)
  private static let card = Option<UUID>(
    "card", "ID", "only notifications of this card", kind: .activeCard, parse: uuid)
  private static let sequence = Option<UUID>(
    "sequence", "ID", "only notifications of this sequence", kind: .activeSequence, parse: uuid)
  private static let all = Flag("all", "list or clear all notifications")

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
    if isClearing, arguments.has(all), arguments.has(card) || arguments.has(sequence) {
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
      try context.print(
        plural(
          "removed {pending} pending and 1 visible notification",
          "removed {pending} pending and {} visible notifications", count: onScreen,
          ["pending": String(pending)]))
    }
    return .done
  }

  private static func list(
    _ scopes: [NotificationScope], _ arguments: ParsedArguments, _ client: Client, _ context: CommandContext
  ) throws -> ExitStatus {
    // Settled first, so that the list is of this moment.
    _ = try client.settle()
    try client.showDue()
    let (entries, desktop) = try client.store.readLedger { ledger throws(StoreError) in
      var entries: [LedgerEntry] = []
      for scope in scopes { entries += try ledger.entries(in: scope) }
      return (entries, try ledger.desktop())
    }
    let (later, hasMore) = try client.store.laterNotifications(in: scopes, atMost: mostLater)
    if arguments.has(.json) {
      try context.print(JSONText.encode(NotificationsDocument(entries, later: later, hasMore: hasMore)))
    } else if entries.isEmpty, later.isEmpty {
      context.printError(translated("no notifications yet"))
    } else {
      let reading = client.store.clock.now()
      let sorted = entries.sorted { $0.due.wall < $1.due.wall }
      let next = sorted.first { isPending($0, after: reading) }
      let shown =
        arguments.has(all) ? sorted : sorted.filter { $0.id == next?.id || hasHappened($0, at: reading) }
      for entry in shown { try context.print(line(entry, at: reading, desktop)) }
      if arguments.has(all) {
        for request in later { try context.print(line(request, due: request.due?.wall, translated("later"))) }
        if hasMore { try context.print(translated("more notifications follow")) }
      } else if entries.count > shown.count || !later.isEmpty {
        let pending = entries.count { isPending($0, after: reading) && $0.id != next?.id }
        let cancelled = entries.count { $0.state == .cancelled }
        let hidden = [
          pending > 0 ? translated("{} pending", String(pending)) : nil,
          later.isEmpty
            ? nil
            : hasMore
              ? translated("{} or more later", String(later.count))
              : translated("{} later", String(later.count)),
          cancelled > 0 ? translated("{} cancelled", String(cancelled)) : nil,
        ]
        try context.print(
          translated(
            "not listed: {counts}; to list them, run {command}",
            [
              "counts": hidden.compactMap { $0 }.joined(separator: ", "),
              "command": "sequence notifications --all",
            ]))
      }
    }
    return .done
  }

  private static let mostLater = 64

  private static func line(
    _ entry: LedgerEntry, at reading: ClockReading, _ desktop: DesktopState
  ) -> String {
    var reason = entry.reason.map {
      // The identifier in that reason is for programs.
      $0.code == "merged" ? LocalizedText("merged into a newer one") : $0.sentence
    }
    if reason == nil, entry.state == .pending, hasHappened(entry, at: reading),
      case .unavailable(let failure) = desktop
    {
      reason = failure.sentence
    }
    let state = word(entry.state) + (reason.map { " (\($0.translation))" } ?? "")
    return line(entry.request, due: entry.due.wall, state)
  }

  private static func word(_ state: LedgerEntry.State) -> String {
    switch state {
    case .pending: translated("pending")
    case .presenting: translated("presenting")
    case .delivered: translated("delivered")
    case .removed: translated("removed")
    case .missed: translated("missed")
    case .suppressed: translated("suppressed")
    case .failed: translated("failed")
    case .cancelled: translated("cancelled")
    @unknown default: state.rawValue
    }
  }

  private static func line(_ request: NotificationRequest, due: Moment?, _ state: String) -> String {
    let time = due.map { LocalTime.text(of: $0) } ?? ""
    // Its titles are isolated, and nothing follows it in the line.
    return "\(time)  \(state)  " + TextSafety.sanitised(request.summary, keeping: .directions)
  }

  private static func scopes(_ arguments: ParsedArguments, _ store: RunStore) throws
    -> [NotificationScope]
  {
    let sequence = try arguments[sequence]
    guard let card = try arguments[card] else {
      return [sequence.map(NotificationScope.sequence) ?? .allSequences]
    }
    if let sequence { return [.card(card, ofSequence: sequence)] }
    var sequences = try store.readLedger { ledger throws(StoreError) in
      try NotificationScope.sequences(withCard: card, in: ledger)
    }
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

  private static func isPending(_ entry: LedgerEntry, after reading: ClockReading) -> Bool {
    entry.state == .pending && entry.due.elapsed(since: reading) > .zero
  }

  private static func hasHappened(_ entry: LedgerEntry, at reading: ClockReading) -> Bool {
    entry.state != .cancelled && !isPending(entry, after: reading)
  }
}

private struct ClearedDocument: Encodable {
  let schema = JSONText.schema
  let pending: Int
  let onScreen: Int
}
