import SequenceRunner

/// When to look again. Both follow from the reading of the look itself: at a later one the step may be over, and its
/// end would be waited for in vain.
extension RunLook {
  /// When the run does something by itself after the look, on the boot clock: a step ends, or its goal is reached.
  var nextChange: Duration? {
    guard let run, !run.isPaused, let target = run.target else { return nil }
    let left = target - run.elapsed(at: reading)
    return left > .zero ? reading.boot + left : nil
  }

  /// When any of the whole seconds that are shown of the run changes after the look, on the boot clock.
  ///
  /// Steps that were skipped and lengths that are no whole seconds let each of them change at a time of its own.
  var nextTick: Duration? {
    guard let position, position.state != .paused else { return nil }
    var untilTick = min(untilMore(position.elapsed), untilMore(position.totalElapsed))
    if let target = position.target {
      let left = target - position.elapsed
      untilTick = min(untilTick, left > .zero ? untilLess(left) : untilMore(.zero - left))
    }
    if let left = position.totalRemaining { untilTick = min(untilTick, untilLess(left)) }
    return reading.boot + untilTick
  }

  /// How long until a time that grows has one more whole second.
  private func untilMore(_ time: Duration) -> Duration {
    .nanoseconds(RunLook.second - time.nanoseconds % RunLook.second)
  }

  /// How long until a time that shrinks, and is shown rounded up, has one whole second less.
  private func untilLess(_ time: Duration) -> Duration {
    let part = time.nanoseconds % RunLook.second
    return .nanoseconds(part == 0 ? RunLook.second : part)
  }

  private static let second: Int64 = 1_000_000_000
}
