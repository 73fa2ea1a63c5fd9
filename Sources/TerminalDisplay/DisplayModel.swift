import Presentation
import SequenceRunner

/// What the live display shows at one moment.
///
/// A value without a clock: who makes it has read the run once and derived all of this from that.
package struct DisplayModel: Equatable, Sendable {
  /// The title of the sequence.
  var sequenceTitle: String
  /// The title of the current step's card.
  package var stepTitle: String
  /// What to keep in mind while doing it.
  var note: String?
  /// What is going on.
  var state: State
  /// What the machine was away for, where the run is paused because of that and the time can still be counted.
  var suspend: String?
  /// The time in large digits: whole seconds, never negative.
  ///
  /// Make it with `remaining(_:)` for a countdown and with `elapsed(_:)` for all else. In overtime it is what
  /// has passed since zero, at the end what the whole run took.
  var time: Duration
  /// How much of the step is done, from 0 to 1; `nil` where it has no end to be measured by.
  var stepProgress: Double?
  /// How much of the run is done, from 0 to 1; `nil` while a count-up is ahead.
  var wholeProgress: Double?
  /// How long the run has taken so far, pauses left out.
  var totalElapsed: Duration
  /// How long the run will take from here; `nil` while a count-up is ahead.
  var totalRemaining: Duration?
  /// The place of the current step, from 0.
  var stepIndex: Int
  /// How many steps there are.
  var stepCount: Int
  /// Which round of each group around the card this is, outermost first.
  var rounds: [Step.Round]
  /// What comes after this step; `nil` if nothing does.
  var next: Next?
  /// One line that somebody should see now, in the place of the help on keys.
  package var message: String?

  /// What a step is doing.
  enum Activity: Equatable, Sendable {
    /// Time is running down; `time` is what is left.
    case countdown
    /// A manual card is past its time; `time` is how long.
    case overtime
    /// Time is running up, to a goal if there is one that is still ahead.
    case countUp(goal: Duration?)
    /// A count-up has reached its goal and goes on; `time` is all of it.
    case goalPassed(goal: Duration)
  }

  /// What is going on.
  enum State: Equatable, Sendable {
    /// The step's clock is running.
    case running(Activity)
    /// The step's clock stands still.
    case paused(Activity)
    /// The last step is complete.
    case finished
    /// The run was ended before that.
    case stopped
  }

  /// A step to come.
  package struct Next: Equatable, Sendable {
    /// The title of its card.
    var title: String
    /// How long it lasts.
    var timing: Timing
  }

  /// A remaining time as it is shown: rounded up, so that zero is shown only when it is over.
  static func remaining(_ duration: Duration) -> Duration {
    .seconds(max(0, ClockText.wholeSecondsUp(duration)))
  }

  /// An elapsed time as it is shown: rounded down, so that a second is shown only when it is full.
  static func elapsed(_ duration: Duration) -> Duration {
    .seconds(max(0, ClockText.wholeSecondsDown(duration)))
  }

  /// Whether a countdown is in its last three seconds.
  var isInLastSeconds: Bool { state == .running(.countdown) && time <= .seconds(3) }
}
