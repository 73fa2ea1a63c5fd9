import NotificationLedger
import SequenceRunner

extension Courier {
  /// Decides on what is due, slot by slot, until something is to be shown.
  func show(on epoch: ServerEpoch, at reading: Reading) throws -> DesktopOrder? {
    try rebase(to: reading)
    while let slot = try store.repairing({ try store.ledger.nextDueSlot(at: reading) }) {
      let candidate = try store.repairing { try store.ledger.due(in: slot, at: reading).last }
      // The application is asked outside of the transaction, for as long as it takes.
      let presentation = try candidate.map { try application.presentation(of: $0) }
      let order: DesktopOrder? = try store.changeLedger { ledger in
        let entries = try ledger.due(in: slot, at: reading)
        // What was planned anew meanwhile is looked at anew.
        guard let newest = entries.last, let presentation, newest == candidate else { return nil }
        return try show(newest, of: entries, presentation, on: epoch, at: reading)
      }
      if let order { return order }
    }
    return nil
  }

  /// Of what is due together in one slot, the newest is shown, if it is not too late; the rest is missed.
  private func show(
    _ newest: LedgerEntry, of entries: [LedgerEntry], _ presentation: NotificationPresentation,
    on epoch: ServerEpoch, at reading: Reading
  ) throws -> DesktopOrder? {
    let ledger = store.ledger
    for entry in entries.dropLast() {
      try ledger.miss(entry, at: reading.wall, reason: "merged into \(newest.request.identifier)")
    }
    guard try ledger.isReady(newest, at: reading) else { return nil }
    if case .suppress(let reason) = presentation {
      try ledger.suppress(newest, at: reading.wall, reason: reason)
      return nil
    }
    let late = reading.boot - newest.request.due.boot
    var content = NotificationContent(newest.request, style: application.style(of: newest.request.kind))
    if late > application.latestDelivery {
      guard entries.count > 1 else {
        try ledger.miss(newest, at: reading.wall, reason: Courier.lateness(late, newest.reason))
        return nil
      }
      if let words = try application.words(for: newest, after: entries.count, at: reading) {
        (content.summary, content.body) = words
      }
    }
    // At most one of a slot is on screen: the newer one takes the number of the older one.
    let older = try ledger.live().filter { $0.request.slot == newest.request.slot }
    for entry in older { try ledger.withdraw(entry, at: reading.wall, reason: Ledger.replacedReason) }
    let known = newest.attempts == 0 ? older.last { $0.shown?.epoch == epoch } : nil
    if known?.deliveredAt != nil { content.tag = nil }
    let shown = known?.shown ?? ShownNotification(id: Courier.freshNumber(), epoch: epoch)
    try ledger.present(newest, as: shown, at: reading.wall)
    return .show(entry: newest.number, content, as: shown)
  }

  /// A number that no server comes to by counting, and that libnotify can say: it takes no larger ones.
  static func freshNumber() -> UInt32 { .random(in: 1 << 30..<1 << 31) }

  /// Gives up what is too late, while there is nobody who could show it.
  func missTooLate(because failure: DesktopFailure, at reading: Reading) throws {
    try rebase(to: reading)
    let late = try store.repairing { try store.ledger.due(at: reading) }
      .filter { reading.boot - $0.request.due.boot > application.latestDelivery }
    guard !late.isEmpty else { return }
    try store.changeLedger { ledger in
      for entry in late {
        let reason = Courier.lateness(reading.boot - entry.request.due.boot, failure.text)
        try ledger.miss(entry, at: reading.wall, reason: reason)
      }
    }
  }

  private func rebase(to reading: Reading) throws {
    guard try store.repairing({ try store.ledger.hasPendingOfAnotherBoot(than: reading) }) else { return }
    try store.changeLedger { try $0.rebase(to: reading) }
  }

  private static func lateness(_ late: Duration, _ cause: String?) -> String {
    "\(late.components.seconds) s late" + (cause.map { ": \($0)" } ?? "")
  }
}

extension NotificationContent {
  /// What a request wants to be shown.
  init(_ request: NotificationRequest, style: NotificationStyle) {
    self.init(
      summary: request.summary, body: request.body, actions: request.actions, tag: request.slot, style: style
    )
  }
}
