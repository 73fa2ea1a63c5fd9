import Platform
import SequenceRunner

/// When to look again. All follows from the reading of the look itself: at a later one the step may be over, and its
/// end would be waited for in vain.
extension RunStatus {
  /// When the run does something by itself after the look, on the boot clock: a step ends, or its goal is reached.
  package var nextChange: Duration? { next([]) }

  /// When any of the whole seconds that are shown of the run changes after the look, on the boot clock.
  ///
  /// Steps that were skipped and lengths that are no whole seconds let each of them change at a time of its own.
  package var nextTick: Duration? { next(.all) }

  /// When the run does something by itself, or one of some clocks shows another second, on the boot clock.
  ///
  /// `nil` if nothing of that will happen before the user does something.
  package func next(_ beats: VisibleClocks) -> Duration? {
    guard let position, position.state != .paused else { return nil }
    let untilTarget = position.target.flatMap { position.elapsed < $0 ? $0 - position.elapsed : nil }
    let until = [untilTarget, position.untilNext(beats)].compactMap { $0 }.min()
    return until.map { reading.boot + $0 }
  }
}

extension RunPosition {
  /// The time until the first of some clocks of the running step shows another second; `nil` if all stand still.
  fileprivate func untilNext(_ beats: VisibleClocks) -> Duration? {
    let isOver = overtime > .zero || elapsed == target
    var times: [Duration?] = []
    if beats.contains(.elapsed) || beats.contains(.time) && remaining == nil {
      times.append(RunPosition.untilMore(elapsed))
    }
    if beats.contains(.remaining) || beats.contains(.time) {
      times.append(remaining.flatMap(RunPosition.untilLess))
    }
    if isOver, beats.contains(.overtime) || beats.contains(.time) && remaining != nil {
      times.append(RunPosition.untilMore(overtime))
    }
    if beats.contains(.totalElapsed) { times.append(RunPosition.untilMore(totalElapsed)) }
    // What is ahead stays as it is while the step is past its time.
    if !isOver, beats.contains(.totalRemaining) {
      times.append(totalRemaining.flatMap(RunPosition.untilLess))
    }
    return times.compactMap { $0 }.min()
  }

  /// The time until a duration that grows, and is shown rounded down, has one more whole second.
  private static func untilMore(_ time: Duration) -> Duration {
    .nanoseconds(second - time.nanoseconds % second)
  }

  /// The time until a duration that shrinks, and is shown rounded up, has one whole second less; `nil` if it is none.
  private static func untilLess(_ time: Duration) -> Duration? {
    guard time > .zero else { return nil }
    let part = time.nanoseconds % second
    return .nanoseconds(part == 0 ? second : part)
  }

  private static let second: Int64 = 1_000_000_000
}
