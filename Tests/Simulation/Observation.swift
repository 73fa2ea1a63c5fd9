import NotifierLedger
package import SequenceRunner

/// The observable state of the program at one moment, read without changing it.
package struct Observation {
  /// The position of the run.
  package var position: RunPosition?
  /// The suspend that the run is paused for.
  package var suspend: Suspend?
  /// The notifications, in the order of their first planning.
  package var rows: [Row]
  /// The number of runs in the history.
  package var ended: Int
  /// The events that time has brought since the clock of the current step was started.
  package var past: [RunEvent] = []
  /// The next events that time will bring.
  package var ahead: [RunEvent] = []

  /// The number of events in `ahead`: more than one step has.
  private static let mostAhead = 12

  /// A stored notification.
  package struct Row: Equatable {
    let number: Int
    let name: String
    package let state: String
    let isWithdrawn: Bool
    let dueWall: Int
    var dueBoot: Int
    let boot: String
    let reason: String?
    let unlisted: Int
  }

  /// Removes the last pending notification if there are at least `count`.
  package mutating func loseLastPending(ofAtLeast count: Int) {
    guard rows.count(where: { $0.state == "pending" }) >= count,
      let place = rows.lastIndex(where: { $0.state == "pending" })
    else { return }
    rows.remove(at: place)
  }

  /// Delays pending notifications by a nanosecond.
  package mutating func delayPending() {
    for index in rows.indices where rows[index].state == "pending" { rows[index].dueBoot += 1 }
  }

  /// Delays the next event that time will bring by a nanosecond.
  package mutating func delayNextEvent() {
    guard let next = ahead.first else { return }
    ahead[0] = RunEvent(
      kind: next.kind, step: next.step, at: next.at.advanced(by: .nanoseconds(1)), elapsed: next.elapsed,
      target: next.target)
  }

  init(_ store: OpenRunStore) throws {
    let reading = store.clock.now()
    let run = try store.settledRun(at: reading)
    position = run?.position(at: reading)
    suspend = run?.suspend
    if let run, case .running(let since, _) = run.current.clock {
      let marks = OracleEvent.marks.map { Duration.nanoseconds($0) }
      past = Array(run.agenda(after: since, marks: marks).prefix { $0.at.boot <= reading.boot })
      ahead = Array(run.agenda(after: reading, marks: marks).prefix(Observation.mostAhead))
    }
    rows = try store.database.rows(
      """
      SELECT number, identifier, state, withdrawal IS NOT NULL, due_wall, due_boot, boot_id, reason,
        unlisted
      FROM notification ORDER BY number
      """
    ) {
      Row(
        number: Int($0.integer(0)), name: $0.text(1), state: $0.text(2), isWithdrawn: $0.integer(3) != 0,
        dueWall: Int($0.integer(4)), dueBoot: Int($0.integer(5)), boot: $0.text(6),
        reason: $0.optionalText(7).map { "\(NotificationReason(stored: $0))" }, unlisted: Int($0.integer(8)))
    }
    ended = Int(try store.database.rows("SELECT count(*) FROM history") { $0.integer(0) }.first ?? -1)
  }
}
