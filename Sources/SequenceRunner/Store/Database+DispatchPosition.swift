import SequencePlatform
package import SequenceStore

extension Database {
  /// The reader that dispatches events to hooks and cues.
  private static let dispatcher = "agent"

  package func dispatchPosition() throws(StoreError) -> EventPosition? {
    try position(ofReader: Database.dispatcher)
  }

  package func store(dispatchPosition position: EventPosition) throws(StoreError) {
    try store(position, ofReader: Database.dispatcher)
  }

  func position(ofReader name: String) throws(StoreError) -> EventPosition? {
    try rows("SELECT \(EventPosition.table.columns) FROM dispatched WHERE reader = ?", .text(name)) {
      EventPosition($0)
    }.first
  }

  func store(_ position: EventPosition, ofReader name: String) throws(StoreError) {
    try run(EventPosition.table.replace, position.values(reader: name))
  }

  func readablePositions() throws(StoreError) -> [(reader: String, position: EventPosition)] {
    try readableRows(of: "dispatched", key: "reader", EventPosition.table.columns) { row throws(StoreError) in
      (row.text(EventPosition.Column.reader), EventPosition(row))
    }
  }

  func checkPositions() throws(StoreError) {
    let last = try lastJournalNumber()
    let entries = try rows("SELECT \(EventPosition.table.columns) FROM dispatched") {
      EventPosition($0).entry
    }
    guard entries.allSatisfy({ (0...last).contains($0) }) else {
      throw .damaged(path: path, reason: "a reader of events is at an entry that the journal has not had")
    }
  }
}

extension EventPosition {
  fileprivate enum Column: Int, CodingKey, CaseIterable { case reader, entry, wall, boot, bootID }

  fileprivate static let table = Table("dispatched", Column.allCases.map(\.stringValue))

  fileprivate func values(reader: String) -> [SQLValue] {
    Column.allCases.map { column in
      switch column {
      case .reader: .text(reader)
      case .entry: .integer(entry)
      case .wall: .integer(at.wall.microseconds)
      case .boot: .integer(at.boot.nanoseconds)
      case .bootID: .text(at.bootID)
      }
    }
  }

  fileprivate init(_ row: SQLRow) {
    self.init(
      entry: row.integer(Column.entry),
      at: ClockReading(
        wall: Moment(microseconds: row.integer(Column.wall)), boot: .nanoseconds(row.integer(Column.boot)),
        bootID: row.text(Column.bootID)))
  }
}
