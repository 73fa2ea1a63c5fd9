import SequencePlatform
import SequenceRunner

/// The boundaries of steps, rounded to milliseconds.
///
/// Programs write 90 s as `90.00001`. Durations that are rounded one by one would add up to a
/// drift; rounded boundaries do not.
struct Boundaries {
  /// The exact end of the steps so far, from the file.
  private(set) var exact: Duration = .zero
  /// The rounded end of the steps so far.
  private var written: Duration = .zero

  /// Adds a step and returns its rounded duration; zero if it is shorter than half a millisecond.
  ///
  /// - Throws: `ImportError` if the step or the total exceeds the limits of a sequence.
  mutating func step(of duration: Duration, line: Int? = nil) throws(ImportError) -> Duration {
    try pass(duration, line: line)
    let end = Boundaries.rounded(exact)
    let step = end - written
    try Boundaries.check(step, line)
    written = end
    return step
  }

  /// Adds rounds of the same steps, and returns the rounded durations of one round.
  mutating func rounds(
    _ count: Int, of durations: [Duration], line: Int? = nil
  ) throws(ImportError) -> [Duration] {
    var round = Boundaries()
    var steps: [Duration] = []
    for duration in durations { steps.append(try round.step(of: duration, line: line)) }
    // All rounds have the rounded durations, so the steps after them begin at their sum.
    try pass(round.written * count, line: line)
    written += round.written * count
    return steps
  }

  private mutating func pass(_ duration: Duration, line: Int?) throws(ImportError) {
    exact += duration
    guard exact <= SequenceLimits.longestTotal else {
      throw ImportError("the workout is longer than 36500 days", line: line)
    }
  }

  private static func check(_ duration: Duration, _ line: Int?) throws(ImportError) {
    guard duration <= SequenceLimits.longestDuration else {
      throw ImportError(
        "a step of \(DurationText.format(duration)) is too long", remedy: "a card can last 30d at most",
        line: line
      )
    }
  }

  /// Returns a time from the start, rounded to a millisecond.
  static func rounded(_ duration: Duration) -> Duration {
    .milliseconds((duration + .microseconds(500)).nanoseconds / 1_000_000)
  }
}
