import Presentation
import SequenceRunner

/// How much a sequence is.
struct SequenceLength: Equatable {
  let steps: Int
  /// The countdowns together.
  let countdowns: Duration
  /// Whether that is all: no card is a count-up or waits for the user.
  let isAll: Bool

  init(_ timeline: Timeline) {
    steps = timeline.count
    countdowns = timeline.duration(of: 0..<timeline.count)
    isAll = timeline.firstStop(from: 0) == timeline.count
  }

  var stepsText: String { StepText.count(steps) }
  var timeText: String {
    isAll ? DurationText.format(countdowns) : DurationText.format(countdowns) + " and more"
  }
}
