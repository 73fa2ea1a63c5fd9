import SequenceRunner

extension ActiveRunSnapshot {
  /// When the run will next do something by itself, on the boot clock: a step ends, or its goal is reached.
  func nextChange(at reading: Reading) -> Duration? {
    guard !isPaused, let target else { return nil }
    let left = target - elapsed(at: reading)
    return left > .zero ? reading.boot + left : nil
  }

  /// When the whole seconds that are shown of the run change next, on the boot clock.
  func nextTick(at reading: Reading) -> Duration? {
    guard !isPaused else { return nil }
    let elapsed = elapsed(at: reading)
    let second = Int64(1_000_000_000)
    // What is left of a countdown is rounded up: it changes as what is left becomes whole.
    let phase =
      if case .countdown = card.timing, let target, elapsed < target {
        (target - elapsed).nanoseconds % second
      } else {
        second - elapsed.nanoseconds % second
      }
    return reading.boot + .nanoseconds(phase == 0 ? second : phase)
  }
}
