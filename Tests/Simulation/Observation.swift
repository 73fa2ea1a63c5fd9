import NotificationLedger
package import SequenceRunner

/// What can be seen of the program at one moment, without changing anything.
package struct Observation {
  /// Where the run stands.
  package var position: RunPosition?
  /// What the run is paused for.
  package var suspend: Suspend?
  /// The notifications, in the order in which they were planned first.
  package var rows: [Row]
  /// How many runs are in the history.
  package var ended: Int

  /// A notification as it is stored.
  package struct Row: Equatable {
    let number: Int
    let name: String
    package let state: String
    let isWithdrawn: Bool
    let dueWall: Int
    var dueBoot: Int
    let boot: String
    let reason: String?
  }

  /// Takes the last one away that is to come, where there are some.
  package mutating func loseLastPending(ofAtLeast count: Int) {
    guard rows.count(where: { $0.state == "pending" }) >= count,
      let place = rows.lastIndex(where: { $0.state == "pending" })
    else { return }
    rows.remove(at: place)
  }

  /// Has what is to come be due a nanosecond later.
  package mutating func delayPending() {
    for index in rows.indices where rows[index].state == "pending" { rows[index].dueBoot += 1 }
  }

  init(_ store: RunStore) throws {
    let reading = store.clock.now()
    let run = try store.settledRun(at: reading)
    position = run?.position(at: reading)
    suspend = run?.suspend
    rows = try store.database.rows(
      """
      SELECT number, identifier, state, withdrawal IS NOT NULL, due_wall, due_boot, boot_id, reason
      FROM notification ORDER BY number
      """
    ) {
      Row(
        number: Int($0.integer(0)), name: $0.text(1), state: $0.text(2), isWithdrawn: $0.integer(3) != 0,
        dueWall: Int($0.integer(4)), dueBoot: Int($0.integer(5)), boot: $0.text(6),
        reason: $0.optionalText(7).map { "\(NotificationReason(stored: $0))" })
    }
    ended = Int(try store.database.rows("SELECT count(*) FROM history") { $0.integer(0) }.first ?? -1)
  }
}
