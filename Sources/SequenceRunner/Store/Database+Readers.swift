import SequencePlatform
package import SequenceStore

/// The positions up to which named readers have handled events.
extension Database {
  private static let stream = "events of "
  /// The reader that dispatches events to hooks and cues.
  private static let dispatcher = "agent"

  package func dispatchPosition() throws(StoreError) -> EventPosition? {
    try position(ofReader: Database.dispatcher)
  }

  package func store(dispatchPosition position: EventPosition) throws(StoreError) {
    try store(position, ofReader: Database.dispatcher)
  }

  func position(ofReader name: String) throws(StoreError) -> EventPosition? {
    try position(of: Database.stream + name).map(EventPosition.init)
  }

  func store(_ position: EventPosition, ofReader name: String) throws(StoreError) {
    try store(ReaderPosition(reader: Database.stream + name, number: position.entry, at: position.at))
  }

  func readablePositions() throws(StoreError) -> [(reader: String, position: EventPosition)] {
    try readablePositions(in: Database.stream).map {
      (String($0.reader.dropFirst(Database.stream.count)), EventPosition($0))
    }
  }

  func checkPositions() throws(StoreError) {
    let last = try lastJournalNumber()
    guard try positions(in: Database.stream).allSatisfy({ (0...last).contains($0.number) }) else {
      throw .damaged(path: path, reason: "a reader of events is at an entry that the journal has not had")
    }
  }
}

extension EventPosition {
  fileprivate init(_ position: ReaderPosition) { self.init(entry: position.number, at: position.at) }
}
