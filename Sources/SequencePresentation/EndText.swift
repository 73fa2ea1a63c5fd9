package import SequencePlatform

/// The ends of steps and runs as clock times, such as `14:35`; after the date if they are not today's.
package enum EndText {
  /// Returns the clock time after a duration.
  ///
  /// It is rounded to seconds, so that an end on the full minute is not shown as the minute before because two clocks
  /// were read one after the other.
  package static func clock(_ now: Moment, after duration: Duration) -> String {
    let end = now.advanced(by: duration).microseconds + 500_000
    return LocalTime.clock(of: Moment(microseconds: end - end % 1_000_000), now: now)
  }
}
