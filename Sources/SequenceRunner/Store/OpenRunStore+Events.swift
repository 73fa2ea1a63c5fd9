import FoundationEssentials
package import SequencePlatform
package import SequenceStore

extension OpenRunStore {
  /// Returns the events of all runs after a position, up to a reading; never writes.
  ///
  /// They don't depend on when or how often they are read. The active runs must be settled at the reading.
  ///
  /// - Parameter marks: returns the remaining times of a countdown that are events of a run; `nil` to leave out its
  ///   events.
  /// - Complexity: O(entries after the position + events).
  package func events(
    after position: EventPosition, until reading: ClockReading,
    marks: (ActiveRunSnapshot) -> Set<Duration>? = { _ in [] }
  ) throws(StoreError) -> EventBatch {
    try consistently { () throws(StoreError) in
      try database.events(after: position, until: reading, listing: listedSteps, marks: marks)
    }
  }

  /// Returns the position of a reader that begins `past` ago, and to which nothing earlier is news.
  package func eventPosition(
    at reading: ClockReading, minus past: Duration = .zero
  ) throws(StoreError) -> EventPosition {
    try consistently { () throws(StoreError) in
      let start = reading.advanced(by: .zero - past)
      // An entry of an earlier boot can follow one of this boot: the pause of a run that is found after a power loss.
      let next = try database.firstJournalNumber(after: start)
      let last = if let next { next - 1 } else { try database.lastJournalNumber() }
      return last == 0 ? .beginning : EventPosition(entry: last, at: start)
    }
  }

  /// Returns the position before the start of the current step of a run, and before the end of the step before it.
  ///
  /// - Complexity: O(entries of the run).
  package func eventPosition(beforeStepOf run: ActiveRunSnapshot) throws(StoreError) -> EventPosition {
    try consistently { () throws(StoreError) in
      let entries = try database.journalEntries(of: run.runID)
      let last = entries.last { $0.kind.beginsStep || $0.step != run.log.count }
      if let last, last.step != run.log.count, let chain = last.chain(in: run.timeline) {
        let start = chain.start(ofStepAt: run.log.count)
        return EventPosition(entry: last.number, at: start.advanced(by: .nanoseconds(-1)))
      }
      guard let first = last ?? entries.first else { return .beginning }
      return EventPosition(entry: first.number - 1, at: first.at)
    }
  }

  /// Returns the events after a position of any store, with the same marks for all runs.
  func pastEvents(
    after position: EventPosition, _ marks: Set<Duration>, until reading: ClockReading
  ) throws(StoreError) -> EventBatch {
    try events(after: isBeyondJournal(position) ? .beginning : position, until: reading) { _ in marks }
  }

  /// Whether a position is beyond all entries, because it comes from another store.
  private func isBeyondJournal(_ position: EventPosition) throws(StoreError) -> Bool {
    try consistently { () throws(StoreError) in
      try database.lastJournalNumber() < position.entry
    }
  }

  /// Runs a block that reads everything as it was at one moment; also in a transaction.
  private func consistently<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    if database.isInTransaction { return try body() }
    return try repairing { () throws(StoreError) in try database.reading(body) }
  }
}
