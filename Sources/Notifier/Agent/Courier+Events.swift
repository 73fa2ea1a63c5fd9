import NotificationLedger
import SequenceRunner

extension Courier {
  /// Records what the desktop said, and answers with what to ask of it next.
  package func handle(_ event: DesktopEvent) throws -> [DesktopOrder] {
    let reading = store.clock.now()
    switch event {
    case .serverAvailable(let found):
      server = .available(found.epoch)
      try forget(at: reading) { $0.shown?.epoch != found.epoch }
      try report(.available(server: "\(found.name) \(found.version)"), at: reading)
    case .serverUnavailable(let failure):
      try becomeUnavailable(failure, at: reading)
    case .serverChanged:
      server = .unknown
      return [.probe]
    case .shown(let number, let shown):
      try record(number) { try $0.deliver($1, as: shown, at: reading.wall) }
    case .notShown(let number, let failure):
      try handleNotShown(number, failure, at: reading)
    case .closed(let number):
      try record(number) { try $0.remove($1, at: reading.wall, reason: $1.withdrawal ?? "it was closed") }
    case .goneWithServer(let number):
      try record(number) { try $0.remove($1, at: reading.wall, reason: Courier.goneReason) }
    case .notClosed(let number, let failure):
      // Where there is no server, nothing of it is on screen.
      if case .noServer = failure {
        try record(number) { try $0.remove($1, at: reading.wall, reason: Courier.goneReason) }
      } else {
        let reason = "it could not be taken away: \(failure.text)"
        try record(number) { try $0.fail($1, at: reading.wall, reason: reason) }
      }
    case .closedByServer(let shown, let reason):
      try handleClosedByServer(shown, reason, at: reading)
    }
    return []
  }

  private static var goneReason: String { "the notification server went away" }

  private func handleNotShown(_ number: Int64, _ failure: DesktopFailure, at reading: Reading) throws {
    switch failure {
    case .noBus, .noServer, .notAnswering:
      try record(number) { try $0.postpone($1, at: reading.wall, reason: failure.text) }
      try becomeUnavailable(failure, at: reading)
    case .refused, .unknownOutcome:
      try record(number) { try $0.fail($1, at: reading.wall, reason: failure.text) }
    }
  }

  /// Waits with showing, longer each time; a server that appears ends the waiting.
  private func becomeUnavailable(_ failure: DesktopFailure, at reading: Reading) throws {
    var pause = Duration.seconds(1)
    if case .unavailable(_, _, let last) = server { pause = min(last * 2, Courier.latestDelivery) }
    server = .unavailable(failure, until: reading.boot + pause, pause: pause)
    if case .noServer = failure { try forget(at: reading) { _ in true } }
    try report(.unavailable(reason: failure.text), at: reading)
  }

  /// Records that entries are not on screen any more, since their server is not.
  private func forget(at reading: Reading, where isGone: (LedgerEntry) -> Bool) throws {
    let gone = try store.ledger.live().filter { $0.state == .delivered && isGone($0) }
    guard !gone.isEmpty else { return }
    try store.changeLedger { ledger in
      for entry in gone { try ledger.remove(entry, at: reading.wall, reason: Courier.goneReason) }
    }
  }

  private func handleClosedByServer(
    _ shown: ShownNotification, _ reason: CloseReason, at reading: Reading
  ) throws {
    guard let entry = try store.ledger.live().first(where: { $0.shown == shown }) else { return }
    try store.changeLedger {
      try $0.remove(entry, at: reading.wall, reason: entry.withdrawal ?? reason.text)
    }
  }

  /// Records the answer to an order.
  private func record(_ number: Int64, _ change: (Ledger, LedgerEntry) throws -> Void) throws {
    inFlight.remove(number)
    try store.changeLedger { ledger in
      // A store that had to be replaced meanwhile does not know the entry any more.
      guard let entry = try ledger.entry(number) else { return }
      try change(ledger, entry)
    }
  }
}
