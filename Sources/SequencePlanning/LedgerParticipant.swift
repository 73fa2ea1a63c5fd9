import NotificationLedger
package import Platform
package import SequenceRunner
package import Store

/// Plans the notifications of the active run, in the transaction that changes the run.
package struct LedgerParticipant: StoreParticipant {
  package static var component: SchemaComponent { NotificationTables.component }

  package init() {}

  package func runDidChange(_ change: RunChange, in database: Database) throws(StoreError) {
    let ledger = Ledger(database: database)
    let requests: [NotificationRequest]
    let run: ActiveRunSnapshot
    switch change.after {
    case .active(let active):
      run = active
      requests = active.notificationRequests(at: change.reading)
    case .ended(let ended):
      run = ended.snapshot
      requests = []
    }
    let scope = NotificationScope.sequence(run.sequence.id)
    let reading = change.reading
    switch change.cause {
    case .started, .command:
      // A visible notification refers to the state before the user's action.
      try ledger.withdraw(scope, at: reading, reason: change.cause.reason)
      try ledger.plan(requests, in: scope, keepingDue: false, at: reading, reason: change.cause.reason)
      try ledger.prune()
    case .left:
      try ledger.plan([], in: scope, keepingDue: false, at: reading, reason: change.cause.reason)
    case .returned:
      try ledger.plan([], in: scope, keepingDue: false, at: reading, reason: change.cause.reason)
      if let request = run.returnRequest(at: reading) { try ledger.add([request], at: reading) }
    case .anchored:
      // A notification that was cleared or shown before the restart must not become pending again.
      let pending = try ledger.pendingIdentifiers(in: scope)
      try ledger.plan(
        requests.filter { pending.contains($0.identifier.rawValue) }, in: scope, keepingDue: true,
        at: reading,
        reason: change.cause.reason)
    case .ranOut, .salvaged:
      // Without an action of the user, due notifications are still shown, or missed, by the agent.
      try ledger.plan(requests, in: scope, keepingDue: true, at: reading, reason: change.cause.reason)
    }
  }

  package func check(_ database: Database) throws(StoreError) { try NotificationTables().check(database) }

  package func salvage(
    from damaged: Database, into database: Database, at reading: ClockReading
  ) throws(StoreError) {
    try NotificationTables().salvage(from: damaged, into: database, at: reading)
  }

  package func lastSignOfLife(
    of run: ActiveRunSnapshot, since start: ClockReading, in database: Database
  ) throws(StoreError) -> ClockReading? {
    let scope = NotificationScope.sequence(run.sequence.id)
    let boot = try Ledger(database: database).lastDecided(in: scope, since: start)
    return boot.map { start.advanced(by: $0 - start.boot) }
  }
}

extension RunChange.Cause {
  /// The reason for cancelling pending notifications.
  fileprivate var reason: NotificationReason {
    let code =
      switch self {
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
      case .left(.sleep): "machine-asleep"
      case .left(.shutdown), .left(.powerLoss): "machine-off"
      case .returned: "machine-back"
      case .anchored: "machine-restarted"
      case .ranOut: "run-over"
      case .salvaged: "store-damaged"
      }
    return NotificationReason(code)
  }
}
