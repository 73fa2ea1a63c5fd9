import FoundationEssentials
import SequencePlatform
package import SequenceStore

/// The position up to which events were dispatched to hooks and cues.
extension Database {
  /// Returns the position up to which events were dispatched; `nil` if no event was.
  package func dispatchPosition() throws(StoreError) -> EventPosition? {
    try rows("SELECT entry, time FROM dispatched WHERE id = 1") {
      EventPosition(entry: $0.integer(0), time: .nanoseconds($0.integer(1)))
    }.first
  }

  /// Stores the position up to which events were dispatched.
  package func store(dispatchPosition position: EventPosition) throws(StoreError) {
    try run(
      "INSERT OR REPLACE INTO dispatched (id, entry, time) VALUES (1, ?, ?)", .integer(position.entry),
      .integer(position.time.nanoseconds))
  }
}
