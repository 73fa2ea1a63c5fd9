import NotifierLedger
import SequencePlatform

extension Courier {
  package func receive(_ event: DesktopEvent, at turn: Turn) throws {
    guard isOwed(event) else { return }
    let reading = turn.reading
    switch event {
    case .serverAvailable(let found):
      try forget(because: .otherServer, at: turn) { $0.shown?.epoch != found.epoch }
      if lostBusAt != nil {
        // The server outlived the connection, on which buttons were reported.
        try store.changeLedger { ledger throws(StoreError) in
          try replace(ledger.liveNewestFirst(), because: .reconnected, in: ledger, at: turn)
        }
        lostBusAt = nil
      }
      (server, lastPause) = (.available(found.epoch), .zero)
      try report(
        .available(server: "\(found.name) \(found.version)", capabilities: found.capabilities), at: reading)
    case .serverStartable:
      try forget(because: .noServer, at: turn)
      (server, lostBusAt) = (.startable, nil)
    case .serverUnavailable(let failure):
      if failure == .noServer { try forget(because: failure, at: turn) }
      if failure == .noScreen { startedServerAt = nil }
      try becomeUnavailable(failure, at: reading)
    // A courier probes; only who examines looks.
    case .examined: break
    case .serverChanged:
      (server, lastPause) = (.unknown, .zero)
      try report(.unknown, at: reading)
    case .serverGone:
      try forget(because: .noServer, at: turn)
      // It is not probed at once: if something is due, a server that the user has just ended would be started.
      try becomeUnavailable(.noServer, at: reading)
    case .sessionChanged:
      // Once for all programs of a new session.
      if case .unavailable(.noScreen, let until) = server {
        server = .unavailable(.noScreen, until: min(until, reading.boot + Courier.firstPause))
      }
    case .busClosed:
      lostBusAt = reading.boot
      try becomeUnavailable(.noBus(reason: "it went away"), at: reading)
    case .shown(let number, let shown):
      try record(number) { ledger, entry throws(StoreError) in
        try ledger.deliver(entry, as: shown, at: reading.wall)
        try planner?.planMore(in: ledger, at: reading)
      }
      doubted.remove(number)
    case .notShown(let number, let failure): try recordNotShown(number, failure, at: reading)
    case .closed(let number):
      try record(number) { ledger, entry throws(StoreError) in
        try ledger.remove(entry, at: reading.wall, reason: entry.withdrawal ?? .closed)
      }
    case .goneWithServer(let number):
      try record(number) { ledger, entry throws(StoreError) in
        try ledger.remove(entry, at: reading.wall, reason: DesktopFailure.otherServer.reason)
      }
    case .notClosed(let number, let failure): try recordNotClosed(number, failure, at: reading)
    case .closedByServer(let shown, let reason):
      if let entry = try delivered(shown) { try recordClosing(entry, reason, at: reading) }
    case .actionInvoked(let shown, let key, let token):
      try performAction(key, of: shown, token: token, at: reading)
    }
    // Only now: an event that could not be recorded is handled again.
    finish(event)
  }

  private func recordNotShown(_ number: Int64, _ failure: DesktopFailure, at reading: ClockReading) throws {
    if failure != .unknownOutcome { doubted.remove(number) }
    switch failure {
    case .noBus, .noServer, .noScreen, .notStarted, .notAnswering:
      try record(number) { ledger, entry throws(StoreError) in
        try ledger.postpone(entry, at: reading.wall, reason: failure.reason)
      }
      try becomeUnavailable(failure, at: reading)
    case .otherServer:
      try record(number) { ledger, entry throws(StoreError) in
        try ledger.postpone(entry, at: reading.wall, reason: failure.reason)
      }
      // Without a server, the one that the user has just ended would be started.
      if case .unavailable = server {} else { server = .unknown }
    case .unknownOutcome:
      // The answer may still come; until then nothing of it is repeated.
      try record(number) { ledger, entry throws(StoreError) in
        try ledger.recordUnanswered(entry, at: reading.wall, reason: failure.reason)
      }
      doubted.insert(number)
      try becomeUnavailable(.notAnswering, at: reading)
    case .calledOff:
      try record(number) { ledger, entry throws(StoreError) in try ledger.callOff(entry, at: reading.wall) }
    case .refused:
      try record(number) { ledger, entry throws(StoreError) in
        // A number of its own would show it next to the older one.
        if entry.withdrawal == nil { try ledger.replaceOlder(than: entry, at: reading.wall) }
        guard failure.isExcess || entry.refusals + 1 < Courier.mostAttempts else {
          return try ledger.fail(entry, at: reading.wall, reason: failure.reason)
        }
        if failure.isForWantOfRoom { try makeRoom(ledger, at: reading) }
        try ledger.postpone(
          entry, refusedUntil: reading.boot + Courier.pause(after: entry.refusals), at: reading.wall,
          reason: failure.reason)
      }
    }
  }

  private func makeRoom(_ ledger: Ledger, at reading: ClockReading) throws(StoreError) {
    let others = try ledger.live().filter { $0.state == .delivered && $0.withdrawal == nil }
    if let oldest = others.min(by: { ($0.delivered ?? reading.wall) < ($1.delivered ?? reading.wall) }) {
      try ledger.withdraw(oldest, at: reading.wall, reason: .madeRoom)
    }
  }

  private func recordNotClosed(_ number: Int64, _ failure: DesktopFailure, at reading: ClockReading) throws {
    switch failure {
    case .noServer, .otherServer:
      try record(number) { ledger, entry throws(StoreError) in
        try ledger.remove(entry, at: reading.wall, reason: failure.reason)
      }
    case .noBus, .noScreen, .notStarted, .notAnswering, .unknownOutcome, .calledOff:
      // Closing twice is harmless, whatever the outcome of the first attempt.
      try becomeUnavailable(failure == .unknownOutcome ? .notAnswering : failure, at: reading)
    case .refused:
      try record(number) { ledger, entry throws(StoreError) in
        guard entry.refusals + 1 < Courier.mostAttempts else {
          return try ledger.fail(entry, at: reading.wall, reason: .notRemoved(because: failure.reason))
        }
        try ledger.delayRemoval(entry, until: reading.boot + Courier.pause(after: entry.refusals))
      }
    }
  }

  private static func pause(after attempts: Int) -> Duration {
    min(.seconds(1 << min(attempts, 10)), longestPause)
  }

  private static let firstPause = Duration.seconds(1)

  /// How long a server is left alone at first and at most.
  private static func pauses(after failure: DesktopFailure) -> ClosedRange<Duration> {
    switch failure {
    // No signal reports that a bus was started.
    case .noBus: firstPause...longestPause
    // systemd refuses a sixth start within 10 s, also to other programs.
    case .notStarted: .seconds(10)...longestOutage
    // No signal reports a session whose programs take no name in `org`.
    case .noScreen: firstPause...Duration.seconds(60)
    default: firstPause...longestOutage
    }
  }

  private static let longestOutage = Duration.seconds(600)

  /// Waits longer before each attempt to show; a signal of a server ends the waiting.
  func becomeUnavailable(_ failure: DesktopFailure, at reading: ClockReading) throws {
    let pauses = Courier.pauses(after: failure)
    lastPause = min(max(lastPause * 2, pauses.lowerBound), pauses.upperBound)
    (server, lastAttempt) = (.unavailable(failure, until: reading.boot + lastPause), reading.boot)
    try report(.unavailable(reason: failure.reason), at: reading)
  }

  /// Records that entries are no longer on screen, because their server is gone; entries that are still news are shown
  /// again by the next server.
  private func forget(
    because failure: DesktopFailure, at turn: Turn,
    where isGone: (LedgerEntry) -> Bool = { _ in true }
  ) throws {
    let reading = turn.reading
    func gone(_ ledger: Ledger) throws(StoreError) -> [LedgerEntry] {
      try ledger.liveNewestFirst().filter(isGone)
    }
    guard try !store.readLedger(gone).isEmpty else { return }
    try store.changeLedger { ledger throws(StoreError) in
      // Once more: a command that came meanwhile has withdrawn outdated entries.
      for entry in try gone(ledger) {
        switch entry.state {
        case .presenting:
          doubted.remove(entry.number)
          try ledger.postpone(entry, at: reading.wall, reason: failure.reason)
        default:
          if entry.withdrawal == nil, try isWorthRepeating(entry, in: ledger, at: turn) {
            try ledger.showAgain(entry, at: reading, reason: failure.reason)
          }
          try ledger.remove(entry, at: reading.wall, reason: entry.withdrawal ?? failure.reason)
        }
      }
    }
  }

  private func recordClosing(_ entry: LedgerEntry, _ reason: CloseReason, at reading: ClockReading) throws {
    try store.changeLedger { ledger throws(StoreError) in
      // A call closes what its repetition replaces; anything else means that the user is done with both.
      let wasToReturn =
        if reason == .closedByCall { false } else {
          try ledger.cancelRepetition(of: entry, at: reading.wall, reason: reason.reason)
        }
      let isNews = wasToReturn || entry.withdrawal == nil
      try ledger.remove(
        entry, at: reading.wall, reason: isNews ? reason.reason : entry.withdrawal ?? reason.reason)
      guard isNews, reason == .dismissed else { return }
      try responder.wasDismissed(entry, in: ledger, at: reading)
      try keep(.dismissed, of: entry, token: nil, in: ledger, at: reading)
    }
  }

  private func performAction(
    _ key: String, of shown: ShownNotification, token: String?, at reading: ClockReading
  ) throws {
    // Some servers report a click for a notification without that action; they report its end as well.
    func action(_ entry: LedgerEntry) -> NotificationAction? {
      entry.request.actions.first { $0.key == key }
    }
    guard let entry = try delivered(shown, where: { action($0) != nil }), let action = action(entry)
    else { return }
    if let withdrawal = entry.withdrawal,
      try !store.readLedger({ ledger throws(StoreError) in try ledger.hasRepetition(of: entry) })
    {
      // The second click of a double click.
      guard withdrawal != .pressed(action.title) else { return }
      let late = NotificationReason.pressedLate(action.title, after: withdrawal)
      return try store.changeLedger { ledger throws(StoreError) in
        try ledger.explain(entry, at: reading.wall, withdrawal: late)
      }
    }
    try store.changeLedger { ledger throws(StoreError) in
      // Another process may have kept the store for seconds, and changed the run of the button.
      let said = try responder.respond(to: action, of: entry, in: ledger, at: store.clock.now())
      if !entry.request.style.isResident { try ledger.explain(entry, at: reading.wall, withdrawal: said) }
      _ = try ledger.cancelRepetition(of: entry, at: reading.wall, reason: said)
      try keep(.action(key: key), of: entry, token: token, in: ledger, at: reading)
    }
  }

  private func keep(
    _ choice: NotificationResponse.Choice, of entry: LedgerEntry, token: String?, in ledger: Ledger,
    at reading: ClockReading
  ) throws(StoreError) {
    try ledger.keep(choice, of: entry)
    guard responder.readsResponses else { return }
    _ = try ledger.record(choice, to: entry, activationToken: token, at: reading)
  }

  /// The entry that an event of the server is about.
  ///
  /// If a courier ended while a newer notification was to take the place of an older one, which of them is on screen is
  /// not known. The one that the server confirmed is preferred, because the newer one is shown again.
  private func delivered(
    _ shown: ShownNotification, where isPossible: (LedgerEntry) -> Bool = { _ in true }
  ) throws -> LedgerEntry? {
    let entries = try store.readLedger { ledger throws(StoreError) in try ledger.live() }.filter {
      $0.state == .delivered && $0.shown == shown && isPossible($0)
    }
    return entries.last { $0.delivered != nil } ?? entries.last
  }

  private func record(_ number: Int64, _ change: (Ledger, LedgerEntry) throws(StoreError) -> Void) throws {
    try store.changeLedger { ledger throws(StoreError) in
      // A store that replaced a damaged one does not have the entry.
      guard let entry = try ledger.entry(number) else { return }
      try change(ledger, entry)
    }
  }
}
