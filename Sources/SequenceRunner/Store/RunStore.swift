public import FoundationEssentials
public import SequencePlatform
public import SequenceStore
import Synchronization

/// The active run and the history in a directory.
///
/// Any number of processes may open the same directory, and methods may be called from any thread. Every method reads
/// the run once, by value. Changes are serialized, none is lost, and each is on disk when the method returns. While
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

  /// Returns the active run at this moment, after it has written what time has brought.
  ///
  /// Between user actions this only reads. The first process to call it after a run has ended moves the run
  /// to the history; the first one after a reboot anchors the run in the new boot.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the snapshot).
  public func status() throws(StoreError) -> RunStatus {
    try store.withLock { store throws(StoreError) in try store.settle() }
  }

  /// Returns the active run at this moment like `status()`, and never writes.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the snapshot).
  public func peek() throws(StoreError) -> RunStatus {
    try store.withLock { store throws(StoreError) in try store.status() }
  }

  /// Returns the active run of a directory at this moment; never writes, and needs no store.
  ///
  /// A damaged store is not replaced. Open a `RunStore` to repair it.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the snapshot).
  public static func peek(
    in directory: StateDirectory, clock: any ClockSource
  ) throws(StoreError) -> RunStatus {
    try OpenRunStore.status(of: directory, clock: clock)
  }

  /// Starts a run of a sequence.
  ///
  /// - Parameters:
  ///   - timeline: the steps of the sequence.
  ///   - options: the choices for this run.
  ///   - isReplacing: whether to stop an active run first.
  /// - Throws: `RunError.runActive` if a run is active and `isReplacing` is false; `StoreError`.
  @discardableResult
  public func start(
    _ timeline: Timeline, options: RunOptions = .unspecified, replacing isReplacing: Bool = false
  ) throws -> RunStatus {
    try store.withLock { try $0.start(timeline, options: options, replacing: isReplacing) }
  }

  /// Applies a command to the active run.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - step: the index of the expected current step; `nil` for any step.
  ///   - run: the id of the expected active run; `nil` for any run.
  /// - Throws: `RunError` if the command is refused; `StoreError`.
  @discardableResult
  public func perform(
    _ command: RunCommand, onStep step: Int? = nil, ofRun run: UUID? = nil
  ) throws -> PerformedCommand {
    try store.withLock { try $0.perform(command, onStep: step, ofRun: run) { _, _ in } }
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

  /// Starts a stream of the active run: at once, and after each change by a command of any process or by time.
  ///
  /// Time changes the run at the end of a step, at the goal of a count-up and at the start of overtime. A slow reader
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
  ///   - marks: the remaining times of a countdown that are events, such as 10 s.
  /// - Complexity: O(events) for each element.
  public func events(
    after position: EventPosition, marks: Set<Duration> = []
  ) -> AsyncThrowingStream<RunEvents, any Error> {
    .ofThread { [self] ending, yield in
      var position = position
      try follow(until: ending) { store in
        let status = try store.settle()
        let (runs, end) = try store.pastEvents(after: position, marks, until: status.reading)
        runs.forEach(yield)
        position = end
        return status.run?.agenda(after: status.reading, marks: marks).first { _ in true }?.at.boot
      }
    }
  }

  /// Returns the events of all runs after a position that have happened until now, as `events(after:marks:)` streams
  /// them.
  ///
  /// - Parameters:
  ///   - position: the end of the last element that was read, or `eventPosition()`.
  ///   - marks: the remaining times of a countdown that are events, such as 10 s.
  /// - Throws: `StoreError`.
  /// - Complexity: O(events).
  public func pastEvents(
    after position: EventPosition, marks: Set<Duration> = []
  ) throws(StoreError) -> [RunEvents] {
    try store.withLock { store throws(StoreError) in
      try store.pastEvents(after: position, marks, until: store.settle().reading).runs
    }
  }

  /// Passes the active run on at once, and after each change.
  func followStatuses(until ending: Int32, _ yield: (RunStatus) -> Void) throws {
    var last: (run: ActiveRunSnapshot?, nextChange: Duration?)?
    try follow(until: ending) { store in
      let status = try store.settle()
      let isUnchanged = last.map { last in
        last.run == status.run && last.nextChange.map { status.reading.boot < $0 } ?? true
      }
      if isUnchanged != true { yield(status) }
      last = (status.run, status.nextChange)
      return status.nextChange
    }
  }

  /// Runs a block with the store that is open.
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
