import Glibc
import NotifierLedger
package import SequencePlatform
package import SequenceStore

/// The delivery loop of an agent or a scheduler: acts, then waits for events.
package final class DeliveryLoop {
  private let store: OpenStore
  private let courier: Courier
  private let desktop: any DesktopConnection
  private let delegate: any DeliveryDelegate
  private let waiter: StoreWaiter
  private let clockSet: ClockSetWatch
  private let onFailure: (any Error) -> Void
  private var events: [DesktopEvent] = []
  private var hasTakenOver = false
  private var isClockSet = false
  private var failure: StoreError?
  private var ready: [Int32] = []

  /// How long to wait before a store that could not be used is tried again.
  package static let retryInterval = Duration.seconds(1)

  package enum Ending {
    /// Something happened; these of the descriptors that were waited for are readable.
    case ready([Int32])
    case nothingToDo
    case storeReplaced
  }

  /// - Parameter onFailure: receives a transient failure of the store, once until another one occurs.
  package init(
    _ store: OpenStore, _ courier: Courier, _ desktop: any DesktopConnection,
    delegate: any DeliveryDelegate, onFailure: @escaping (any Error) -> Void
  ) throws(SystemError) {
    self.store = store
    self.courier = courier
    self.desktop = desktop
    self.delegate = delegate
    self.onFailure = onFailure
    // Only this connection can read the numbers of the notifications of a store that was removed.
    store.opensReplacement = false
    waiter = try StoreWaiter(store)
    clockSet = try store.clock.makeSetWatch()
  }

  /// Does what there is to do, and waits until there is more, or one of some descriptors is readable.
  ///
  /// - Parameters:
  ///   - time: when to return even if nothing happens, on the boot clock; `nil` for never.
  ///   - isEnding: whether the due notifications are the last ones.
  ///   - willWait: called before it waits: what there was to do is done, or has to wait for the store.
  ///   - isDone: asked when nothing is left to do; whether that ends the loop.
  package func turn(
    or descriptors: [Int32], until time: Duration? = nil, isEnding: Bool = false,
    willWait: () throws -> Void = {}, isDone: () throws -> Bool
  ) throws -> Ending {
    guard store.isInPlace else {
      try closeUnknown()
      return .storeReplaced
    }
    events += try desktop.takeEvents()
    var wakes: [Duration?] = []
    var hasFailed = false
    do {
      // The program's own data first, for example after a suspend; everything else uses this one reading.
      var turn = try delegate.beginTurn()
      if !hasTakenOver {
        try courier.takeOver(at: turn)
        hasTakenOver = true
      }
      if isClockSet {
        try courier.clockWasSet(at: turn.reading)
        isClockSet = false
      }
      while let event = events.first {
        try courier.receive(event, at: turn)
        // An event is done with once it is recorded.
        events.removeFirst()
        // A button may have changed the run.
        turn = try delegate.beginTurn()
      }
      if let order = try courier.advance(at: turn) { desktop.send(order) }
      // The order is on its way; the following work cannot delay it.
      try turn.finish(ready)
      if try courier.hasNothingToWaitFor(), try turn.hasNothingToWaitFor(), try isDone() {
        return .nothingToDo
      }
      if isEnding, try !courier.isBusy(at: turn.reading) { return .nothingToDo }
      wakes = [try courier.nextWake(), delegate.nextWake]
      failure = nil
    } catch let error as StoreError where error.mayPass {
      if failure != error { onFailure(error) }
      failure = error
      wakes = [store.clock.now().boot + DeliveryLoop.retryInterval]
      // A busy store was waited for, and nothing was written; its next change is the time to try again.
      if case .busy = error {} else { hasFailed = true }
    }
    let wake = (wakes + [time]).compactMap { $0 }.min()
    desktop.rest(until: wake)
    try willWait()
    // In a turn that failed, the delegate took nothing from its descriptors, and what was written of the attempt is a
    // change of the store itself: either would end the waiting at once.
    let own = [desktop.descriptor, clockSet.descriptor] + (hasFailed ? [] : delegate.descriptors)
    ready = try waiter.wait(until: wake, or: descriptors + own, ignoringChanges: hasFailed)
    if ready.contains(clockSet.descriptor) {
      try clockSet.acknowledge()
      isClockSet = true
    }
    return .ready(ready)
  }

  /// Delivers until a descriptor is readable and no notification is due, or another store takes the place of this one.
  ///
  /// - Parameters:
  ///   - ending: the descriptor that ends the loop.
  ///   - descriptors: other descriptors to wait on.
  ///   - react: called after each wait with the descriptors that are readable.
  /// - Returns: whether there is another store.
  package func run(
    until ending: Int32, or descriptors: [Int32] = [], react: ([Int32]) throws -> Void
  ) throws -> Bool {
    // By the machine's time: who waits for the end of a manual clock's scheduler doesn't move the clock.
    let limit = try DeadlineTimer()
    var isEnding = false
    while true {
      let own = isEnding ? limit.descriptor : ending
      switch try turn(or: [own] + descriptors, isEnding: isEnding, isDone: { false }) {
      case .ready(let ready):
        if !isEnding, ready.contains(ending) {
          isEnding = true
          try limit.arm(SystemClock.sinceBoot() + desktop.endingLimit)
        } else if isEnding, ready.contains(limit.descriptor), !ready.contains(desktop.descriptor) {
          return false
        }
        try react(ready)
      case .nothingToDo: if isEnding { return false }
      case .storeReplaced: return true
      }
    }
  }

  /// Has the next turn update the entries that follow the wall clock or the calendar.
  package func followClocks() { isClockSet = true }

  /// Closes the notifications that the store in place, if any, does not know.
  ///
  /// Only the store that was opened has their numbers. It can still be read after it was removed or renamed, but not if
  /// the index of its log was cut off.
  private func closeUnknown() throws {
    // The next agent has the store that takes the place, and takes them over.
    guard !Database.isBeingReplaced(store.directory.databasePath) else { return }
    let former = live()
    var known: [ShownNotification] = []
    if store.directory.hasStore {
      do throws(StoreError) {
        try store.reopen()
        known = try store.ledger.live().compactMap(\.shown)
      } catch {
        // The next agent takes over what a store has that can't be read now.
        return onFailure(error)
      }
    }
    let orphans = former.filter { $0.shown.map { !known.contains($0) } ?? false }
    for entry in orphans {
      desktop.send(.callOff(entry: entry.number))
      if let order = courier.closing(entry) { desktop.send(order) }
    }
    let timer = try store.clock.makeTimer()
    let limit = store.clock.now().boot + DeliveryLoop.closingLimit
    try timer.arm(limit)
    var open = Set(orphans.map(\.number))
    while !open.isEmpty {
      desktop.rest(until: limit)
      let ready = try waitUntilReadable([desktop.descriptor, timer.descriptor])
      for event in try desktop.takeEvents() { if let entry = event.closedEntry { open.remove(entry) } }
      if ready.contains(timer.descriptor) { return }
    }
  }

  private func live() -> [LedgerEntry] {
    do throws(StoreError) { return try store.ledger.live() } catch { return [] }
  }

  private static let closingLimit = Duration.seconds(2)
}

/// The thread that delivers from a store for a program, as long as it is held; one in a directory.
package final class DeliveryThread: Sendable {
  private let ending: MessageQueue<Void>
  private let end = DeliveryEnd()

  /// Takes the lock of a directory, connects to the desktop, and starts to deliver.
  ///
  /// - Parameters:
  ///   - onFailure: receives the error that has ended the delivery; called in the thread.
  ///   - deliver: delivers from one store through a connection, until a descriptor is readable; returns whether another
  ///     store has taken the place of that store. Called in the thread.
  ///   - atEnd: called in the thread after all of that.
  package init(
    in directory: StateDirectory, _ clock: any ClockSource, _ application: NotifyingApplication,
    through desktop: Desktop,
    onFailure: @escaping @Sendable (any Error) -> Void,
    deliver: @escaping @Sendable (_ connection: any DesktopConnection, _ ending: Int32) throws -> Bool,
    atEnd: @escaping @Sendable () -> Void = {}
  ) throws {
    if let required = desktop.clock, required !== clock.manualClock { throw SchedulerError.otherClock }
    let ending = try MessageQueue<Void>()
    self.ending = ending
    let lock = try FileLock(path: directory.agentLockPath)
    guard try lock.take() else { throw SchedulerError.directoryInUse(directory.path) }
    let holder = LockHolder(lock)
    let first = try desktop.connect(application, clock, directory)
    let end = end
    do {
      try startThread {
        do {
          var connection = first
          let delivering = Result {
            while try deliver(connection, ending.descriptor) {
              // Another store has the same numbers for other entries: answers to earlier orders must not reach it.
              try connection.end()
              connection = try desktop.connect(application, clock, directory)
            }
          }
          try connection.end()
          try delivering.get()
        } catch {
          onFailure(error)
        }
        atEnd()
        // Held until here, so that no other process delivers from the directory before this one has ended.
        do throws(SystemError) { try holder.release() } catch { onFailure(error) }
        end.complete()
      }
    } catch {
      try first.end()
      throw error
    }
  }

  deinit { ending.put(()) }

  package func shutdown() async {
    ending.put(())
    await end.wait()
  }
}

/// Shares a lock with the thread that gives it back.
private final class LockHolder: Sendable {
  private let lock: FileLock

  init(_ lock: consuming FileLock) {
    self.lock = lock
  }

  func release() throws(SystemError) { try lock.release() }
}
