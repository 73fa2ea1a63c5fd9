package import Platform

/// Something that happened in a run.
package struct RunEvent: Equatable, Sendable {
  /// What happened.
  package let kind: Kind
  /// When it happened, by the wall clock.
  package let at: Moment
  /// The index of the step that it is about, or that was current then.
  package let step: Int
  /// The active time of that step then.
  package let elapsed: Duration
  /// The duration or the goal of that step then, extensions included; `nil` without one.
  package let target: Duration?
  /// How long ago it was when it was found out.
  package let late: Duration

  package init(
    kind: Kind, at: Moment, step: Int, elapsed: Duration, target: Duration?, late: Duration
  ) {
    self.kind = kind
    self.at = at
    self.step = step
    self.elapsed = elapsed
    self.target = target
    self.late = late
  }

  /// What happens in a run, in the words that the configuration has for it.
  package enum Name: String, CaseIterable, Sendable {
    case runStart = "run-start"
    case stepStart = "step-start"
    case half
    case last
    case goal
    case overtime
    case pause
    case resume
    case extend
    case stepEnd = "step-end"
    case runEnd = "run-end"
    case stop
  }

  /// What happened, with what belongs to it.
  package enum Kind: Hashable, Sendable {
    case runStart
    case stepStart
    /// Half of a countdown is over.
    case half
    /// So much of a countdown is left.
    case left(Duration)
    /// The goal of a count-up was reached.
    case goal
    /// The time of a countdown was over that stays until the user goes on.
    case overtime
    case paused(Suspend.Cause?)
    case resumed
    /// The step has another duration or goal.
    case extended(to: Duration)
    case stepEnd
    case ended(RunOutcome)

    package var name: Name {
      switch self {
      case .runStart: .runStart
      case .stepStart: .stepStart
      case .half: .half
      case .left: .last
      case .goal: .goal
      case .overtime: .overtime
      case .paused: .pause
      case .resumed: .resume
      case .extended: .extend
      case .stepEnd: .stepEnd
      case .ended(.finished): .runEnd
      case .ended(.stopped): .stop
      }
    }
  }

  /// What is left of a countdown, or until a goal; `nil` where there is neither.
  package var remaining: Duration? { target.map { max(.zero, $0 - elapsed) } }
}
