import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// What a media player shows of the current run.
struct PlayerState: Equatable, Sendable {
  /// The run, and the number of steps before the current one: another pair is another track.
  let runID: UUID
  let step: Int
  let title: String
  let sequence: String
  /// When the step ends and what follows, in words.
  let line: String
  /// The duration or the goal of the step.
  let length: Duration?
  let clock: Clock

  /// The clock of the step.
  enum Clock: Equatable, Sendable {
    /// It has run since a time on the boot clock, without the pauses.
    case running(since: Duration)
    /// It is stopped at a time.
    case stopped(at: Duration)
  }

  /// The state of the current run; `nil` if none is active.
  init?(_ status: RunStatus) {
    guard let view = RunView(status) else { return nil }
    let position = view.position
    (runID, step) = (view.runID, position.step.index)
    (title, sequence) = (view.title, view.sequence)
    length = position.target
    clock =
      view.isPaused
      ? .stopped(at: position.elapsed) : .running(since: status.reading.boot - position.elapsed)
    line = view.outlook
  }

  var isPaused: Bool { if case .stopped = clock { true } else { false } }

  /// The time of the step so far, at most its length.
  func position(at boot: Duration) -> Duration {
    let elapsed =
      switch clock {
      case .running(let start): boot - start
      case .stopped(let elapsed): elapsed
      }
    return min(max(.zero, elapsed), length ?? elapsed)
  }
}
