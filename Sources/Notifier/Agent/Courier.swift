import NotificationLedger
package import SequenceRunner

/// Decides what is shown and what is taken away, and records what became of it.
///
/// It reads the store and the clocks, and answers with orders; it never waits for the desktop. What it knows
/// beyond the store is lost with it without harm.
package final class Courier {
  /// How late a notification may be shown; one that is later would only startle.
  package static let latestDelivery = Duration.seconds(30)

  let store: RunStore
  var server = Server.unknown
  /// The entries that the desktop was asked about and has not answered.
  var inFlight: Set<Int64> = []

  private let process: Int32
  private let startedAt: Moment
  private var reported: AgentReport.Desktop?

  /// What is known of the notification server.
  enum Server: Equatable {
    /// It may be there: it is asked when there is something to show.
    case unknown
    /// It answered last time.
    case available(ServerEpoch)
    /// It did not; nothing is shown until this time on the boot clock, or until another one comes.
    case unavailable(DesktopFailure, until: Duration, pause: Duration)
  }

  /// A courier for a store that no other agent serves.
  package init(store: RunStore, process: Int32) {
    self.store = store
    self.process = process
    startedAt = store.clock.now().wall
  }

  /// Takes over what a courier before this one left, however that ended.
  package func takeOver() throws -> [DesktopOrder] {
    let reading = store.clock.now()
    try store.changeLedger { ledger in
      for entry in try ledger.live() {
        if entry.state == .presenting {
          // Whether the one before got to show it is not known: rather twice than never.
          try ledger.postpone(entry, at: reading.wall, reason: "the agent ended while it was shown")
        } else {
          try ledger.withdraw(entry, at: reading.wall, reason: "the agent that showed it ended")
        }
      }
      try ledger.prune()
    }
    try report(.unknown, at: reading)
    return [.probe]
  }

  /// Brings the desktop in step with the ledger: what is due is shown, what is not wanted is taken away.
  ///
  /// - Returns: what to ask of the desktop, in this order. If it throws, nothing was ordered.
  package func advance() throws -> [DesktopOrder] {
    let shows = try showDue(at: store.clock.now())
    do {
      let orders = try store.repairing { try withdrawals() } + shows
      inFlight.formUnion(orders.compactMap(\.entry))
      return orders
    } catch  where !shows.isEmpty {
      // What is recorded as being shown has to be; what is to be taken away is found again the next time.
      inFlight.formUnion(shows.compactMap(\.entry))
      return shows
    }
  }

  /// When to look again, on the boot clock, if nothing happens before.
  ///
  /// A run that is over goes into the history on the way, and one of another boot is anchored.
  package func nextWake() throws -> Duration? {
    let look = try store.look()
    let ledger = store.ledger
    var wakes = [try ledger.nextDue(after: look.reading)]
    if case .unavailable(_, let until, _) = server {
      for entry in try ledger.due(at: look.reading) {
        wakes.append(entry.request.due.boot + Courier.latestDelivery + .milliseconds(1))
        if until > look.reading.boot { wakes.append(until) }
      }
    }
    return wakes.compactMap { $0 }.min()
  }

  /// Whether there is nothing left to wait for.
  package func isAtRest() throws -> Bool {
    try inFlight.isEmpty && store.ledger.isAtRest()
  }

  /// Tells what is known of the desktop to whoever reads the store; only what is new is written.
  func report(_ desktop: AgentReport.Desktop, at reading: Reading) throws {
    guard desktop != reported else { return }
    try store.changeLedger { ledger in
      try ledger.store(
        AgentReport(process: process, startedAt: startedAt, desktop: desktop, updatedAt: reading.wall))
    }
    reported = desktop
  }

  /// Orders to take away what is not wanted any more and is not being dealt with yet.
  private func withdrawals() throws -> [DesktopOrder] {
    try store.ledger.live().compactMap { entry in
      guard entry.state == .delivered, entry.withdrawal != nil, let shown = entry.shown,
        !inFlight.contains(entry.number)
      else { return nil }
      return .close(entry: entry.number, shown)
    }
  }
}

extension RunStore {
  /// Changes the ledger in one transaction.
  func changeLedger(_ body: (Ledger) throws -> Void) throws {
    try repairing { try database.transaction { try body(ledger) } }
  }
}
