public import FoundationEssentials
public import SequencePlatform
public import SequenceStore

extension RunStore {
  /// Returns the position of a reader that has read all events until now.
  ///
  /// - Throws: `StoreError`.
  public func eventPosition() throws(StoreError) -> EventPosition {
    try base.isCurrent ? eventPosition(at: clock.now()) : .beginning
  }

  /// Starts a stream of the active runs: at once, and after each change by a command of any process or by time.
  ///
  /// Time changes a run at the end of a step, at the goal of a count-up and at the start of overtime. A slow reader
  /// gets the latest status only. Each status is that of `status()`. The stream has a thread of its own. It ends if its
  /// reader is cancelled, and throws a `StoreError` that doesn't pass, or a `SystemError`.
  public func statuses() -> AsyncThrowingStream<RunStatus, any Error> {
    .ofThread(keeping: .bufferingNewest(1)) { [self] ending, yield in
      try followStatuses(until: ending, yield)
    }
  }

  /// Starts a stream of the events of all runs after a position: those that have happened, and then each as it happens.
  ///
  /// An event comes once and in its place, however late it is read. Store the `end` of each element with the work that
  /// it has caused, and the next stream after that position continues where this one ended, also in another process or
  /// after a reboot. A position of a store that was deleted since, and had more entries than the present one, counts as
  /// ``EventPosition/beginning``.
  ///
  /// The stream of one run ends after the run's last event, at once if the position is after it. The stream has a thread
  /// of its own. It ends if its reader is cancelled, and throws a `StoreError` that doesn't pass, or a `SystemError`.
  ///
  /// - Parameters:
  ///   - run: the run whose events are read; `nil` for all runs.
  ///   - position: the end of the last element that was read, or `eventPosition()`.
  ///   - marks: the remaining times of a countdown that are events, such as 10 s; those up to zero are ignored.
  /// - Complexity: O(events) for each element.
  public func events(
    of run: UUID? = nil, after position: EventPosition, marks: Set<Duration> = []
  ) -> AsyncThrowingStream<EventBatch, any Error> {
    .ofThread { [self] ending, yield in
      var position = position
      try follow(until: ending) { store in
        let status = try store.settle()
        let batch = try store.pastEvents(of: run, after: position, marks, until: status.reading)
        if !batch.runs.isEmpty { yield(batch) }
        position = batch.end
        let followed = status.runs.filter { run == nil || $0.runID == run }
        if run != nil, followed.isEmpty { return .never }
        return .afterChange(
          orAt: followed.compactMap { run in
            run.agenda(after: status.reading, marks: marks).first { _ in true }?.at.boot
          }.min())
      }
    }
  }

  /// Handles the events of all runs, each at least once, until the task is cancelled; those of one run until its end.
  ///
  /// The store keeps the position of the reader: a program that was killed, or whose handler has thrown an error, gets
  /// the same events first. If the end of the run was handled, this returns at once. A reader that the store doesn't know
  /// begins with the first event of the store. A reader of one run has a position in each run.
  ///
  /// - Parameters:
  ///   - reader: the name of the reader, which is one at a time.
  ///   - run: the run whose events are handled; `nil` for all runs.
  ///   - marks: the remaining times of a countdown that are events, such as 10 s; those up to zero are ignored.
  ///   - isolation: the actor in which the events are handled, which is that of the caller.
  ///   - handle: handles the events that have happened. It may get some twice, so they should have no second effect then.
  /// - Throws: what `handle` throws; `StoreError`, `SystemError`.
  public func handleEvents(
    as reader: String, of run: UUID? = nil, marks: Set<Duration> = [],
    isolation: isolated (any Actor)? = #isolation,
    _ handle: (EventBatch) async throws -> Void
  ) async throws {
    // Sequence's own readers have other names.
    let reader = "program " + reader + (run.map { " of \($0.text)" } ?? "")
    let known = try repairing { () throws(StoreError) in try database.position(ofReader: reader) }
    let begin = if let known { known } else { try eventPosition(beforeStartOf: run) }
    for try await batch in events(of: run, after: begin, marks: marks) {
      try await handle(batch)
      try base.transaction { database throws(StoreError) in
        try database.store(batch.end, ofReader: reader)
      }
    }
  }

  /// Returns the events of all runs after a position that have happened until now, as `events(of:after:marks:)`
  /// streams them.
  ///
  /// - Parameters:
  ///   - position: the end of the last element that was read, or `eventPosition()`.
  ///   - marks: the remaining times of a countdown that are events, such as 10 s; those up to zero are ignored.
  /// - Throws: `StoreError`.
  /// - Complexity: O(events).
  public func pastEvents(
    after position: EventPosition, marks: Set<Duration> = []
  ) throws(StoreError) -> EventBatch {
    guard base.isCurrent else { return EventBatch(runs: [], end: position) }
    return try pastEvents(of: nil, after: position, marks, until: settle().reading)
  }

  func followStatuses(until ending: Int32, _ yield: (RunStatus) -> Void) throws {
    var last: (runs: [ActiveRunSnapshot], nextChange: Duration?)?
    try follow(until: ending) { store in
      let status = try store.settle()
      let nextChange = status.runs.compactMap { status.status(of: $0.runID).nextChange }.min()
      let isUnchanged = last.map { last in
        last.runs == status.runs && last.nextChange.map { status.reading.boot < $0 } ?? true
      }
      if isUnchanged != true { yield(status) }
      last = (status.runs, nextChange)
      return .afterChange(orAt: nextChange)
    }
  }

  private func follow(until ending: Int32, _ look: (RunStore) throws -> NextLook) throws {
    guard !base.isReadOnly else { throw StoreError.readOnly(path: directory.databasePath) }
    try followStore(clock, until: ending) {
      try reopened()
    } base: {
      $0.base
    } look: {
      try look($0)
    }
  }
}

extension RunStore {
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

  /// Returns the position before all events of a run; before those of the store for `nil` or an unknown run.
  private func eventPosition(beforeStartOf run: UUID?) throws(StoreError) -> EventPosition {
    guard let run else { return .beginning }
    return try consistently { () throws(StoreError) in
      guard let first = try database.journalEntries(of: run).first else { return .beginning }
      return EventPosition(entry: first.number - 1, at: first.at)
    }
  }

  /// Returns the events after a position of any store, with the same marks for all runs, or those of one run.
  private func pastEvents(
    of run: UUID?, after position: EventPosition, _ marks: Set<Duration>, until reading: ClockReading
  ) throws(StoreError) -> EventBatch {
    try events(after: isBeyondJournal(position) ? .beginning : position, until: reading) {
      run == nil || $0.runID == run ? marks : nil
    }
  }

  /// Whether a position is beyond all entries, because it comes from another store.
  private func isBeyondJournal(_ position: EventPosition) throws(StoreError) -> Bool {
    try consistently { () throws(StoreError) in
      try database.lastJournalNumber() < position.entry
    }
  }

  /// Runs a block that reads everything as it was at one moment; also in a transaction.
  private func consistently<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try base.alone { () throws(StoreError) in
      if database.isInTransaction { return try body() }
      return try repairing { () throws(StoreError) in try database.reading(body) }
    }
  }
}

/// The active runs for an event loop that waits on descriptors, such as that of GLib.
///
/// A thread of its own reads the runs, as for ``RunStore/statuses()``, until the watch is released.
public final class RunWatch: Sendable {
  private let updates: MessageQueue<Result<RunStatus, any Error>>
  private let ending: MessageQueue<Void>

  /// Starts to watch the runs of a store.
  ///
  /// - Throws: `SystemError` without descriptors or threads.
  public init(_ store: RunStore) throws(SystemError) {
    let (updates, ending) = (try MessageQueue<Result<RunStatus, any Error>>(), try MessageQueue<Void>())
    self.updates = updates
    self.ending = ending
    try startThread {
      do {
        try store.followStatuses(until: ending.descriptor) { updates.put(.success($0)) }
      } catch {
        updates.put(.failure(error))
      }
    }
  }

  deinit { ending.put(()) }

  /// The descriptor to wait on: readable at once, and after each change until `take()`.
  public var descriptor: Int32 { updates.descriptor }

  /// Returns the latest status; `nil` if nothing has changed since the last call.
  ///
  /// - Throws: the error that has ended the watch, once: a `StoreError` that doesn't pass, or a `SystemError`.
  public func take() throws -> RunStatus? { try updates.takeAll().last?.get() }
}
