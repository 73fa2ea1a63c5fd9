public import FoundationEssentials
import SequencePlatform
import SequenceStore

/// An action of a user on a run.
@nonexhaustive
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
  /// Restarts the previous step, or the first step of the run if there is no previous step.
  case back
  /// Restarts the current step, without extensions.
  case restart
  /// Adds time to the current step's duration or goal, or removes it if negative.
  ///
  /// If the duration or goal has passed, added time counts from now.
  case extend(Duration)
  /// Ends the run early.
  case stop
  /// Plays the sounds of the run or not, whatever the configuration says; time and notifications stay as they are.
  case playSounds(Bool)
}

/// The reason why a command is refused.
@nonexhaustive
public enum RunError: ExplainedError, LocalizedError, Equatable, Sendable {
  /// There is no active run.
  case noActiveRun
  /// Another sequence is active, so a run cannot be started without a choice between the two.
  case runActive(title: String)
  /// The sequence itself is active; it can have one active run.
  case sequenceActive(title: String)
  /// The name of a run is not of lower-case letters and digits, with single hyphens between words, or is too long.
  case invalidName(String)
  /// Another active run has the name.
  case nameTaken(String)
  /// There are 100 active runs.
  case tooManyRuns
  /// A run can't start at a step, an index from 0; with the number of steps that it can start at.
  case noSuchStep(Int, count: Int)
  /// The run would end more than a minute before its deadline, even if each step takes as long as it can.
  case tooEarly(title: String, longest: Duration, early: Duration)
  /// A run of endless rounds can't have a deadline; so many rounds would end before it.
  case endlessUntil(title: String, rounds: Int)
  /// The current run has ended a moment ago, so a command without a run may be meant for it.
  case justEnded(title: String)
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
  /// The step would be longer than 30 days.
  case extendedTooMuch
  /// The command was meant for a step that is not the current one; both are indices from 0.
  case stepPassed(expected: Int, current: Int)
  /// The command was meant for a run that is not active any more.
  case runPassed

  /// The reason why the command is refused, and the possible alternative.
  public var problem: Problem { problem(of: "the run") }

  /// - Parameter run: the words for the run that the command was meant for.
  package func problem(of run: LocalizedText) -> Problem {
    switch self {
    case .noActiveRun: Problem("no run is active")
    case .runActive(let title), .sequenceActive(let title): Problem("a run of \(quoted(title)) is active")
    case .invalidName(let name):
      Problem("a run cannot be named \(quoted(name))", remedy: "write it like \(RunName.name(for: name))")
    case .nameTaken(let name):
      Problem("another active run is named \(quoted(name))", remedy: "choose another name")
    case .tooManyRuns:
      Problem(
        "\(SequenceLimits.mostRuns) runs are active, and more are not possible",
        remedy: "stop one of them first")
    case .noSuchStep(let step, let count):
      // A program may ask for any index.
      Problem(
        "there is no step \(Int128(step) + 1)",
        remedy: count == 1 ? LocalizedText("use step 1") : LocalizedText("use a step from 1 to \(count)"))
    case .tooEarly(let title, let longest, let early):
      Problem(
        """
        \(quoted(title)) takes \(DurationText.format(longest.wholeMinutes)), so it would end \
        \(DurationText.format(early.wholeMinutes)) early
        """,
        remedy: "start it in \(DurationText.format(early.wholeMinutes))")
    case .endlessUntil(let title, let rounds):
      Problem(
        "\(quoted(title)) repeats until you stop it, so it cannot end at a time",
        remedy: "give it a number of rounds, such as --rounds \(rounds)")
    case .justEnded(let title):
      Problem("\(quoted(title)) has just ended", remedy: "name the run that you mean")
    case .alreadyPaused: Problem("\(run) is already paused")
    case .alreadyRunning: Problem("\(run) is already running")
    case .notSuspended: Problem("\(run) was not paused by a suspend")
    case .nothingToExtend(let title): Problem("\(quoted(title)) has no duration or goal to change")
    case .shortenedTooMuch(let most) where most == .zero:
      Problem("the time of this step is over, so it cannot be shortened")
    case .shortenedTooMuch(let most):
      Problem("only \(DurationText.shown(most)) is left, so no more can be subtracted")
    case .extendedTooMuch: Problem("a step can last 30d at most", remedy: "add less")
    case .stepPassed(let expected, let current):
      Problem("\(run) is at step \(current + 1), not at step \(min(expected, .max - 1) + 1)")
    case .runPassed: Problem("that run has ended")
    }
  }
}

extension Duration {
  /// The duration rounded down to minutes, at least one.
  fileprivate var wholeMinutes: Duration { .seconds(max(1, nanoseconds / 60_000_000_000) * 60) }
}
