public import SequencePlatform

/// An event of a run.
public struct RunEvent: Equatable, Sendable {
  /// The kind of the event.
  public let kind: Kind
  /// The index of the step that the event belongs to, or that was current at the time.
  public let step: Int
  /// The reading of the clocks at the event.
  public let at: ClockReading
  /// The active time of the step at the event.
  public let elapsed: Duration
  /// The duration or goal of the step at the event, with extensions; `nil` without one.
  public let target: Duration?

  package init(kind: Kind, step: Int, at: ClockReading, elapsed: Duration, target: Duration?) {
    self.kind = kind
    self.step = step
    self.at = at
    self.elapsed = elapsed
    self.target = target
  }

  /// Returns the time between the event and a later reading.
  ///
  /// An event of an earlier boot is at least as old as this boot, even if the wall clock was set back.
  public func lateness(at reading: ClockReading) -> Duration {
    let time = reading.elapsed(since: at)
    return reading.bootID == at.bootID ? time : max(time, reading.boot)
  }

  /// The names of events in the configuration of hooks.
  @nonexhaustive
  public enum Name: String, CaseIterable, Sendable {
    /// The run has started.
    case runStart = "run-start"
    /// A step has started, or has become current again.
    case stepStart = "step-start"
    /// Half of a countdown has passed.
    case half
    /// A mark before the end of a countdown is reached.
    case remaining
    /// A count-up has reached its goal.
    case goal
    /// A count-up continues after its goal, or a countdown that insists still waits for the user.
    case reminder
    /// The time of a countdown that waits for the user is over.
    case overtime
    /// The run was paused.
    case pause
    /// The run was resumed.
    case resume
    /// The duration or the goal of the step has changed.
    case extend
    /// The machine is back after a suspend.
    case `return`
    /// A step has ended.
    case stepEnd = "step-end"
    /// The run has finished.
    case runEnd = "run-end"
    /// The run was stopped before its end.
    case stop
  }

  /// The kind of an event, with its details.
  @nonexhaustive
  public enum Kind: Hashable, Sendable {
    /// The run has started.
    case runStart
    /// A step has started, or has become current again.
    case stepStart
    /// Half of a countdown has passed.
    case half
    /// This much of a countdown is left.
    case remaining(Duration)
    /// A count-up has reached its goal.
    case goal
    /// A count-up continues after its goal, or a countdown that insists still waits for the user.
    ///
    /// The first reminder of a countdown has number 1, that of a count-up number 2, because the goal is number 1.
    case reminder(Int)
    /// The time of a countdown that waits for the user is over.
    case overtime
    /// The run was paused, by the user or because of a suspend with this cause.
    case paused(SuspendCause?)
    /// The run was resumed.
    case resumed
    /// The duration or the goal of the step has changed to this.
    case extended(to: Duration)
    /// The machine is back after a suspend, and the run is still paused for it.
    case returned
    /// A step has ended: its time was over, or the user completed or skipped it or stopped the run.
    case stepEnd(StepOutcome)
    /// The run has ended.
    case ended(RunOutcome)

    /// The name of the event in the configuration of hooks.
    public var name: Name {
      switch self {
      case .runStart: .runStart
      case .stepStart: .stepStart
      case .half: .half
      case .remaining: .remaining
      case .goal: .goal
      case .reminder: .reminder
      case .overtime: .overtime
      case .paused: .pause
      case .resumed: .resume
      case .extended: .extend
      case .returned: .return
      case .stepEnd: .stepEnd
      case .ended(.finished): .runEnd
      // A lost run has no events.
      case .ended(.stopped), .ended(.lost): .stop
      }
    }
  }

  /// The time left of a countdown or until a goal; zero past it, and `nil` without one.
  public var remaining: Duration? { target.map { max(.zero, $0 - elapsed) } }
}
