import NotifierLedger
import SequencePlatform
import SequenceStore

/// Decides which notifications are shown and removed, and records the outcomes.
///
/// It reads the store and the clocks, and returns orders one at a time: each decision is made when the desktop is ready
/// for it. It never waits for the desktop. Its own state can be lost without harm.
package final class Courier {
  let store: OpenStore
  let responder: any NotificationResponder
  let planner: (any NotificationPlanner)?
  let calendar: (any PatternCalendar)?
  private let latestDelivery: Duration
  var server = Server.unknown

  private let process: Int32
  let startedAt: ClockReading
  private var reported: DesktopState?
  /// The time of the last decision; later due times are still to be decided.
  private var decidedAt: ClockReading
  private var inFlight: DesktopOrder? {
    didSet { probedAt = inFlight == .probe || inFlight == .startServer ? decidedAt.boot : nil }
  }
  private var probedAt: Duration?
  private var calledOff: Int64?
  /// How often something was recorded since the ledger was last pruned.
  ///
  /// The first turn prunes, and no sooner: an entry may be the only proof of how long the machine was on in its last
  /// boot, which the application needs when it continues there.
  private var unpruned = Courier.pruneInterval
  /// The entries with an unknown outcome that may still be shown.
  var doubted: Set<Int64> = []
  /// When a server was last ordered to start, on the boot clock; `nil` if there was no screen for one.
  var startedServerAt: Duration?
  /// When the bus went away, on the boot clock, until a server is found again.
  var lostBusAt: Duration?

  enum Server: Equatable {
    /// It may be there: it is asked when there is something to show.
    case unknown
    /// None is there; the bus starts one when a notification is due.
    case startable
    /// It answered last time.
    case available(ServerEpoch)
    /// It did not answer; it is not asked before this time on the boot clock, or until it sends a signal.
    case unavailable(DesktopFailure, until: Duration)
  }

  /// How long a server was left alone that could not be used; zero once one answers, or takes the name.
  var lastPause = Duration.zero
  /// When that was found out, on the boot clock.
  var lastAttempt = Duration.zero

  /// How long a notification that the server refused is left alone at most, and a server that could not be used when
  /// another notification is due.
  static let longestPause = Duration.seconds(10)
  static let mostAttempts = 4
  /// How long the answer to a probe may take: longer than that of any bus that answers at all.
  package static let longestProbe = Duration.seconds(10)
  /// How long a bus that went away is looked for, though nothing is due.
  private static let longestBusOutage = Duration.seconds(30)
  /// How long before its time a notification is prepared, because writing and ordering it take time.
  package let preparation: Duration
  /// How often something is recorded before the ledger is pruned.
  package static let pruneInterval = 100

  /// Whether it waits for a server as long as something due is still true, because nobody starts the next courier.
  private let waitsForServer: Bool

  /// Creates a courier for a store that no other agent serves.
  ///
  /// - Parameters:
  ///   - planner: plans notifications as time passes; `nil` if all of them have entries.
  ///   - calendar: the calendar of patterns; `nil` if nothing repeats by one.
  ///   - latestDelivery: how late a notification without a limit of its own may be shown; a later one is missed, unless
  ///     it is still true.
  package init(
    store: OpenStore, responder: any NotificationResponder, planner: (any NotificationPlanner)? = nil,
    calendar: (any PatternCalendar)? = nil, latestDelivery: Duration, process: Int32,
    preparation: Duration = .milliseconds(50), waitsForServer: Bool = false
  ) {
    self.store = store
    self.responder = responder
    self.planner = planner
    self.calendar = calendar
    self.latestDelivery = latestDelivery
    self.process = process
    self.preparation = preparation
    self.waitsForServer = waitsForServer
    startedAt = store.clock.now()
    decidedAt = startedAt
  }

  /// Takes over the notifications of an earlier courier.
  ///
  /// They belong to a closed connection, so their buttons have no receiver. A notification that is still news is shown
  /// again; the others are removed.
  package func takeOver(at turn: Turn) throws {
    let reading = turn.reading
    try store.changeLedger { ledger throws(StoreError) in
      try ledger.rebase(to: reading)
      try replace(
        ledger.liveNewestFirst(), because: .programEnded, in: ledger, at: turn)
      // The clock or the time zone may have been set while no courier was running.
      try limitIntervals(in: ledger, at: reading)
      try followWallClock(in: ledger, at: reading)
    }
    try report(.unknown, at: reading)
  }

  /// Updates the entries that follow the wall clock or the calendar, after the clock or the time zone was set.
  package func clockWasSet(at reading: ClockReading) throws {
    try store.changeLedger { ledger throws(StoreError) in try followWallClock(in: ledger, at: reading) }
  }

  /// Requests the removal of entries that another connection showed; those that are still news are shown again.
  func replace(
    _ entries: [LedgerEntry], because reason: NotificationReason, in ledger: Ledger, at turn: Turn
  ) throws(StoreError) {
    let reading = turn.reading
    for entry in entries {
      if entry.state == .presenting {
        // Whether it was shown is not known: rather twice than never.
        try ledger.showAgain(entry, at: reading, reason: reason)
        try ledger.assumeShown(entry, at: reading.wall)
      } else if try isWorthRepeating(entry, in: ledger, at: turn) {
        try ledger.showAgain(entry, at: reading, reason: reason)
      }
      try ledger.withdraw(entry, at: reading.wall, reason: reason)
    }
  }

  /// Whether an entry still applies, and no newer one of its tag is about to be shown.
  ///
  /// Otherwise the repeated entry would be the newest of its tag, and the newer one would be missed.
  func isWorthRepeating(
    _ entry: LedgerEntry, in ledger: Ledger, at turn: Turn
  ) throws(StoreError) -> Bool {
    guard turn.presenter.isStillNews(entry) else { return false }
    let reading = turn.reading
    for newer in try ledger.due(in: entry.request.place, at: reading) {
      let late = reading.elapsed(since: lastDue(of: newer, at: reading))
      if newer.repetition == .shown || late <= latestDelivery(of: newer) { return false }
      if turn.presenter.isShownLate(newer) { return false }
    }
    return true
  }

  /// Returns `nil` if there is no order, or the last one is not answered yet; if it throws, nothing was ordered.
  package func advance(at turn: Turn) throws -> DesktopOrder? {
    let reading = turn.reading
    decidedAt = reading
    try planMore(at: reading)
    if let inFlight {
      if isUnanswered(at: reading) {
        if case .unavailable = server {} else { try becomeUnavailable(.notAnswering, at: reading) }
        try missTooLate(because: .notAnswering, at: turn)
      }
      return try callingOff(inFlight, at: reading)
    }
    try pruneNowAndThen()
    switch server {
    case .unavailable(let failure, let until):
      try missTooLate(because: failure, at: turn)
      if try nextAttempt(until, at: reading) <= reading.boot, try hasWork(at: reading) { inFlight = .probe }
    case .unknown:
      // The first probe reports to the user whether there will be notifications.
      if try reported == .unknown || hasWork(at: reading) { inFlight = .probe }
    case .startable:
      // Without a server nothing is on the screen, so that only showing needs one.
      guard try isDue(at: reading) else { break }
      if let startedServerAt, reading.boot - startedServerAt < Courier.longestPause {
        // systemd refuses a sixth start within 10 s, also to other programs.
        try becomeUnavailable(.notStarted(reason: "it ended at once"), at: reading)
      } else {
        (inFlight, startedServerAt) = (.startServer, reading.boot)
      }
    case .available(let epoch):
      try assumeShown(at: reading)
      inFlight =
        try show(on: epoch, at: turn) ?? withdrawal(at: reading) ?? prepare(on: epoch, at: turn)
    }
    return inFlight
  }

  /// When a server that could not be used is asked again, on the boot clock.
  ///
  /// - Parameter until: the end of the pause, which is shorter if a notification has become due meanwhile.
  private func nextAttempt(_ until: Duration, at reading: ClockReading) throws -> Duration {
    let isNewlyDue = try store.readLedger { ledger throws(StoreError) in
      try ledger.due(at: reading).contains { $0.due.boot > lastAttempt }
    }
    return isNewlyDue ? min(until, lastAttempt + Courier.longestPause) : until
  }

  /// Whether a probe was ordered long ago: the bus accepted the connection and doesn't answer.
  private func isUnanswered(at reading: ClockReading) -> Bool {
    probedAt.map { reading.boot - $0 >= Courier.longestProbe } ?? false
  }

  private func planMore(at reading: ClockReading) throws {
    guard let planner, let next = try nextPlanning(at: reading), next <= reading.boot
    else { return }
    try store.changeLedger { ledger throws(StoreError) in try planner.planMore(in: ledger, at: reading) }
  }

  /// When the application plans more notifications, on the boot clock; `nil` if everything is planned.
  ///
  /// Nothing is planned while a notification is being shown, because that would delay it. Its answer is followed by
  /// planning.
  private func nextPlanning(at reading: ClockReading) throws -> Duration? {
    if case .show = inFlight { return nil }
    guard let planner else { return nil }
    return try store.repairing { () throws(StoreError) in try planner.nextPlanning(at: reading) }
  }

  /// Whether an event is news, or an answer that this courier is owed, and not one before it.
  func isOwed(_ event: DesktopEvent) -> Bool {
    guard let entry = event.answeredEntry else { return true }
    return doubted.contains(entry) || inFlight.map(event.answers) == true
  }

  func finish(_ event: DesktopEvent) {
    if let order = inFlight, event.answers(order) { (inFlight, calledOff) = (nil, nil) }
    unpruned += 1
  }

  /// The order to cancel a prepared notification, once, if it was withdrawn, or another one of its tag is due earlier.
  private func callingOff(_ order: DesktopOrder, at reading: ClockReading) throws -> DesktopOrder? {
    guard case .show(let number, let content, _) = order, content.due > reading.boot, calledOff != number
    else { return nil }
    // A store that replaced a damaged one does not have the entry.
    let isWanted = try store.readLedger { ledger throws(StoreError) in
      guard let entry = try ledger.entry(number), !entry.isWithdrawn else { return false }
      let due = reading.advanced(by: content.due - reading.boot)
      return try ledger.due(in: entry.request.place, at: due).isEmpty
    }
    guard !isWanted else { return nil }
    calledOff = number
    return .callOff(entry: number)
  }

  /// Counts withdrawn notifications as shown if the server never said so, although it answers other calls.
  ///
  /// They are closed then, which succeeds whether they are there or not. If the answer comes later, they are closed again.
  private func assumeShown(at reading: ClockReading) throws {
    let abandoned = try store.readLedger(abandoned)
    guard !abandoned.isEmpty else { return }
    try store.changeLedger { ledger throws(StoreError) in
      for entry in abandoned { try ledger.assumeShown(entry, at: reading.wall) }
    }
  }

  private func abandoned(in ledger: Ledger) throws(StoreError) -> [LedgerEntry] {
    guard !doubted.isEmpty else { return [] }
    return try ledger.live().filter {
      doubted.contains($0.number) && $0.state == .presenting && $0.withdrawal != nil
    }
  }

  /// Prunes the ledger now and then, because without commands no other process does.
  private func pruneNowAndThen() throws {
    guard unpruned >= Courier.pruneInterval else { return }
    try store.changeLedger { ledger throws(StoreError) in try ledger.prune() }
    unpruned = 0
  }

  /// When to look again, on the boot clock, if nothing happens before; a time that has passed means at once.
  package func nextWake() throws -> Duration? {
    var wakes = [try store.readLedger { ledger throws(StoreError) in try ledger.nextDue(after: decidedAt) }]
    wakes.append(try nextPlanning(at: decidedAt))
    if case .available = server { wakes.append(try nextPreparation()) }
    let isUnanswered = isUnanswered(at: decidedAt)
    if let probedAt, !isUnanswered { wakes.append(probedAt + Courier.longestProbe) }
    if inFlight == nil || isUnanswered, case .unavailable(_, let until) = server,
      try hasWork(at: decidedAt)
    {
      if !isUnanswered { wakes.append(try nextAttempt(until, at: decidedAt)) }
      let lastMoments = try store.readLedger { ledger throws(StoreError) in try ledger.due(at: decidedAt) }
        .map(lastMoment)
      wakes += lastMoments.map { $0 + .milliseconds(1) }.filter { $0 > decidedAt.boot }
    }
    return wakes.compactMap { $0 }.min()
  }

  private func nextPreparation() throws -> Duration? {
    let next = try store.readLedger { ledger throws(StoreError) in try ledger.nextFixed(after: decidedAt) }
    return next.map { $0.due.boot - preparation }.flatMap { $0 > decidedAt.boot ? $0 : nil }
  }

  /// Whether there is no notification left to wait for.
  ///
  /// Notifications that are only still true because no server could show them don't count, unless this courier waits
  /// for a server: the next courier shows them.
  package func hasNothingToWaitFor() throws -> Bool {
    let reading = store.clock.now()
    if inFlight != nil, !isUnanswered(at: reading) { return false }
    guard case .unavailable(let failure, _) = server else {
      return try store.ledger.hasNothingToWaitFor() && planner?.hasMore() != true
    }
    guard !isAwaitingBus(at: reading), try planner?.hasMore() != true else { return false }
    return try store.readLedger { ledger throws(StoreError) in
      // Without a bus nothing can be removed; the next courier that has one does it.
      if case .noBus = failure {} else if try !ledger.live().isEmpty { return false }
      guard try !ledger.hasUpcoming(after: reading) else { return false }
      let due = try ledger.due(at: reading)
      // Where there is no bus, no signal would end the waiting.
      if waitsForServer, due.contains(where: { $0.repetition != .shown }) {
        if case .noBus = failure {} else { return false }
      }
      return due.allSatisfy { lastMoment(of: $0) < reading.boot }
    }
  }

  func report(_ desktop: DesktopState, at reading: ClockReading) throws {
    guard desktop != reported else { return }
    try store.changeLedger { ledger throws(StoreError) in
      try ledger.store(
        AgentReport(process: process, startedAt: startedAt.wall, desktop: desktop, updatedAt: reading.wall))
    }
    reported = desktop
  }

  func isBusy(at reading: ClockReading) throws -> Bool {
    if inFlight != nil { return true }
    if case .unavailable = server { return false }
    return try hasWork(at: reading)
  }

  func hasWork(at reading: ClockReading) throws -> Bool {
    if isAwaitingBus(at: reading) { return true }
    if try isDue(at: reading) { return true }
    return try store.readLedger { ledger throws(StoreError) in
      if try !ledger.withdrawn(at: reading).isEmpty { return true }
      return try !abandoned(in: ledger).isEmpty
    }
  }

  private func isDue(at reading: ClockReading) throws -> Bool {
    try store.readLedger { ledger throws(StoreError) in try ledger.nextDueTag(at: reading) != nil }
  }

  /// Whether the bus went away a moment ago, so that its notifications should come back with it.
  private func isAwaitingBus(at reading: ClockReading) -> Bool {
    lostBusAt.map { reading.boot - $0 <= Courier.longestBusOutage } ?? false
  }

  func latestDelivery(of entry: LedgerEntry) -> Duration { entry.request.latestDelivery ?? latestDelivery }

  /// When it is too late to show an entry, on the boot clock; the time before this courier began does not count.
  func lastMoment(of entry: LedgerEntry) -> Duration {
    max(entry.due.boot, startedAt.bootID == entry.due.bootID ? startedAt.boot : .zero)
      + latestDelivery(of: entry)
  }

  private func withdrawal(at reading: ClockReading) throws -> DesktopOrder? {
    let withdrawn = try store.readLedger { ledger throws(StoreError) in try ledger.withdrawn(at: reading) }
    return withdrawn.first.flatMap(closing)
  }

  func closing(_ entry: LedgerEntry) -> DesktopOrder? {
    entry.shown.map { .close(entry: entry.number, $0) }
  }
}
