import SequencePlatform
package import SequenceRunner

/// The progress of a run, by one rule for all displays.
extension ActiveRunSnapshot {
  /// Returns the planned time that is done: skipped steps count, although they took no time, and overtime doesn't.
  package func plannedElapsed(at position: RunPosition) -> Duration {
    timeline.duration(of: 0..<position.step.index) + min(position.elapsed, position.target ?? .zero)
  }

  /// Returns the progress from 0 to 1: in planned time or, while the time left is unknown, in steps.
  ///
  /// - Returns: `nil` for an endless sequence, and for a single step without a duration.
  package func progress(at position: RunPosition) -> Double? {
    if let remaining = position.totalRemaining {
      let done = plannedElapsed(at: position).seconds
      return done / max(1e-9, done + remaining.seconds)
    }
    guard let count = position.stepCount, count > 1 else { return nil }
    return Double(position.step.index) / Double(count)
  }
}
