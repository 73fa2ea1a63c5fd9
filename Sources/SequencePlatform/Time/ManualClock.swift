import Synchronization

/// Clocks that move only on command, for tests and previews.
///
/// Timers of a store or a scheduler with this clock wait for it, not for the machine's clocks. Moving it wakes them up,
/// and returns without waiting for what they do. A store with this clock is used in one process only.
///
/// It is a clock of Swift, too: tasks that sleep by it continue once it is moved to their time.
public final class ManualClock: ClockSource {
  private struct State {
    /// The reading to which the elapsed time is added, as one sum, so that no step is rounded.
    var base: ClockReading
    var elapsed = Duration.zero
    var timeZone = "GMT"
    var deadlines: [Int32: Duration] = [:]
    /// The descriptors that become readable when the wall clock or the time zone is set.
    var watches: Set<Int32> = []
    var storeWatches: Set<Int32> = []
    var sleepers: [Int: Sleeper] = [:]
    var lastSleeper = 0

    var reading: ClockReading { base.advanced(by: elapsed) }
  }

  private struct Sleeper {
    let deadline: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private let state: Mutex<State>

  /// Clocks that show a reading until they are moved.
  ///
  /// - Parameters:
  ///   - wall: the time on the wall clock.
  ///   - boot: the time since the machine was started.
  ///   - bootID: the identifier of this boot.
  public init(
    wall: Moment = Moment(microseconds: 1_790_000_000_000_000), boot: Duration = .seconds(1000),
    bootID: String = "first-boot"
  ) {
    state = Mutex(State(base: ClockReading(wall: wall, boot: boot, bootID: bootID)))
  }

  /// Reads the clocks.
  public func now() -> ClockReading { state.withLock { $0.reading } }

  /// The clock itself, which moves only on command.
  public var manualClock: ManualClock? { self }

  /// Moves all clocks forward in one step, as a suspend of the machine does.
  ///
  /// - Parameter duration: how far; not negative.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "time passes in one direction; setWall(by:) sets the wall clock back")
    move { $0.elapsed += duration }
  }

  package func advance(untilBoot boot: Duration) {
    move { $0.elapsed = max($0.elapsed, boot - $0.base.boot) }
  }

  private func move(_ change: (inout State) -> Void) {
    let awake = state.withLock { state in
      change(&state)
      let now = state.reading.boot
      for (timer, deadline) in state.deadlines where deadline <= now {
        ManualClock.fire(timer)
        state.deadlines[timer] = nil
      }
      let awake = state.sleepers.filter { $0.value.deadline <= now }
      for number in awake.keys { state.sleepers[number] = nil }
      return awake.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in awake { sleeper.continuation.resume() }
  }

  /// Sets the wall clock forward, or back if the duration is negative; the boot clock is unaffected.
  public func setWall(by duration: Duration) {
    state.withLock { state in
      let base = state.base
      state.base = ClockReading(
        wall: base.wall.advanced(by: duration), boot: base.boot, bootID: base.bootID)
      state.watches.forEach(ManualClock.fire)
    }
  }

  /// Reboots the machine after some time switched off; 5 s of the new boot have passed.
  ///
  /// Programs must have ended before, as on a real machine.
  ///
  /// - Parameter duration: the time that passes on the wall clock.
  public func reboot(after duration: Duration) {
    state.withLock { state in
      let last = state.reading
      state.base = ClockReading(
        wall: last.wall.advanced(by: duration), boot: .seconds(5), bootID: last.bootID + "+")
      state.elapsed = .zero
    }
  }

  /// Sets all clocks at once, without a notice to anybody who waits.
  package func set(to reading: ClockReading) {
    state.withLock { ($0.base, $0.elapsed) = (reading, .zero) }
  }

  /// The identifier of the time zone of the machine, such as `Europe/Berlin`.
  package var timeZone: String {
    get { state.withLock { $0.timeZone } }
    set {
      state.withLock { state in
        state.timeZone = newValue
        state.watches.forEach(ManualClock.fire)
      }
    }
  }
}

/// The timers that wait for the clock. The kernel makes their descriptors readable.
extension ManualClock {
  /// The earliest time that a timer or a task waits for; `nil` if none does.
  package var nextDeadline: Duration? {
    state.withLock { (Array($0.deadlines.values) + $0.sleepers.values.map(\.deadline)).min() }
  }

  /// Has a timer fire at a time, at once if that has passed; `nil` for never.
  func arm(_ timer: Int32, at deadline: Duration?) throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      state.deadlines[timer] = nil
      try DeadlineTimer.set(timer, to: nil)
      guard let deadline else { return }
      if deadline <= state.reading.boot { ManualClock.fire(timer) } else { state.deadlines[timer] = deadline }
    }
  }

  /// Has a timer fire when the wall clock or the time zone is set.
  func watch(with timer: Int32) { state.withLock { _ = $0.watches.insert(timer) } }

  func makeStoreDescriptor() throws(SystemError) -> FileDescriptor {
    let timer = try DeadlineTimer.makeDescriptor()
    state.withLock { _ = $0.storeWatches.insert(timer.number) }
    return timer
  }

  func wakeStoreWatches() { state.withLock { $0.storeWatches.forEach(ManualClock.fire) } }

  func forget(_ timer: Int32) {
    state.withLock { state in
      state.deadlines[timer] = nil
      state.watches.remove(timer)
      state.storeWatches.remove(timer)
    }
  }

  private static func fire(_ timer: Int32) {
    do throws(SystemError) {
      try DeadlineTimer.set(timer, to: .nanoseconds(1))
    } catch {
      // The kernel refuses only descriptors that aren't timers, and timers are forgotten before they are closed.
      preconditionFailure("\(error)")
    }
  }
}

/// Tasks sleep by the boot clock.
extension ManualClock: Clock {
  /// A time on the boot clock, for as long as the machine isn't rebooted.
  public struct Instant: InstantProtocol {
    /// The time since the machine was started.
    public let boot: Duration

    /// The instant at a time since the machine was started.
    public init(boot: Duration) { self.boot = boot }

    /// Returns the instant a duration later.
    public func advanced(by duration: Duration) -> Instant { Instant(boot: boot + duration) }

    /// Returns the duration from this instant to another one.
    public func duration(to other: Instant) -> Duration { other.boot - boot }

    /// Whether one instant is earlier than another.
    public static func < (left: Instant, right: Instant) -> Bool { left.boot < right.boot }
  }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the clock is moved to an instant, or past it.
  ///
  /// - Parameters:
  ///   - deadline: the instant.
  ///   - tolerance: has no effect.
  /// - Throws: `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      state.lastSleeper += 1
      return state.lastSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          // The task was marked before its handler was called, which waits for the lock.
          if Task.isCancelled { return .failure(CancellationError()) }
          if deadline.boot <= state.reading.boot { return .success(()) }
          state.sleepers[number] = Sleeper(deadline: deadline.boot, continuation: continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}

// In the class itself it would be a second declaration of `now()`.
extension ClockSource where Self == ManualClock {
  /// The time on the boot clock.
  public var now: ManualClock.Instant { ManualClock.Instant(boot: now().boot) }
}
