import Platform

/// An action of a user on a run.
public enum RunCommand: Hashable, Sendable {
  /// Stops the current step's clock.
  case pause
  /// Starts the current step's clock again; with `countingSuspend`, as if it had not been stopped for the
  /// suspend.
  case resume(countingSuspend: Bool = false)
  /// Pauses a running run and resumes a paused run.
  case toggle
  /// Completes the current step now and starts the next.
  case next
  /// Records the current step as skipped and starts the next.
  case skip
  /// Restarts the previous step, or the first step if there is no previous step.
  case back
  /// Restarts the current step, without extensions.
  case restart
  /// Adds time to the current step's duration or goal, or removes it if negative.
  ///
  /// If the duration or goal has passed, added time counts from now.
  case extend(Duration)
  /// Ends the run early.
  case stop
}

/// The reason why a command is refused.
public enum RunError: ExplainedError, Equatable, Sendable {
  /// There is no active run.
  case noActiveRun
  /// Another run is active, so a run cannot be started.
  case runActive(title: String)
  /// The run is paused already.
  case alreadyPaused
  /// The run is running already.
  case alreadyRunning
  /// The run is paused, but not because of a suspend.
  case notSuspended
  /// The current step has no duration or goal to move.
  case nothingToExtend(title: String)
  /// The step would be shorter than its elapsed time; it can be shortened by at most `most`.
  case shortenedTooMuch(most: Duration)
  /// The step would be longer than `SequenceLimits.longestDuration`.
  case extendedTooMuch
  /// The command was meant for a step that is not the current one; both are indices from 0.
  case stepPassed(expected: Int, current: Int)
  /// The command was meant for a run that is not the active one.
  case runPassed

  /// The reason why the command is refused.
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

  /// The possible alternative.
  public var remedy: String? {
    switch self {
    case .extendedTooMuch: "extend it by less"
    case .noActiveRun, .runActive, .alreadyPaused, .alreadyRunning, .notSuspended, .nothingToExtend,
      .shortenedTooMuch, .stepPassed, .runPassed:
      nil
    }
  }
}
