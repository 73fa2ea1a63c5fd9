import Platform

/// What a user does to a run.
public enum RunCommand: Hashable, Sendable {
  /// Stops the current step's clock.
  case pause
  /// Starts the current step's clock again; with `countingSuspend`, as if it had never stopped for the suspend.
  case resume(countingSuspend: Bool = false)
  /// Pauses a run that is running, and resumes one that is paused.
  case toggle
  /// Completes the current step now and goes on.
  case next
  /// Goes on; the step is recorded as skipped.
  case skip
  /// Begins the previous step anew; the first one, if there is none before.
  case back
  /// Begins the current step anew, without extensions.
  case restart
  /// Lengthens the current step's duration or goal, or shortens it if negative.
  ///
  /// Past the duration or the goal, what is added counts from now.
  case extend(Duration)
  /// Ends the run unfinished.
  case stop
}

/// Why a command cannot be carried out.
public enum RunError: ExplainedError, Equatable, Sendable {
  /// There is no active run.
  case noActiveRun
  /// A run is active, so no other can be started.
  case runActive(title: String)
  /// The run is paused already.
  case alreadyPaused
  /// The run is running already.
  case alreadyRunning
  /// The run is paused, but not because the machine was away.
  case notSuspended
  /// The current step has neither a duration nor a goal that could be moved.
  case nothingToExtend(title: String)
  /// The step would be shorter than what has elapsed of it; it can be shortened by `most` at most.
  case shortenedTooMuch(most: Duration)
  /// The step would be longer than `SequenceLimits.longestDuration`.
  case extendedTooMuch
  /// The run has moved on: the command was meant for a step that is not the current one.
  case stepPassed(expected: Int, current: Int)
  /// The command was meant for a run that is not the active one.
  case runPassed

  /// Why the command cannot be carried out.
  public var problem: String {
    switch self {
    case .noActiveRun: "no run is active"
    case .runActive(let title): "a run of \(quoted(title)) is active"
    case .alreadyPaused: "the run is paused already"
    case .alreadyRunning: "the run is running already"
    case .notSuspended: "the run was not paused because the machine was away"
    case .nothingToExtend(let title): "\(quoted(title)) has no duration and no goal to move"
    case .shortenedTooMuch(let most) where most == .zero:
      "the step is past its time, so it cannot be shortened"
    case .shortenedTooMuch(let most):
      "only \(DurationText.shown(most)) is left, so it cannot be shortened by more"
    case .extendedTooMuch: "a step lasts 30d at most"
    case .stepPassed(let expected, let current):
      "step \(expected + 1) is not the current step; the run is at step \(current + 1)"
    case .runPassed: "that run is over"
    }
  }

  /// What would be possible.
  public var remedy: String? {
    switch self {
    case .extendedTooMuch: "extend it by less"
    case .noActiveRun, .runActive, .alreadyPaused, .alreadyRunning, .notSuspended, .nothingToExtend,
      .shortenedTooMuch, .stepPassed, .runPassed:
      nil
    }
  }
}
