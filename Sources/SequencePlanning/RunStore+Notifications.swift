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

  /// Deletes its journal and activity and removes its notifications, too; returns whether there was such a run.
  package func deleteEndedRun(_ id: UUID) throws(StoreError) -> Bool {
    try base.transaction { database throws(StoreError) in
      guard let run = try database.endedRun(id: id) else { return false }
      try database.deleteEndedRun(id)
      let (moment, reason) = (clock.now().wall, NotificationReason("run-deleted"))
      for entry in try ledger.entries(in: .sequence(run.snapshot.sequence.id))
      where RunContext(entry.request.context)?.runID == id {
        switch entry.state {
        case .pending: try ledger.cancel(entry, at: moment, reason: reason)
        case .presenting, .delivered: try ledger.withdraw(entry, at: moment, reason: reason)
        case .removed, .missed, .suppressed, .failed, .cancelled: break
        }
      }
      return true
    }
  }

  /// Returns the runs that have finished since a moment, oldest first, without those whose end the user has seen.
  ///
  /// The user has seen an end that was on a display with the focus, whose notification was dismissed or cleared, or after
  /// which the sequence was started again.
  package func unseenEnds(since moment: Moment) throws(StoreError) -> [EndedRun] {
    var known = Set(try peek().runs.map(\.historyID.uuidString))
    var unseen: [EndedRun] = []
    for summary in try historySummaries(since: moment) {
      guard known.insert(summary.sequenceID).inserted, summary.outcome == .finished,
        let id = UUID(uuidString: summary.runID), let run = try endedRun(id: id),
        try ends(of: run.snapshot).allSatisfy({ !Planner.isSeen($0.withdrawal ?? $0.reason) })
      else { continue }
      unseen.append(run)
    }
    return unseen.sorted { $0.endedAt < $1.endedAt }
  }

  /// Removes the notification of the end of a run, because a display has shown it to the user.
  package func seeEnd(of run: ActiveRunSnapshot) throws(StoreError) {
    try changeLedger { ledger throws(StoreError) in
      let moment = clock.now().wall
      for entry in try ends(of: run) {
        switch entry.state {
        case .pending: try ledger.suppress(entry, at: moment, reason: .foreground)
        case .presenting, .delivered: try ledger.withdraw(entry, at: moment, reason: .foreground)
        case .removed, .missed, .suppressed, .failed, .cancelled: break
        }
      }
    }
  }

  /// The notifications of the end of a run.
  private func ends(of run: ActiveRunSnapshot) throws(StoreError) -> [LedgerEntry] {
    try ledger.entries(in: .sequence(run.sequence.id)).filter {
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
