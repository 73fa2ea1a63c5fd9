package import SequencePlatform

/// How far a named reader has read a stream of numbered rows.
package struct ReaderPosition {
  /// The stream and the name of the reader.
  package let reader: String
  /// The number of the last row that was read.
  package let number: Int64
  /// The reading until which the stream was read; without meaning if time adds nothing to the stream.
  package let at: ClockReading

  package init(reader: String, number: Int64, at reading: ClockReading) {
    self.reader = reader
    self.number = number
    at = reading
  }

  /// Makes the table of readers, which each database has.
  static let statement = """
    CREATE TABLE IF NOT EXISTS reader (
      reader TEXT PRIMARY KEY,
      number INTEGER NOT NULL,
      wall INTEGER NOT NULL,
      boot INTEGER NOT NULL,
      boot_id TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  private enum Column: Int, CodingKey, CaseIterable { case reader, number, wall, boot, bootID }

  fileprivate static let table = Table("reader", Column.allCases.map(\.stringValue))

  /// The values of its columns, in their order.
  fileprivate var values: [SQLValue] {
    Column.allCases.map { column in
      switch column {
      case .reader: .text(reader)
      case .number: .integer(number)
      case .wall: .integer(at.wall.microseconds)
      case .boot: .integer(at.boot.nanoseconds)
      case .bootID: .text(at.bootID)
      }
    }
  }

  fileprivate init(_ row: SQLRow) {
    self.init(
      reader: row.text(Column.reader), number: row.integer(Column.number),
      at: ClockReading(
        wall: Moment(microseconds: row.integer(Column.wall)), boot: .nanoseconds(row.integer(Column.boot)),
        bootID: row.text(Column.bootID)))
  }
}

extension Database {
  /// Returns the position of a reader; `nil` if it has read nothing.
  package func position(of reader: String) throws(StoreError) -> ReaderPosition? {
    try rows(
      "SELECT \(ReaderPosition.table.columns) FROM reader WHERE reader = ?", .text(reader),
      make: ReaderPosition.init
    ).first
  }

  /// Stores how far a reader has read.
  package func store(_ position: ReaderPosition) throws(StoreError) {
    try run(ReaderPosition.table.replace, position.values)
  }

  /// Returns the positions of all readers of a stream.
  package func positions(in stream: String) throws(StoreError) -> [ReaderPosition] {
    try rows("SELECT \(ReaderPosition.table.columns) FROM reader", make: ReaderPosition.init).filter {
      $0.reader.hasPrefix(stream)
    }
  }

  /// Returns the positions of the readers of a stream in a damaged store, as far as they can be read.
  package func readablePositions(in stream: String) throws(StoreError) -> [ReaderPosition] {
    try readableRows(of: "reader", key: "reader", ReaderPosition.table.columns, make: ReaderPosition.init)
      .filter { $0.reader.hasPrefix(stream) }
  }
}
