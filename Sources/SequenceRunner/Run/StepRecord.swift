public import SequencePlatform

/// The record of an ended step of a run.
public struct StepRecord: Hashable, Sendable {
  /// The position of the step in the timeline, from 0.
  public let index: Int
  /// The start of the step, by the wall clock.
  public let startedAt: Moment
  /// The end of the step, by the wall clock.
  public let endedAt: Moment
  /// The planned duration or goal, with extensions; `nil` for a count-up without a goal.
  public let planned: Duration?
  /// The active time of the step, without pauses.
  public let actual: Duration
  /// The outcome of the step.
  public let outcome: StepOutcome
}

/// The outcome of a step.
@nonexhaustive
public enum StepOutcome: String, Hashable, Sendable, Encodable {
  /// The time of the step was over, or the user completed it.
  case completed
  /// The user skipped the step or stopped the run during it.
  case skipped
}
