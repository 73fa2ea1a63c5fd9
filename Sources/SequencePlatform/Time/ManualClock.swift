import Synchronization

/// Clocks that move only on command, for tests and previews.
///
/// Timers of a store or a scheduler with this clock wait for it, not for the machine's clocks. Moving it wakes them up,
/// and returns without waiting for what they do. A store with this clock is used in one process only.
public final class ManualClock: ClockSource {
  private struct State {
    /// The reading to which the elapsed time is added, as one sum, so that no step is rounded.
    var base: ClockReading
    var elapsed = Duration.zero
    var timeZone = "GMT"
    /// The deadlines of the armed timers, by descriptor.
    var deadlines: [Int32: Duration] = [:]
    /// The descriptors that become readable when the wall clock or the time zone is set.
    var watches: Set<Int32> = []
    /// The descriptors that become readable when a store with this clock has changed.
    var storeWatches: Set<Int32> = []

    var reading: ClockReading { base.advanced(by: elapsed) }
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

  /// Moves all clocks forward in one step, as a suspend of the machine does.
  ///
  /// - Parameter duration: how far; not negative.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "time passes in one direction; setWall(by:) sets the wall clock back")
    state.withLock { state in
      state.elapsed += duration
      ManualClock.fireTimers(&state)
    }
  }

  /// Moves all clocks forward until the boot clock shows a time, if it doesn't already.
  package func advance(untilBoot boot: Duration) {
    state.withLock { state in
      state.elapsed = max(state.elapsed, boot - state.base.boot)
      ManualClock.fireTimers(&state)
    }
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
  /// The earliest time that a timer waits for; `nil` if none does.
  package var nextDeadline: Duration? { state.withLock { $0.deadlines.values.min() } }

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

  /// Has a timer fire when a store has changed.
  fileprivate func watchStores(with timer: Int32) { state.withLock { _ = $0.storeWatches.insert(timer) } }

  /// Reports that a store with this clock has changed.
  package func reportChange() { state.withLock { $0.storeWatches.forEach(ManualClock.fire) } }

  /// Forgets a timer that is about to be closed.
  func forget(_ timer: Int32) {
    state.withLock { state in
      state.deadlines[timer] = nil
      state.watches.remove(timer)
      state.storeWatches.remove(timer)
    }
  }

  private static func fireTimers(_ state: inout State) {
    let now = state.reading.boot
    for (timer, deadline) in state.deadlines where deadline <= now {
      fire(timer)
      state.deadlines[timer] = nil
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

/// Reports changes of the stores with a manual clock, which are used in one process only.
///
/// The kernel gives a user few watches of directories: a hundred tests side by side would take all of them.
package struct ManualStoreWatch: ~Copyable {
  /// A timer of the kernel, which the clock fires.
  private let timer: DeadlineTimer
  private let clock: ManualClock

  /// Starts to watch.
  package init(_ clock: ManualClock) throws(SystemError) {
    self.clock = clock
    timer = try DeadlineTimer()
    clock.watchStores(with: timer.descriptor)
  }

  deinit { clock.forget(timer.descriptor) }

  /// The descriptor to wait on: readable once a store has changed.
  package var descriptor: Int32 { timer.descriptor }

  /// Takes note of the change, so that the descriptor is no longer readable.
  package func drain() throws(SystemError) { try timer.acknowledge() }
}
