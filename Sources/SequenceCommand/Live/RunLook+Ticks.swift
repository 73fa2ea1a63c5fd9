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

  /// When the whole seconds that are shown of the run change after the look, on the boot clock.
  var nextTick: Duration? {
    guard let run, !run.isPaused else { return nil }
    let elapsed = run.elapsed(at: reading)
    let second = Int64(1_000_000_000)
    // What is left of a countdown is rounded up: it changes as what is left becomes whole.
    let phase =
      if case .countdown = run.card.timing, let target = run.target, elapsed < target {
        (target - elapsed).nanoseconds % second
      } else {
        second - elapsed.nanoseconds % second
      }
    return reading.boot + .nanoseconds(phase == 0 ? second : phase)
  }
}
