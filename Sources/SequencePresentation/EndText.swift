package import SequencePlatform
package import SequenceRunner

/// The ends of steps and runs as clock times, such as `14:35`; after the date if they are not today's.
package enum EndText {
  /// Returns the time at which the countdown of a step is over; `nil` in overtime, in a pause and for a count-up.
  ///
  /// - Parameter now: the wall clock at the position.
  package static func step(_ position: RunPosition, at now: Moment) -> String? {
    guard position.state == .running, let left = position.remaining else { return nil }
    return clock(now, after: left)
  }

  /// Returns the time at which a run ends; `nil` in a pause, in an endless sequence, and if the run waits for the user
  /// before.
  ///
  /// - Complexity: O(log steps).
  package static func run(_ run: ActiveRunSnapshot, _ position: RunPosition, at now: Moment) -> String? {
    guard position.state == .running, run.timeline.firstStop(from: position.step.index) == nil,
      let left = position.totalRemaining
    else { return nil }
    return clock(now, after: left)
  }

  /// Returns the clock time after a duration.
  ///
  /// It is rounded to seconds, so that an end on the full minute is not shown as the minute before because two clocks
  /// were read one after the other.
  package static func clock(_ now: Moment, after duration: Duration) -> String {
    let end = now.advanced(by: duration).microseconds + 500_000
    return LocalTime.clock(of: Moment(microseconds: end - end % 1_000_000), now: now)
  }
}
