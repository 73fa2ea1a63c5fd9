package import FoundationEssentials
package import NotifierLedger
public import SequencePlatform
public import SequenceRunner
public import SequenceStore

extension RunStore {
  /// Opens the store of runs and their notifications, which change together.
  ///
  /// The notifications are planned in the transaction that changes the run.
  ///
  /// - Throws: `StoreError`, `Problem`; `SchedulerError.directoryOfProgram` if a program schedules notifications in the
  ///   directory.
  public static func withNotifications(in directory: StateDirectory) throws -> RunStore {
    try withNotifications(in: directory, clock: SystemClock())
  }

  /// Opens the store of runs and their notifications, which takes its time from a clock.
  ///
  /// - Throws: `StoreError`; `SchedulerError.directoryOfProgram` if a program schedules notifications in the directory.
  public static func withNotifications(
    in directory: StateDirectory, clock: any ClockSource
  ) throws -> RunStore {
    try SchedulerError.requireNoProgram(in: directory)
    return try withNotifications(in: directory, clock: clock, horizon: .standard)
  }

  /// - Parameter parts: the owners of further tables.
  package static func withNotifications(
    in directory: StateDirectory, clock: any ClockSource, horizon: PlanningHorizon,
    parts: [any StorePart] = []
  ) throws(StoreError) -> RunStore {
    try RunStore(
      in: directory, clock: clock,
      parts: [NotificationTables(), PlanningTables(horizon: horizon, now: clock.now)] + parts,
      observers: [NotificationPlanning(horizon: horizon)])
  }

  package static func inspectingNotifications(
    in directory: StateDirectory, clock: any ClockSource, parts: [any StorePart]
  ) throws(StoreError) -> RunStore? {
    try RunStore(
      inspecting: directory, clock: clock, parts: [NotificationTables(), PlanningTables()] + parts,
      observers: [NotificationPlanning()])
  }

  package var ledger: Ledger { base.ledger }

  package func readLedger<Result>(
    _ body: (Ledger) throws(StoreError) -> Result
  ) throws(StoreError) -> Result { try base.readLedger(body) }

  package func changeLedger<Result>(
    _ body: (Ledger) throws(StoreError) -> Result
  ) throws(StoreError) -> Result { try base.changeLedger(body) }

  /// Returns notifications of the active runs that have no entry yet, earliest first, and whether more follow.
  package func laterNotifications(
    in scopes: [NotificationScope], atMost count: Int
  ) throws(StoreError) -> (requests: [NotificationRequest], hasMore: Bool) {
    try repairing { () throws(StoreError) in
      try Planner(database: database, horizon: .standard).later(
        than: clock.now(), in: scopes, atMost: count)
    }
  }

  /// Deletes its journal and activity and removes its notifications, too; returns the run, or `nil` without one.
  package func deleteEndedRun(_ id: UUID) throws(StoreError) -> DeletedRun? {
    try base.transaction { database throws(StoreError) in
      guard let deleted = try database.deleteEndedRun(id) else { return nil }
      let (moment, reason) = (clock.now().wall, NotificationReason("run-deleted"))
      for entry in try ledger.entries(in: .sequence(deleted.run.snapshot.sequence.id))
      where RunContext(entry.request.context)?.runID == id {
        switch entry.state {
        case .pending: try ledger.cancel(entry, at: moment, reason: reason)
        case .presenting, .delivered: try ledger.withdraw(entry, at: moment, reason: reason)
        case .removed, .missed, .suppressed, .failed, .cancelled: break
        }
      }
      return deleted
    }
  }

  /// Writes a deleted run again, without its notifications.
  package func restore(_ deleted: DeletedRun) throws(StoreError) {
    try base.transaction { database throws(StoreError) in try database.restore(deleted) }
  }

  /// Returns the runs that have finished since a moment, oldest first, without those whose end the user has seen.
  ///
  /// The user has seen an end that was on a display with the focus, whose notification was answered, dismissed or cleared,
  /// or after which the sequence was started again.
  package func unseenEnds(since moment: Moment) throws(StoreError) -> [EndedRun] {
    var known = Set(try peek().runs.map(\.historyID.text))
    var unseen: [EndedRun] = []
    for summary in try historySummaries(HistoryQuery(since: moment)) {
      guard known.insert(summary.sequenceID).inserted, summary.outcome == .finished,
        let id = UUID(uuidString: summary.runID), let run = try endedRun(id: id),
        try ends(of: run.snapshot).allSatisfy({
          $0.response == nil && !Planner.isSeen($0.withdrawal ?? $0.reason)
        })
      else { continue }
      unseen.append(run)
    }
    return unseen.sorted { $0.endedAt < $1.endedAt }
  }

  /// Removes the notification of the end of a run, because the user has seen it, which also ends its ringing.
  package func seeEnd(
    of run: ActiveRunSnapshot, reason: NotificationReason = .foreground
  ) throws(StoreError) {
    try changeLedger { ledger throws(StoreError) in
      let moment = clock.now().wall
      for entry in try ends(of: run) {
        switch entry.state {
        case .pending: try ledger.suppress(entry, at: moment, reason: reason)
        case .presenting, .delivered: try ledger.withdraw(entry, at: moment, reason: reason)
        case .removed, .missed, .suppressed, .failed, .cancelled: break
        }
      }
    }
  }

  /// Returns the ends that ring, whether or not their runs are muted.
  package func ringingEnds(at reading: ClockReading) throws(StoreError) -> [RingingEnd] {
    try repairing { () throws(StoreError) in
      let waiting = try ledger.live().filter { !$0.isWithdrawn } + ledger.due(at: reading)
      var found: [RingingEnd] = []
      for entry in waiting where RingButton.areOffered(by: entry.request) {
        // It is prepared before the run has ended.
        guard let id = RunContext(entry.request.context)?.runID,
          let run = try database.endedRun(id: id)?.snapshot,
          !found.contains(where: { $0.run.runID == id })
        else { continue }
        let entries = try ends(of: run)
        // The others repeat the first one, which has the time of the end.
        guard let first = entries.min(by: { $0.number < $1.number }), first.due.bootID == reading.bootID,
          reading.boot - first.due.boot < RingingEnd.limit
        else { continue }
        let shown = entries.compactMap(\.delivered).min()
        if let shown, shown.duration(since: first.due.wall) > Lateness.notification { continue }
        found.append(RingingEnd(run, end: first.due.boot, isShown: shown != nil))
      }
      return found
    }
  }

  /// The notifications of the end of a run.
  private func ends(of run: ActiveRunSnapshot) throws(StoreError) -> [LedgerEntry] {
    try ledger.entries(in: NotificationScope(.finished(sequence: run.sequence.id))).filter {
      event(of: $0.request) == .runEnd && RunContext($0.request.context)?.runID == run.runID
    }
  }

  /// Whether no notification is pending or visible, and no run has to be paused when the machine is suspended: no agent
  /// is needed.
  ///
  /// - Parameter ignoresWaiting: whether notifications don't count that have been due for longer than an agent waits for
  ///   a server.
  package func hasNothingToWaitFor(ignoringWaiting ignoresWaiting: Bool = false) throws(StoreError) -> Bool {
    guard try !database.hasRunAffectedBySuspend() else { return false }
    guard try !ledger.hasMorePlanned() else { return false }
    guard ignoresWaiting else { return try ledger.hasNothingToWaitFor() }
    return try readLedger { ledger throws(StoreError) in try ledger.onlyWaits(at: clock.now()) }
  }
}

/// The end of a run that rings: its sound is repeated as long as its notification waits for the user.
package struct RingingEnd: Equatable, Sendable {
  package let run: ActiveRunSnapshot
  /// When the run ended, on the boot clock.
  package let end: Duration
  /// Whether the notification was on the screen in time.
  package let isShown: Bool

  private static let interval = Duration.seconds(10)
  package static let limit = Duration.seconds(300)

  package init(_ run: ActiveRunSnapshot, end: Duration, isShown: Bool) {
    (self.run, self.end, self.isShown) = (run, end, isShown)
  }

  /// Returns when the sound is repeated after a time, on the boot clock.
  package func repetitions(after time: Duration) -> [Duration] {
    Array(
      sequence(first: end + RingingEnd.interval) { $0 + RingingEnd.interval }
        .prefix { $0 < end + RingingEnd.limit }.drop { $0 <= time })
  }
}
