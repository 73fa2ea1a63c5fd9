import SequencePlatform
import SequenceRunner

/// The times of the next updates of a display.
///
/// They are calculated from the reading of the status itself. At a later reading the step could be over, so
/// its end would be missed.
extension RunStatus {
  /// The next time that any displayed number of seconds changes, on the boot clock.
  ///
  /// After skipped steps or steps with fractions of a second, each clock changes at a different time.
  package var nextTick: Duration? { next(.all) }

  /// The next time that the minutes of the step change, on the boot clock: those left, rounded up, or those of a
  /// count-up, rounded down.
  ///
  /// `nil` if nothing changes until the user acts.
  package var nextMinute: Duration? {
    guard let position, position.state != .paused else { return nil }
    let change =
      if let remaining = position.remaining {
        RunPosition.untilLess(remaining, RunPosition.minute)
      } else {
        Optional(RunPosition.untilMore(position.elapsed, RunPosition.minute))
      }
    return [nextChange, change.map { reading.boot + $0 }].compactMap { $0 }.min()
  }

  /// Returns the next change of the run or of one of the given clocks, on the boot clock.
  ///
  /// - Returns: `nil` if nothing changes until the user acts.
  package func next(_ clocks: VisibleClocks) -> Duration? {
    guard let position, position.state != .paused else { return nil }
    let tick = position.untilNext(clocks).map { reading.boot + $0 }
    return [nextChange, tick].compactMap { $0 }.min()
  }
}

extension RunPosition {
  /// Returns the time until one of the given clocks of the step shows another second; `nil` if all are
  /// stopped.
  fileprivate func untilNext(_ clocks: VisibleClocks) -> Duration? {
    let isOver = overtime > .zero || elapsed == target
    var times: [Duration?] = []
    if clocks.contains(.elapsed) || clocks.contains(.time) && remaining == nil {
      times.append(RunPosition.untilMore(elapsed))
    }
    if clocks.contains(.remaining) || clocks.contains(.time) {
      times.append(remaining.flatMap { RunPosition.untilLess($0) })
    }
    if isOver, clocks.contains(.overtime) || clocks.contains(.time) && remaining != nil {
      times.append(RunPosition.untilMore(overtime))
    }
    if clocks.contains(.totalElapsed) { times.append(RunPosition.untilMore(totalElapsed)) }
    // The time left after the step does not change while the step is in overtime.
    if !isOver, clocks.contains(.totalRemaining) {
      times.append(totalRemaining.flatMap { RunPosition.untilLess($0) })
    }
    return times.compactMap { $0 }.min()
  }

  /// Returns the time until a growing duration, shown rounded down, gains a unit.
  fileprivate static func untilMore(_ time: Duration, _ unit: Int64 = second) -> Duration {
    .nanoseconds(unit - time.nanoseconds % unit)
  }

  /// Returns the time until a shrinking duration, shown rounded up, loses a unit; `nil` at zero.
  fileprivate static func untilLess(_ time: Duration, _ unit: Int64 = second) -> Duration? {
    guard time > .zero else { return nil }
    let part = time.nanoseconds % unit
    return .nanoseconds(part == 0 ? unit : part)
  }

  fileprivate static let second: Int64 = 1_000_000_000
  fileprivate static let minute: Int64 = 60 * second
}
