import SequencePlatform
package import SequenceStore

/// The position up to which events were dispatched to hooks and cues.
extension Database {
  /// Returns the position up to which events were dispatched; `nil` if no event was.
  package func dispatchPosition() throws(StoreError) -> EventPosition? {
    try rows("SELECT entry, wall, boot, boot_id FROM dispatched") {
      EventPosition(
        entry: $0.integer(0),
        at: ClockReading(
          wall: Moment(microseconds: $0.integer(1)), boot: .nanoseconds($0.integer(2)), bootID: $0.text(3)))
    }.first
  }

  /// Stores the position up to which events were dispatched.
  package func store(dispatchPosition position: EventPosition) throws(StoreError) {
    try run(
      "INSERT OR REPLACE INTO dispatched (id, entry, wall, boot, boot_id) VALUES (1, ?, ?, ?, ?)",
      .integer(position.entry), .integer(position.at.wall.microseconds),
      .integer(position.at.boot.nanoseconds), .text(position.at.bootID))
  }
}
