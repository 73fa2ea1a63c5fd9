package import FoundationEssentials
package import NotifierLedger
package import SequencePlatform
package import SequenceRunner
package import SequenceStore

/// Plans the notifications of runs, in the transaction that changes a run.
package struct NotificationPlanning: RunObserver {
  private let horizon: PlanningHorizon

  package init(horizon: PlanningHorizon = .standard) { self.horizon = horizon }

  /// How the notifications of runs look and sound, unless the configuration says otherwise.
  package static let styles: [RunEvent.Name: NotificationStyle] = [
    .runStart: NotificationStyle(category: "x-sequence.run", sound: "message-new-instant"),
    .stepEnd: NotificationStyle(category: "x-sequence.step", sound: "message-new-instant"),
    .overtime: NotificationStyle(category: "x-sequence.step", sound: "alarm-clock-elapsed"),
    .goal: NotificationStyle(category: "x-sequence.reminder", sound: "bell"),
    .reminder: NotificationStyle(category: "x-sequence.reminder", sound: "bell"),
    .runEnd: NotificationStyle(category: "x-sequence.run", sound: "complete"),
    .pause: NotificationStyle(category: "x-sequence.run"),
    // It has to be there still when the user has unlocked the screen.
    .return: NotificationStyle(urgency: .critical, category: "x-sequence.run"),
  ]

  package func runDidChange(
    _ change: RunChange, entry: JournalEntry, in database: Database
  ) throws(StoreError) {
    let planner = Planner(database: database, horizon: horizon)
    let (reading, reason) = (change.reading, NotificationPlanning.reason(of: change.cause))
    let run = change.run
    let plan: RunPlan? =
      switch change.after {
      case .active: RunPlan(run: run, entry: entry)
      case .ended: nil
      }
    switch change.cause {
    // Pending notifications and those on the screen stay true.
    case .command(.playSounds): break
    case .started, .command:
      // A visible notification refers to the state before the user's action.
      try planner.ledger.withdraw(.sequence(run.sequence.id), at: reading, reason: reason)
      try planner.replace(of: run, by: plan, keepingDue: false, at: reading, reason: reason)
      // An end that counting a suspend puts into the past was not announced yet.
      if change.cause == .command(.resume(countingSuspend: true)), case .ended(let ended) = change.after,
        let end = run.runEnd(due: reading.at(ended.endedAt))
      {
        try planner.ledger.add([end], at: reading)
      }
      try planner.ledger.prune()
    case .suspended:
      try planner.replace(of: run, by: nil, keepingDue: false, at: reading, reason: reason)
    case .returned:
      try planner.replace(of: run, by: nil, keepingDue: false, at: reading, reason: reason)
      if let request = run.returnRequest(at: reading) { try planner.ledger.add([request], at: reading) }
    case .anchored:
      if let before = change.before, let plan {
        try planner.move(from: before, to: plan, at: reading, reason: reason)
      }
    case .ranOut:
      // Without an action of the user, due notifications are still shown, or missed, by the agent.
      if let before = change.before { try planner.addLast(of: before, at: reading) }
      try planner.replace(of: run, by: nil, keepingDue: true, at: reading, reason: reason)
    case .salvaged:
      if let plan { try planner.restore(plan, at: reading, reason: reason) }
    }
  }

  /// Cancels what isn't due yet, but for the notifications of lost runs: their texts and times are still right.
  package func runsWereLost(
    besides known: Set<UUID>, in database: Database, at reading: ClockReading
  ) throws(StoreError) {
    let ledger = Ledger(database: database)
    for entry in try ledger.entries(in: .allSequences) where entry.state == .pending {
      guard let run = RunContext(entry.request.context)?.runID, known.contains(run), !entry.isDue(at: reading)
      else { continue }
      try ledger.cancel(entry, at: reading.wall, reason: NotificationPlanning.reason(of: .salvaged))
    }
  }

  package func sequence(
    ofLostRun id: UUID, in database: Database
  ) throws(StoreError) -> (id: UUID?, title: String?) {
    var found: (id: UUID?, title: String?)
    for entry in try Ledger(database: database).entries(in: .allSequences)
    where RunContext(entry.request.context)?.runID == id {
      found.id = entry.request.identifier.sequence
      found.title = found.title ?? ActiveRunSnapshot.titleOfEndedRun(in: entry.request)
    }
    return found
  }

  package func lastSignOfLife(inBoot bootID: String, of database: Database) throws(StoreError) -> Duration? {
    // A notification was shown or decided at its due time or later, so the machine was on.
    let due = try database.rows(
      """
      SELECT max(due_boot) FROM notification
      WHERE boot_id = ? AND state IN ('delivered', 'removed', 'missed', 'suppressed', 'failed')
      """, .text(bootID)
    ) { $0.optionalInteger(0) }.first
    return (due ?? nil).map { .nanoseconds($0) }
  }

  static func reason(of cause: RunChange.Cause) -> NotificationReason {
    let code =
      switch cause {
      case .started: "run-started"
      case .command(.pause): "run-paused"
      case .command(.resume): "run-resumed"
      case .command(.toggle): "run-toggled"
      case .command(.next): "step-completed"
      case .command(.skip): "step-skipped"
      case .command(.back): "step-back"
      case .command(.restart): "step-restarted"
      case .command(.extend): "step-extended"
      case .command(.stop): "run-stopped"
      case .command(.playSounds): "sound-changed"
      case .suspended(.sleep): "machine-asleep"
      case .suspended(.lock): "screen-locked"
      case .suspended(.shutdown), .suspended(.powerLoss): "machine-off"
      case .returned: "machine-back"
      case .anchored: "machine-restarted"
      case .ranOut: "run-over"
      case .salvaged: "store-damaged"
      }
    return NotificationReason(code)
  }
}
