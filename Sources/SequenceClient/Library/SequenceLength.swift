import SequencePresentation
package import SequenceRunner

package struct SequenceLength: Equatable {
  package let steps: Int?
  /// The number of steps with one round of an endless group.
  private let listed: Int
  private let countdowns: Duration
  /// Whether no card is a count-up or waits for the user.
  private let endsByItself: Bool

  package init(_ timeline: Timeline) {
    steps = timeline.count
    listed = timeline.listedCount
    countdowns = timeline.duration(of: 0..<listed)
    endsByItself = timeline.firstStop(from: 0) == nil
  }

  /// The length from the first to the last step; `nil` if it is endless or depends on the user.
  package var duration: Duration? { steps != nil && endsByItself ? countdowns : nil }

  package var stepsText: String { StepText.count(listed) }
  package var timeText: String { timeText(DurationText.format) }

  package func timeText(_ format: (Duration) -> String) -> String {
    if let duration { return format(duration) }
    if steps == nil { return "endless" }
    return countdowns == .zero ? "no fixed length" : "at least " + format(countdowns)
  }
}
