import Platform
import SequenceRunner

/// Where steps begin and end, of which each is rounded to a nanosecond, and not the durations between them.
///
/// Durations that are rounded one by one add up to a drift; ends that are rounded do not.
struct Boundaries {
  /// Where the steps so far end, by what the file says.
  private(set) var exact: Duration = .zero
  /// Where they end by what is written, in nanoseconds.
  private var written: Int64 = 0

  /// The duration to write for a step; zero if it is shorter than half a nanosecond.
  ///
  /// - Throws: `ImportError` if the step or the whole is longer than a sequence may have it.
  mutating func step(of duration: Duration, line: Int? = nil) throws(ImportError) -> Duration {
    try pass(duration, line: line)
    let end = Boundaries.rounded(exact)
    let step = end - written
    try Boundaries.check(.nanoseconds(step), line)
    written = end
    return .nanoseconds(step)
  }

  /// The durations to write for a round of some steps that is repeated, each round like the first.
  mutating func rounds(
    _ count: Int, of durations: [Duration], line: Int? = nil
  ) throws(ImportError) -> [Duration] {
    var round = Boundaries()
    var steps: [Duration] = []
    for duration in durations { steps.append(try round.step(of: duration, line: line)) }
    try pass(round.exact * count, line: line)
    // It is below the longest total, to within less than a nanosecond a round.
    written += round.written * Int64(count)
    return steps
  }

  private mutating func pass(_ duration: Duration, line: Int?) throws(ImportError) {
    exact += duration
    guard exact <= SequenceLimits.longestTotal else {
      throw ImportError("the whole is longer than 36500 days, which no sequence may be", line: line)
    }
  }

  private static func check(_ duration: Duration, _ line: Int?) throws(ImportError) {
    guard duration <= SequenceLimits.longestDuration else {
      throw ImportError(
        "a step of \(DurationText.format(duration)) is too long", remedy: "a card has at most 30d", line: line
      )
    }
  }

  private static func rounded(_ duration: Duration) -> Int64 {
    (duration + Duration(secondsComponent: 0, attosecondsComponent: 500_000_000)).nanoseconds
  }
}
