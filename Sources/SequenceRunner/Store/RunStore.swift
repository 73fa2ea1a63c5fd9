public import FoundationEssentials
import Synchronization
// One import of the library is enough.
@_exported public import SequencePlatform
@_exported public import SequenceStore

/// The active runs and the history in a directory.
///
/// Any number of processes may open the same directory, and methods may be called from any thread. Every method reads
/// the runs once, by value. Changes are serialized, none is lost, and each is on disk when the method returns. While
/// another process writes, a method blocks; after 5 s it throws `StoreError.busy`.
public final class RunStore: Sendable {
  package let base: OpenStore
  private let tables: RunTables
  private let parts: [any StorePart]
  private let state = Mutex(State())

  private struct State {
    var takenNotices = 0
    var settledChanges = 0
    var isSettled = true
    var listedSteps = StepChain.fewestListedSteps
  }

  // MARK: - Doors

  /// Opens the store of a directory, and creates it if it is missing.
  ///
  /// A damaged store is moved aside, and its readable data is copied to a new one; `damagedStores` has its path.
  ///
  /// - Throws: `StoreError`, `Problem`; `StoreError.unsuitable` if the directory has notifications of runs, which this
  ///   store would not change with them: then or as soon as it gets them.
  public convenience init(in directory: StateDirectory) throws {
    try self.init(in: directory, clock: SystemClock())
  }

  /// Opens a store that takes its time from a clock.
  ///
  /// - Throws: `StoreError`, like `init(in:)`.
  public convenience init(in directory: StateDirectory, clock: any ClockSource) throws(StoreError) {
    try self.init(in: directory, clock: clock, parts: [], observers: [], isAlone: true)
  }

  /// Opens a store that has more than the tables of runs.
  ///
  /// - Parameters:
  ///   - parts: the owners of further tables.
  ///   - observers: the observers of changes of runs.
  ///   - isAlone: whether a store with notifications is refused.
  /// - Throws: `StoreError`.
  package init(
    in directory: StateDirectory, clock: any ClockSource, parts: [any StorePart],
    observers: [any RunObserver],
    isAlone: Bool = false
  ) throws(StoreError) {
    let tables = RunTables(observers: observers, isAlone: isAlone)
    (self.tables, self.parts) = (tables, parts)
    base = try OpenStore(in: directory, clock: clock, parts: [tables] + parts) {
      path, database throws(StoreError) in try tables.recordReplacement(of: path, by: database)
    }
  }

  /// Opens the store of a directory to read it as it is now, even if it is damaged or of an earlier version.
  ///
  /// Nothing is made, repaired or written: a run that has ended since the last change is not in the history yet. A method
  /// that would change something throws `StoreError.readOnly`. The store is read as it is at each call.
  ///
  /// - Returns: `nil` if the directory has no store.
  /// - Throws: `StoreError`, `Problem`.
  public convenience init?(inspecting directory: StateDirectory) throws {
    try self.init(inspecting: directory, clock: SystemClock())
  }

  /// Opens the store of a directory to read it as it is now, with the time of a clock.
  ///
  /// - Returns: `nil` if the directory has no store.
  /// - Throws: `StoreError`.
  public convenience init?(inspecting directory: StateDirectory, clock: any ClockSource) throws(StoreError) {
    try self.init(inspecting: directory, clock: clock, parts: [], observers: [])
  }

  package init?(
    inspecting directory: StateDirectory, clock: any ClockSource, parts: [any StorePart],
    observers: [any RunObserver]
  ) throws(StoreError) {
    (tables, self.parts) = (RunTables(observers: observers, isAlone: false), parts)
    guard let base = try OpenStore(inspecting: directory, clock: clock, parts: [tables] + parts) else {
      return nil
    }
    self.base = base
  }

  /// Opens the store once more, for another thread that may wait for it.
  package func reopened() throws(StoreError) -> RunStore {
    guard !base.isReadOnly else { throw .readOnly(path: directory.databasePath) }
    return try RunStore(
      in: directory, clock: clock, parts: parts, observers: observers, isAlone: tables.component.refuses)
  }

  // MARK: - State

  /// The directory of the store.
  public var directory: StateDirectory { base.directory }
  /// The source of all readings.
  public var clock: any ClockSource { base.clock }
  package var database: Database { base.database }
  package var generation: Int { base.generation }
  package var isInPlace: Bool { base.isInPlace }
  var observers: [any RunObserver] { tables.observers }

  /// The paths that damaged stores of the directory were moved to by this object, oldest first.
  ///
  /// The runs that could be read are in the store that took the place of each.
  public var damagedStores: [String] {
    notices.map { notice in
      switch notice {
      case .damagedStoreMoved(let path, _, _, _, _): path
      }
    }
  }
  /// The incidents of the store that the user should know about, oldest first.
  package var notices: [StoreNotice] { tables.notices }

  /// Returns the notices that were not taken yet, oldest first.
  package func takeNotices() -> [StoreNotice] {
    let notices = notices
    return state.withLock { state in
      defer { state.takenNotices = notices.count }
      return Array(notices.dropFirst(state.takenNotices))
    }
  }

  /// The number of changes by time that this store has written, such as the end of a run.
  package var settledChanges: Int { state.withLock(\.settledChanges) }
  /// Whether the store had the runs as `peek()` returned them last; `false` if time has changed one since, and
  /// `settle()` hasn't written that.
  package private(set) var isSettled: Bool {
    get { state.withLock(\.isSettled) }
    set { state.withLock { $0.isSettled = newValue } }
  }
  /// The number of steps whose events are listed at least, if many passed in endless rounds.
  package var listedSteps: Int {
    get { state.withLock(\.listedSteps) }
    set { state.withLock { $0.listedSteps = newValue } }
  }

  package func repairing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try base.repairing(body)
  }

  /// Runs a block as one transaction, like `OpenStore.transaction`, at the moment at which the transaction begins.
  func transaction<Result>(
    _ body: (ClockReading) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try base.transaction { _ throws(StoreError) in try body(clock.now()) }
  }

  // MARK: - Reading

  /// Returns the active runs at this moment, after it has written what time has brought.
  ///
  /// Between user actions this only reads. The first process to call it after a run has ended moves the run
  /// to the history; the first one after a reboot anchors the runs in the new boot.
  ///
  /// - Parameter run: the run that the status is of; `nil` for the current run.
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the snapshots).
  public func status(of run: UUID? = nil) throws(StoreError) -> RunStatus {
    let status = try settle()
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
  /// A damaged store is replaced, and a removed one is made again; a store that is only inspected is not.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the snapshots).
  public func peek() throws(StoreError) -> RunStatus {
    try repairing { () throws(StoreError) in
      let reading = clock.now()
      guard base.isCurrent else { return RunStatus(reading: reading, runs: []) }
      let runs = try database.settledRuns(at: reading, asking: observers)
      isSettled = true
      let active = runs.compactMap { stored, settled -> ActiveRunSnapshot? in
        guard case .active(let run) = settled else {
          isSettled = false
          return nil
        }
        if stored.needsAnchor(at: reading) { isSettled = false }
        return run
      }
      return RunStatus(reading: reading, runs: active)
    }
  }

  /// Writes the changes that time has brought, and returns the active runs at this moment.
  ///
  /// Between user actions this only reads. The first process to call it after a run has ended moves the run to the
  /// history; the first one after a reboot anchors the runs in the new boot, all at one moment.
  ///
  /// - Complexity: O(size of the snapshots).
  package func settle() throws(StoreError) -> RunStatus {
    if base.isReadOnly { return try peek() }
    let status = try repairing { () throws(StoreError) -> RunStatus? in
      let reading = clock.now()
      var active: [ActiveRunSnapshot] = []
      for stored in try database.storedRuns() {
        guard case .active(let run) = stored.settled(at: reading), !stored.needsAnchor(at: reading) else {
          return nil
        }
        active.append(run)
      }
      return RunStatus(reading: reading, runs: active)
    }
    if let status { return status }
    return try transaction { reading throws(StoreError) in try settle(at: reading) }
  }

  /// Returns the active runs of a database with the tables of this store at a reading; writes nothing.
  package func peek(in database: Database, at reading: ClockReading) throws(StoreError) -> RunStatus {
    try database.peek(at: reading, asking: observers)
  }

  /// Writes the changes that time has brought, and returns the active runs; must be called in a transaction.
  func settle(at reading: ClockReading) throws(StoreError) -> RunStatus {
    var active: [ActiveRunSnapshot] = []
    for (stored, settled) in try database.settledRuns(at: reading, asking: observers) {
      switch settled {
      case .active(let run):
        active.append(run)
        guard stored.needsAnchor(at: reading) else { continue }
        try write(settled, before: stored, at: reading, cause: run.suspend == nil ? .anchored : .returned)
      case .ended: try write(settled, before: stored, at: reading, cause: .ranOut)
      }
      state.withLock { $0.settledChanges += 1 }
    }
    return RunStatus(reading: reading, runs: active)
  }

  func write(
    _ state: SettledRun, changed: SettledRun? = nil, before: ActiveRunSnapshot?, at reading: ClockReading,
    cause: RunChange.Cause
  ) throws(StoreError) {
    let change = RunChange(
      before: before, changed: changed ?? state, after: state, reading: reading, cause: cause)
    try tables.write(change, to: database)
  }
}

extension ActiveRunSnapshot {
  /// Whether the step's clock was started in another boot, or stopped for a suspend in which its boot ended.
  func needsAnchor(at reading: ClockReading) -> Bool {
    switch current.clock {
    case .running(let since, _): since.bootID != reading.bootID
    case .suspended(_, let suspend): suspend.until == nil && suspend.since.bootID != reading.bootID
    case .paused: false
    }
  }
}
