public import FoundationEssentials
public import SequencePlatform
public import SequenceStore
import Synchronization

/// The active runs and the history in a directory.
///
/// Any number of processes may open the same directory, and methods may be called from any thread. Every method reads
/// the runs once, by value. Changes are serialized, none is lost, and each is on disk when the method returns. While
/// another process writes, a method blocks; after 5 s it throws `StoreError.busy`.
public final class RunStore: Sendable {
  /// The directory of the store.
  public let directory: StateDirectory
  /// The source of all readings.
  public let clock: any ClockSource
  private let parts: [any StorePart]
  private let observers: [any RunObserver]
  private let store: Mutex<OpenRunStore>

  /// Opens the store of a directory, and creates it if it is missing.
  ///
  /// A damaged store is moved aside, and its readable data is copied to a new one; `notices` reports that.
  ///
  /// - Throws: `StoreError`, `ClockError`.
  public convenience init(_ directory: StateDirectory) throws {
    try self.init(directory, clock: SystemClock())
  }

  /// Opens a store that takes its time from a clock.
  ///
  /// - Throws: `StoreError`.
  public convenience init(_ directory: StateDirectory, clock: any ClockSource) throws(StoreError) {
    try self.init(directory, clock: clock, parts: [], observers: [])
  }

  package init(
    _ directory: StateDirectory, clock: any ClockSource, parts: [any StorePart], observers: [any RunObserver]
  ) throws(StoreError) {
    self.directory = directory
    self.clock = clock
    self.parts = parts
    self.observers = observers
    store = Mutex(
      try OpenRunStore(directory: directory, clock: clock, parts: parts, observers: observers))
  }

  /// The incidents of the store that the user should know about, oldest first.
  public var notices: [StoreNotice] { store.withLock { $0.notices } }

  /// Returns the active runs at this moment, after it has written what time has brought.
  ///
  /// Between user actions this only reads. The first process to call it after a run has ended moves the run
  /// to the history; the first one after a reboot anchors the runs in the new boot.
  ///
  /// - Parameter run: the run that the status is of; `nil` for the current run.
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the snapshots).
  public func status(of run: UUID? = nil) throws(StoreError) -> RunStatus {
    let status = try store.withLock { store throws(StoreError) in try store.settle() }
    return run.map(status.status(of:)) ?? status
  }

  /// Returns the status of each active run at this moment like `status(of:)`: the current run first, then in the order
  /// of their starts.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the snapshots).
  public func runs() throws(StoreError) -> [RunStatus] {
    try status().statuses
  }

  /// Returns the active runs at this moment like `status(of:)`, and never writes to a sound store.
  ///
  /// A damaged store is replaced, and a removed one is made again; `peek(in:)` does neither.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the snapshots).
  public func peek() throws(StoreError) -> RunStatus {
    try store.withLock { store throws(StoreError) in try store.peek() }
  }

  /// Returns the active runs of a directory at this moment; never writes, and needs no store.
  ///
  /// A damaged store is not replaced. Open a `RunStore` to repair it. After a power loss a run may be paused a little
  /// earlier than by `peek()`, because the notifications that were shown are not read.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the snapshots).
  public static func peek(
    in directory: StateDirectory, clock: any ClockSource
  ) throws(StoreError) -> RunStatus {
    try OpenRunStore.peek(in: directory, clock: clock)
  }

  /// Returns the active runs of a directory by the clocks of the system, like `peek(in:clock:)`.
  ///
  /// - Throws: `StoreError`; `SystemError` if a clock cannot be read.
  public static func peek(in directory: StateDirectory) throws -> RunStatus {
    try peek(in: directory, clock: SystemClock())
  }

  /// Starts a run of a sequence.
  ///
  /// A sequence has at most one active run. A timer or a run of cards is a sequence of its own, with an id that follows
  /// from its source and name.
  ///
  /// - Parameters:
  ///   - timeline: the steps of the sequence.
  ///   - options: the choices for this run.
  ///   - source: how the run is started; a timer is never in the way of another run.
  ///   - name: the name of the run, in the form of ``RunName``; `nil` for one that is made from the title.
  ///   - isBeside: whether another active sequence continues beside this one.
  ///   - isReplacing: whether the run in the way is stopped first: of the same sequence, else the current sequence; of
  ///     a timer, only the timer of the same name.
  ///   - firstStep: the index of the step that the run starts at, from 0. The steps before it are neither run nor
  ///     recorded. With endless rounds, it is a step of the first round or before it.
  ///   - isPaused: whether the clock of that step waits until the run is resumed.
  /// - Returns: the status of the new run.
  /// - Throws: `RunError.runActive` if another sequence is active, and neither of the two is chosen,
  ///   `RunError.sequenceActive` if the sequence itself is active and `isReplacing` is false, `RunError.invalidName`,
  ///   `.nameTaken`, `.tooManyRuns`, `.noSuchStep`; `StoreError`.
  @discardableResult
  public func start(
    _ timeline: Timeline, options: RunOptions = .unspecified, source: RunSource = .file, name: String? = nil,
    beside isBeside: Bool = false, replacing isReplacing: Bool = false, firstStep: Int = 0,
    paused isPaused: Bool = false
  ) throws -> RunStatus {
    let start = RunStart(
      source: source, name: name, beside: isBeside, replacing: isReplacing, firstStep: firstStep,
      paused: isPaused)
    return try store.withLock { try $0.start(timeline, options: options, start) }
  }

  /// Applies a command to an active run.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - run: the id of the run; `nil` for the current run.
  ///   - step: the index of the expected current step; `nil` for any step.
  /// - Throws: `RunError` if the command is refused, such as `.justEnded` without a run for two seconds after the
  ///   current run has ended and another one has become it; `StoreError`.
  @discardableResult
  public func perform(
    _ command: RunCommand, on run: UUID? = nil, onStep step: Int? = nil
  ) throws -> PerformedCommand {
    try store.withLock { try $0.perform(command, on: run, onStep: step) }
  }

  /// Returns the ended runs, newest first.
  ///
  /// - Parameter since: the earliest end of a run.
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the history).
  public func history(since: Moment = Moment(microseconds: .min)) throws(StoreError) -> [EndedRun] {
    try store.withLock { store throws(StoreError) in try store.history(since: since) }
  }

  /// Returns the ended run with an id; `nil` if there is none.
  ///
  /// - Throws: `StoreError`.
  public func endedRun(id: UUID) throws(StoreError) -> EndedRun? {
    try store.withLock { store throws(StoreError) in try store.endedRun(id: id) }
  }

  /// Returns the position of a reader that has read all events until now.
  ///
  /// - Throws: `StoreError`.
  public func eventPosition() throws(StoreError) -> EventPosition {
    try store.withLock { store throws(StoreError) in try store.eventPosition(at: clock.now()) }
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
  /// The stream has a thread of its own. It ends if its reader is cancelled, and throws a `StoreError` that doesn't
  /// pass, or a `SystemError`.
  ///
  /// - Parameters:
  ///   - position: the end of the last element that was read, or `eventPosition()`.
  ///   - marks: the remaining times of a countdown that are events, such as 10 s; those up to zero are ignored.
  /// - Complexity: O(events) for each element.
  public func events(
    after position: EventPosition, marks: Set<Duration> = []
  ) -> AsyncThrowingStream<EventBatch, any Error> {
    .ofThread { [self] ending, yield in
      var position = position
      try follow(until: ending) { store in
        let status = try store.settle()
        let batch = try store.pastEvents(after: position, marks, until: status.reading)
        if !batch.runs.isEmpty { yield(batch) }
        position = batch.end
        return status.runs.compactMap { run in
          run.agenda(after: status.reading, marks: marks).first { _ in true }?.at.boot
        }.min()
      }
    }
  }

  /// Handles the events of all runs, each at least once, until the task is cancelled.
  ///
  /// The store keeps the position of the reader: a program that was killed, or whose handler has thrown an error, gets
  /// the same events first. A reader that the store doesn't know begins with the first event of the store.
  ///
  /// - Parameters:
  ///   - reader: the name of the reader, which is one at a time.
  ///   - marks: the remaining times of a countdown that are events, such as 10 s; those up to zero are ignored.
  ///   - isolation: the actor in which the events are handled, which is that of the caller.
  ///   - handle: handles the events that have happened. It may get some twice, so they should have no second effect then.
  /// - Throws: what `handle` throws; `StoreError`, `SystemError`.
  public func handleEvents(
    as reader: String, marks: Set<Duration> = [], isolation: isolated (any Actor)? = #isolation,
    _ handle: (EventBatch) async throws -> Void
  ) async throws {
    // Sequence's own readers have other names.
    let reader = "program " + reader
    let begin = try store.withLock { store throws(StoreError) in
      try store.repairing { () throws(StoreError) in try store.database.position(ofReader: reader) }
    }
    for try await batch in events(after: begin ?? .beginning, marks: marks) {
      try await handle(batch)
      try store.withLock { store throws(StoreError) in
        try store.transaction { _ throws(StoreError) in
          try store.database.store(batch.end, ofReader: reader)
        }
      }
    }
  }

  /// Returns the events of all runs after a position that have happened until now, as `events(after:marks:)` streams
  /// them.
  ///
  /// - Parameters:
  ///   - position: the end of the last element that was read, or `eventPosition()`.
  ///   - marks: the remaining times of a countdown that are events, such as 10 s; those up to zero are ignored.
  /// - Throws: `StoreError`.
  /// - Complexity: O(events).
  public func pastEvents(
    after position: EventPosition, marks: Set<Duration> = []
  ) throws(StoreError) -> EventBatch {
    try store.withLock { store throws(StoreError) in
      try store.pastEvents(after: position, marks, until: store.settle().reading)
    }
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
      return nextChange
    }
  }

  package func reading<Result: Sendable>(
    _ body: @Sendable (OpenStore) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try store.withLock { store throws(StoreError) in try body(store.base) }
  }

  /// Opens the store once more, for one thread.
  package func reopened() throws(StoreError) -> OpenRunStore {
    try OpenRunStore(directory: directory, clock: clock, parts: parts, observers: observers)
  }

  private func follow(until ending: Int32, _ look: (OpenRunStore) throws -> Duration?) throws {
    try followStore(clock, until: ending) {
      try reopened()
    } base: {
      $0.base
    } look: {
      .afterChange(orAt: try look($0))
    }
  }
}
