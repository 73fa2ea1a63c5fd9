import SequencePlatform
package import SequenceStore

/// The positions up to which named readers have handled events.
extension Database {
  /// The reader that dispatches events to hooks and cues.
  private static let dispatcher = "agent"

  /// Returns the position up to which events were dispatched to hooks and cues; `nil` if no event was.
  package func dispatchPosition() throws(StoreError) -> EventPosition? {
    try position(ofReader: Database.dispatcher)
  }

  /// Stores the position up to which events were dispatched to hooks and cues.
  package func store(dispatchPosition position: EventPosition) throws(StoreError) {
    try store(position, ofReader: Database.dispatcher)
  }

  /// Returns the position up to which a reader has handled events; `nil` if it has handled none.
  func position(ofReader name: String) throws(StoreError) -> EventPosition? {
    try rows("SELECT \(Database.positionColumns) FROM dispatched WHERE reader = ?", .text(name)) {
      Database.position($0)
    }.first
  }

  /// Stores the position up to which a reader has handled events.
  func store(_ position: EventPosition, ofReader name: String) throws(StoreError) {
    try run(
      "INSERT OR REPLACE INTO dispatched (reader, entry, wall, boot, boot_id) VALUES (?, ?, ?, ?, ?)",
      .text(name), .integer(position.entry), .integer(position.at.wall.microseconds),
      .integer(position.at.boot.nanoseconds), .text(position.at.bootID))
  }

  /// The positions of the readers of a damaged store, as far as they can be read.
  func readablePositions() -> [(reader: String, position: EventPosition)] {
    readableRows(of: "dispatched", key: "reader", Database.positionColumns + ", reader") {
      row throws(StoreError) in
      (row.text(4), Database.position(row))
    }
  }

  /// Reads the positions of all readers.
  ///
  /// - Throws: `StoreError.damaged` if one of them makes no sense.
  func checkPositions() throws(StoreError) {
    _ = try rows("SELECT \(Database.positionColumns) FROM dispatched") { Database.position($0) }
  }

  private static let positionColumns = "entry, wall, boot, boot_id"

  private static func position(_ row: SQLRow) -> EventPosition {
    EventPosition(
      entry: row.integer(0),
      at: ClockReading(
        wall: Moment(microseconds: row.integer(1)), boot: .nanoseconds(row.integer(2)), bootID: row.text(3)))
  }
}
