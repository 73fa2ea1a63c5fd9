import NotifierLedger
import SequencePlatform
import SequenceStore

extension Courier {
  /// Decides on due notifications, tag by tag, until one has to be shown.
  func show(on epoch: ServerEpoch, at turn: Turn) throws -> DesktopOrder? {
    let reading = turn.reading
    try rebase(to: reading)
    while let tag = try store.readLedger({ ledger throws(StoreError) in try ledger.nextDueTag(at: reading) })
    {
      if let order = try show(in: tag, on: epoch, at: turn) { return order }
    }
    return nil
  }

  /// Has the next notification prepared, if it is due within moments, will be shown, and is the only one of its tag
  /// then.
  ///
  /// A notification that will not be shown is decided on at its time; it may be cancelled until then.
  func prepare(on epoch: ServerEpoch, at turn: Turn) throws -> DesktopOrder? {
    let reading = turn.reading
    guard
      let next = try store.readLedger({ ledger throws(StoreError) in try ledger.nextFixed(after: reading) })
    else { return nil }
    let left = next.due.boot - reading.boot
    guard left <= preparation,
      case .show(let request) = try turn.presenter.presentation(of: next, lateness: .zero)
    else { return nil }
    let due = reading.advanced(by: left)
    // After a clock was set back, a notification whose time is still to come may stand for others.
    let content = content(
      of: next, request, after: next.unlisted, isLate: false, by: turn.presenter, at: due)
    return try store.changeLedger { ledger throws(StoreError) in
      guard try ledger.due(in: next.request.place, at: due) == [next] else { return nil }
      return try present(next, content, on: epoch, in: ledger, at: due)
    }
  }

  /// - Parameter request: its own request, or one with another text.
  private func content(
    of entry: LedgerEntry, _ request: NotificationRequest, after earlier: Int, isLate: Bool,
    by presenter: any NotificationPresenter, at reading: ClockReading
  ) -> NotificationContent {
    var content = NotificationContent(entry, request, style: presenter.style(of: request))
    guard isLate || earlier > 0 || entry.repetition == .shown else { return content }
    (content.summary, content.body) = presenter.lateText(
      for: entry, text: (content.summary, content.body), after: earlier, isLate: isLate, at: reading)
    return content
  }

  private func show(in tag: String, on epoch: ServerEpoch, at turn: Turn) throws -> DesktopOrder? {
    let reading = turn.reading
    func findDue() throws -> [LedgerEntry] {
      try store.readLedger { ledger throws(StoreError) in try ledger.due(in: tag, at: reading) }
    }
    var due = try findDue()
    // Only then their order is known.
    if try catchUp(due, at: reading) { due = try findDue() }
    let candidate = due.last
    // The application is asked outside of the transaction, because it may take long.
    let presentation = try candidate.map {
      try turn.presenter.presentation(of: $0, lateness: lateness(of: $0, at: reading))
    }
    return try store.changeLedger { ledger throws(StoreError) in
      let entries = try ledger.due(in: tag, at: reading)
      guard let newest = entries.last, let presentation, newest == candidate else {
        // Entries that were planned again meanwhile are read again. Both queries use an index of their own.
        if entries.isEmpty, try ledger.nextDueTag(at: reading) == tag {
          throw .damaged(path: ledger.database.path, reason: "a notification is missing in an index")
        }
        return nil
      }
      return try show(newest, of: entries, presentation, on: epoch, in: ledger, at: turn)
    }
  }

  /// How long ago a due entry was due; zero if it is shown again, because it was shown in time.
  private func lateness(of entry: LedgerEntry, at reading: ClockReading) -> Duration {
    entry.repetition == .shown ? .zero : reading.boot - entry.due.boot
  }

  /// Shows the newest of the due entries of a tag, if it is in time or still true; the others are missed.
  private func show(
    _ newest: LedgerEntry, of entries: [LedgerEntry], _ presentation: Presentation, on epoch: ServerEpoch,
    in ledger: Ledger, at turn: Turn
  ) throws(StoreError) -> DesktopOrder? {
    let (reading, presenter) = (turn.reading, turn.presenter)
    if newest.repetition != .shown, newest.request.trigger.followsWallClock, reading.wall < newest.due.wall {
      // The wall clock was slowed down meanwhile, which the kernel does not report.
      try ledger.followWallClock(at: reading)
      return nil
    }
    var merged = 0
    for entry in entries.dropLast() {
      // An earlier occurrence that is shown again takes the place of none that is too late itself.
      let late = lateness(of: entry, at: reading)
      let isTooLate =
        newest.repetition == .shown && entry.request.trigger.repeats
        && late > latestDelivery(of: entry)
      let reason: NotificationReason =
        isTooLate ? .late(late, because: entry.reason) : .merged(into: newest.request.identifier)
      try miss(entry, because: reason, in: ledger, at: reading)
      merged += entry.unlisted + (presenter.isCounted(entry) ? 1 : 0)
    }
    // The next attempt to show it counts them too.
    if merged > 0 { try ledger.count(merged, before: newest) }
    guard newest.notBefore <= reading.boot else { return nil }
    let request: NotificationRequest
    switch presentation {
    case .show(let shown): request = shown
    case .suppress(let reason):
      try ledger.suppress(newest, at: reading.wall, reason: reason)
      try planNext(of: newest, in: ledger, at: reading)
      try withdrawOutdated(in: newest.request.place, ledger, at: turn)
      return nil
    }
    let late = lateness(of: newest, at: reading)
    let isLate = late > latestDelivery(of: newest)
    if isLate, !presenter.isShownLate(newest) {
      try miss(newest, because: .late(late, because: newest.reason), in: ledger, at: reading)
      try withdrawOutdated(in: newest.request.place, ledger, at: turn)
      return nil
    }
    let content = content(
      of: newest, request, after: newest.unlisted + merged, isLate: isLate, by: presenter, at: reading)
    return try present(newest, content, on: epoch, in: ledger, at: reading)
  }

  private func present(
    _ newest: LedgerEntry, _ prepared: NotificationContent, on epoch: ServerEpoch, in ledger: Ledger,
    at reading: ClockReading
  ) throws(StoreError) -> DesktopOrder {
    var content = prepared
    content.latest = max(reading.boot, content.due) + Lateness.showing
    // At most one of a tag is on screen: the newer one takes the number of the older one, which is there, and can be
    // answered by the user, until then.
    let older = try ledger.live().filter { $0.request.place == newest.request.place }
    let known = newest.refusals == 0 ? older.last { $0.shown?.epoch == epoch }?.shown : nil
    for entry in older where entry.state == .presenting || entry.shown != known {
      try ledger.withdraw(entry, at: reading.wall, reason: .replaced)
    }
    if older.contains(where: { $0.shown == known && $0.delivered != nil }) { content.tag = nil }
    let shown = known ?? ShownNotification(id: Courier.freshNumber(), epoch: epoch)
    try ledger.present(newest, as: shown, at: reading.wall)
    try planNext(of: newest, in: ledger, at: reading)
    return .show(entry: newest.number, content, as: shown)
  }

  private func withdrawOutdated(in tag: String, _ ledger: Ledger, at turn: Turn) throws(StoreError) {
    for entry in try ledger.live() where entry.state == .delivered && entry.request.place == tag {
      guard !turn.presenter.isStillNews(entry) else { continue }
      try ledger.withdraw(entry, at: turn.reading.wall, reason: .outdated)
    }
  }

  /// A number that no server comes to by counting, and that libnotify can say: it takes no larger ones.
  package static func freshNumber() -> UInt32 { .random(in: 1 << 30..<1 << 31) }

  /// Misses notifications that are too late, and no longer true, while no server can show them.
  ///
  /// The entries of a tag wait as long as the newest one waits, because it will stand for all.
  func missTooLate(because failure: DesktopFailure, at turn: Turn) throws {
    let reading = turn.reading
    try rebase(to: reading)
    func findLate() throws -> [[LedgerEntry]] {
      try store.readLedger { ledger throws(StoreError) in
        var late: [[LedgerEntry]] = []
        for entries in Dictionary(grouping: try ledger.due(at: reading), by: \.request.place).values {
          guard let newest = entries.last, newest.repetition != .shown,
            entries.allSatisfy({ lastMoment(of: $0) < reading.boot })
          else { continue }
          if !turn.presenter.isShownLate(newest) { late.append(entries) }
        }
        return late
      }
    }
    var late = try findLate()
    if try catchUp(Array(late.joined()), at: reading) { late = try findLate() }
    guard !late.isEmpty else { return }
    try store.changeLedger { ledger throws(StoreError) in
      for entry in late.joined() {
        let reason = NotificationReason.late(
          reading.boot - entry.due.boot, because: failure.reason)
        try miss(entry, because: reason, in: ledger, at: reading)
      }
      for tag in Set(late.joined().map(\.request.place)) {
        try withdrawOutdated(in: tag, ledger, at: turn)
      }
    }
  }

  private func rebase(to reading: ClockReading) throws {
    guard
      try store.readLedger({ ledger throws(StoreError) in try ledger.hasPendingOfAnotherBoot(than: reading) })
    else { return }
    try store.changeLedger { ledger throws(StoreError) in try ledger.rebase(to: reading) }
  }
}

extension NotificationContent {
  /// - Parameter request: the request that is shown in place of its own.
  init(_ entry: LedgerEntry, _ request: NotificationRequest, style: NotificationStyle) {
    self.init(
      identifier: request.identifier, due: entry.due.boot, summary: request.summary, body: request.body,
      actions: request.actions, tag: entry.request.place, style: style, isSilent: entry.repetition == .shown)
  }
}
