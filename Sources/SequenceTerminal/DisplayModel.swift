import SequencePresentation
import SequenceRunner

/// The contents of the live display at one moment.
///
/// The model is a value and reads no clock: its creator reads the run once and derives everything from that.
package struct DisplayModel: Equatable, Sendable {
  /// The title of the sequence.
  var sequenceTitle: String
  /// The title of the current step's card.
  package var stepTitle: String
  /// Advice for the person who does the card; `nil` without a note.
  var note: String?
  /// The state of the run.
  var state: State
  /// The suspend that the run is paused for; `nil` if there is none whose time can still be counted.
  var suspend: String?
  /// The time in large digits: whole seconds, never negative.
  ///
  /// Use `remaining(_:)` for a countdown and `elapsed(_:)` for all other states. In overtime it is the time
  /// since zero; at the end it is the duration of the whole run.
  var time: Duration
  /// The progress of the step, from 0 to 1; `nil` for a step without a duration or goal.
  var stepProgress: Double?
  /// The progress of the run, from 0 to 1; `nil` for an endless sequence, and for a single count-up.
  var wholeProgress: Double?
  /// The active time of the run so far.
  var totalElapsed: Duration
  /// The time left until the end of the run; `nil` like the progress.
  var totalRemaining: Duration?
  /// The clock time of the end of the run; `nil` if it is unknown.
  var end: String? = nil
  /// The position of the current step, from 0.
  var stepIndex: Int
  /// The number of steps; `nil` for an endless sequence.
  var stepCount: Int?
  /// The current round of each group around the card, outermost first.
  var rounds: [Step.Round]
  /// The next step; `nil` in the last step.
  var next: Next?
  /// A message that replaces the help on keys.
  package var message: String?

  /// The activity of a step.
  enum Activity: Equatable, Sendable {
    /// Counting down; `time` is the time left.
    case countdown
    /// Waiting after a countdown; `time` is the time since its end.
    case overtime
    /// Counting up, to a goal if there is one that has not been reached.
    case countUp(goal: Duration?)
    /// Counting up after the goal was reached; `time` is the elapsed time of the step.
    case goalPassed(goal: Duration)
  }

  /// The state of a run.
  enum State: Equatable, Sendable {
    /// The step's clock is running.
    case running(Activity)
    /// The step's clock is stopped.
    case paused(Activity)
    /// The last step is complete.
    case finished
    /// The run was stopped before its end.
    case stopped
  }

  /// An upcoming step.
  package struct Next: Equatable, Sendable {
    /// The title of its card.
    var title: String
    /// The timing of its card.
    var timing: Timing
  }

  /// Returns a remaining time for display: rounded up, so that zero appears only at the end.
  static func remaining(_ duration: Duration) -> Duration {
    .seconds(max(0, ClockText.wholeSecondsUp(duration)))
  }

  /// Returns an elapsed time for display: rounded down, so that a second appears only when it is complete.
  static func elapsed(_ duration: Duration) -> Duration {
    .seconds(max(0, ClockText.wholeSecondsDown(duration)))
  }

  /// Whether a countdown is in its last three seconds.
  var isInLastSeconds: Bool { state == .running(.countdown) && time <= .seconds(3) }
}
