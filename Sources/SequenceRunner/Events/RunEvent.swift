package import Platform

/// An event of a run.
package struct RunEvent: Equatable, Sendable {
  /// The kind of the event.
  package let kind: Kind
  /// The index of the step that the event belongs to, or that was current at the time.
  package let step: Int
  /// The reading of the clocks at the event.
  package let at: ClockReading
  /// The active time of the step at the event.
  package let elapsed: Duration
  /// The duration or goal of the step at the event, with extensions; `nil` without one.
  package let target: Duration?

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
  package func lateness(at reading: ClockReading) -> Duration {
    let time = reading.elapsed(since: at)
    return reading.bootID == at.bootID ? time : max(time, reading.boot)
  }

  /// The names of events in the configuration.
  package enum Name: String, CaseIterable, Sendable {
    case runStart = "run-start"
    case stepStart = "step-start"
    case half
    case last
    case goal
    case reminder
    case overtime
    case pause
    case resume
    case extend
    case `return`
    case stepEnd = "step-end"
    case runEnd = "run-end"
    case stop
  }

  /// The kind of an event, with its details.
  package enum Kind: Hashable, Sendable {
    case runStart
    case stepStart
    /// Half of a countdown has passed.
    case half
    /// This much of a countdown is left.
    case last(Duration)
    /// A count-up has reached its goal.
    case goal
    /// A count-up continues after its goal; the first reminder has number 2, because the goal is number 1.
    case reminder(Int)
    /// The time of a countdown that waits for the user is over.
    case overtime
    case paused(Suspend.Cause?)
    case resumed
    /// The duration or the goal of the step has changed to this.
    case extended(to: Duration)
    /// The machine is back after a suspend, and the run is still paused for it.
    case returned
    case stepEnd
    case ended(RunOutcome)

    package var name: Name {
      switch self {
      case .runStart: .runStart
      case .stepStart: .stepStart
      case .half: .half
      case .last: .last
      case .goal: .goal
      case .reminder: .reminder
      case .overtime: .overtime
      case .paused: .pause
      case .resumed: .resume
      case .extended: .extend
      case .returned: .return
      case .stepEnd: .stepEnd
      case .ended(.finished): .runEnd
      case .ended(.stopped): .stop
      }
    }
  }

  /// The time left of a countdown or until a goal; zero past it, and `nil` without one.
  package var remaining: Duration? { target.map { max(.zero, $0 - elapsed) } }
}
