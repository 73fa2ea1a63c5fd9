import Foundation
import NotifierLedger
package import SequenceRunner

/// The observable state of the program at one moment, read without changing it.
package struct Observation {
  /// The active runs, the current one first, then in the order of their starts.
  package var runs: [Run]
  /// The notifications, in the order of their first planning.
  package var rows: [Row]
  /// The number of runs in the history.
  package var ended: Int
  /// The number of events in `ahead`: more than one step has.
  private static let mostAhead = 36

  package struct Run {
    let id: UUID
    let name: String
    let source: String
    package var position: RunPosition
    package var suspend: Suspend?
    var deadline: ClockReading?
    package var late: Duration?
    /// The time until the end of a run, if the user takes as long as usual; `nil` in endless rounds.
    let left: Duration?
    /// The events that time has brought since the clock of the current step was started.
    var past: [RunEvent] = []
    var ahead: [RunEvent] = []
  }

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

  package mutating func loseLastPending(ofAtLeast count: Int) {
    guard rows.count(where: { $0.state == "pending" }) >= count,
      let place = rows.lastIndex(where: { $0.state == "pending" })
    else { return }
    rows.remove(at: place)
  }

  package mutating func delayPending() {
    for index in rows.indices where rows[index].state == "pending" { rows[index].dueBoot += 1 }
  }

  package mutating func delayNextEvent() {
    guard let next = runs.first?.ahead.first else { return }
    runs[0].ahead[0] = RunEvent(
      kind: next.kind, step: next.step, at: next.at.advanced(by: .nanoseconds(1)), elapsed: next.elapsed,
      target: next.target)
  }

  /// - Parameter names: returns the name of a notification in the terms of the oracle.
  init(_ store: RunStore, names: (String) -> String) throws {
    let status = try store.peek()
    let reading = status.reading
    let marks = OracleEvent.marks.map { Duration.nanoseconds($0) }
    runs = status.statuses.compactMap { status in
      guard let run = status.run, let position = status.position else { return nil }
      var found = Run(
        id: run.runID, name: run.name, source: run.source.rawValue,
        position: position, suspend: run.suspend, deadline: run.deadline, late: status.late,
        left: run.timeline.count.map { _ in run.plannedLeft(at: status.reading) })
      guard case .running(let since, _) = run.current.clock else { return found }
      found.past = Array(run.agenda(after: since, marks: marks).prefix { $0.at.boot <= reading.boot })
      found.ahead = Array(run.agenda(after: reading, marks: marks).prefix(Observation.mostAhead))
      return found
    }
    rows = try store.database.rows(
      """
      SELECT number, identifier, state, withdrawal IS NOT NULL, due_wall, due_boot, boot_id, reason,
        unlisted
      FROM notification ORDER BY number
      """
    ) {
      Row(
        number: Int($0.integer(0)), name: names($0.text(1)), state: $0.text(2),
        isWithdrawn: $0.integer(3) != 0,
        dueWall: Int($0.integer(4)), dueBoot: Int($0.integer(5)), boot: $0.text(6),
        reason: $0.optionalText(7).map { names("\(NotificationReason(stored: $0))") },
        unlisted: Int($0.integer(8)))
    }
    ended = Int(try store.database.rows("SELECT count(*) FROM history") { $0.integer(0) }.first ?? -1)
  }
}
