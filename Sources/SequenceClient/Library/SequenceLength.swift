import Presentation
package import SequenceRunner

/// The number of steps and the length of a sequence.
package struct SequenceLength: Equatable {
  package let steps: Int
  /// The sum of the countdowns.
  package let countdowns: Duration
  /// Whether the countdowns are all of it: no card is a count-up or waits for the user.
  package let isAll: Bool

  package init(_ timeline: Timeline) {
    steps = timeline.count
    countdowns = timeline.duration(of: 0..<timeline.count)
    isAll = timeline.firstStop(from: 0) == timeline.count
  }

  package var stepsText: String { StepText.count(steps) }
  package var timeText: String {
    isAll ? DurationText.format(countdowns) : "at least " + DurationText.format(countdowns)
  }
}
