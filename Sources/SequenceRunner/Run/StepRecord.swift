public import Platform

/// What became of one step of a run.
public struct StepRecord: Hashable, Sendable {
  /// The place of the step in the timeline, from 0.
  public let index: Int
  /// When the step started, by the wall clock.
  public let startedAt: Moment
  /// When the step ended, by the wall clock.
  public let endedAt: Moment
  /// How long it was meant to last, extensions included; `nil` for a count-up without a goal.
  public let planned: Duration?
  /// How long it lasted, pauses left out.
  public let actual: Duration
  /// How it ended.
  public let outcome: StepOutcome
}

/// How a step ended.
public enum StepOutcome: String, Hashable, Sendable, Encodable {
  /// Its time was over, or the user completed it.
  case completed
  /// The user went on without completing it, or the run was stopped in the middle of it.
  case skipped
}
