import NotificationLedger
import SequenceRunner

extension Courier {
  /// Decides on each entry that is due, and orders what is to be shown.
  func showDue(at reading: Reading) throws -> [DesktopOrder] {
    let isUnavailable =
      if case .unavailable(_, let until, _) = server { until > reading.boot } else { false }
    var orders: [DesktopOrder] = []
    try store.repairing {
      orders = []
      guard try !store.ledger.due(at: reading).isEmpty || store.ledger.hasPendingOfAnotherBoot(than: reading)
      else { return }
      try store.database.transaction {
        let ledger = store.ledger
        try ledger.rebase(to: reading)
        for (_, entries) in Dictionary(grouping: try ledger.due(at: reading), by: \.request.identifier.group)
          .sorted(by: { $0.key < $1.key })
        {
          orders += try show(entries, isUnavailable: isUnavailable, at: reading)
        }
      }
    }
    return orders
  }

  /// Of what is due together in one group, the newest is shown, if it is not too late; the rest is missed.
  private func show(
    _ entries: [LedgerEntry], isUnavailable: Bool, at reading: Reading
  ) throws -> [DesktopOrder] {
    guard let newest = entries.last else { return [] }
    let ledger = store.ledger
    for entry in entries.dropLast() {
      try ledger.miss(entry, at: reading.wall, reason: "merged into \(newest.request.identifier)")
    }
    let late = reading.boot - newest.request.due.boot
    if late > Courier.latestDelivery && (entries.count == 1 || isUnavailable) {
      try ledger.miss(newest, at: reading.wall, reason: lateness(late))
      return []
    }
    guard !isUnavailable else { return [] }

    var content = NotificationContent(newest.request)
    if late > Courier.latestDelivery {
      content = try standing(instead: content, missed: entries.count)
    }
    // At most one of a group is on screen: the older ones go first.
    for entry in try ledger.live() where entry.request.identifier.group == newest.request.identifier.group {
      try ledger.withdraw(entry, at: reading.wall, reason: "a newer one took its place")
    }
    try ledger.present(newest, at: reading.wall)
    return [.show(entry: newest.number, content)]
  }

  private func lateness(_ late: Duration) -> String {
    let seconds = "\(late.components.seconds) s late"
    if case .unavailable(let failure, _, _) = server { return "\(seconds): \(failure.text)" }
    return seconds
  }

  /// What is said after an absence in which several notifications ran out: where the run stands now.
  private func standing(instead content: NotificationContent, missed: Int) throws -> NotificationContent {
    guard let run = try store.database.settledRun(at: store.clock.now()) else { return content }
    let step = run.timeline.step(at: run.log.count)
    return NotificationContent(
      kind: content.kind, summary: "Now: \(step.card.title)",
      body: "\(missed) notifications ran out meanwhile · step \(step.index + 1) of \(run.timeline.count)")
  }
}

extension NotificationContent {
  /// What a request wants to be shown.
  init(_ request: NotificationRequest) {
    self.init(kind: request.kind, summary: request.summary, body: request.body)
  }
}
