public import SequencePlatform

/// The position of a run at a reading, with everything that a display shows of it.
public struct RunPosition: Equatable, Sendable {
  /// The current step.
  public let step: Step
  /// The number of steps of the sequence; `nil` for an endless sequence.
  public let stepCount: Int?
  /// The state of the current step.
  public let state: State
  /// The active time of the step so far.
  public let elapsed: Duration
  /// The duration of the countdown or the goal of the count-up, with extensions; `nil` without a goal.
  public let target: Duration?
  /// The start of the step, by the wall clock.
  public let startedAt: Moment
  /// The next step; `nil` in the last step.
  public let next: Step?
  /// The active time of all steps so far, including restarted steps.
  public let totalElapsed: Duration
  /// The time until the end of the run; `nil` for an endless sequence, and while a count-up is current or upcoming.
  public let totalRemaining: Duration?

  /// The state of a step; the list is complete.
  public enum State: String, Sendable {
    /// The clock is running.
    case running
    /// The clock is stopped.
    case paused
    /// The clock runs past the duration or the goal.
    case overtime
  }

  /// The time left of a countdown, zero in overtime; `nil` for a count-up.
  public var remaining: Duration? {
    guard case .countdown = step.timing, let target else { return nil }
    return max(.zero, target - elapsed)
  }

  /// How far the step is past its duration or goal; zero before that.
  public var overtime: Duration {
    guard let target else { return .zero }
    return max(.zero, elapsed - target)
  }

  package var isPastTarget: Bool { target.map { elapsed >= $0 } ?? false }
}

extension RunStatus {
  /// The position of the run; `nil` if none is active.
  ///
  /// - Complexity: O(log steps + entries of the log).
  public var position: RunPosition? { run?.settledPosition(at: reading) }

  /// Whether the current step waits for the user, and reminds them of it.
  package var insists: Bool { position.map { $0.state == .overtime && $0.step.card.insist != nil } ?? false }
}

extension ActiveRunSnapshot {
  /// Returns the position of the run at any reading since its last change; `nil` if time has ended it by then.
  ///
  /// - Complexity: O(log steps + entries of the log).
  public func position(at reading: ClockReading) -> RunPosition? {
    guard case .active(let run) = settled(at: reading) else { return nil }
    return run.settledPosition(at: reading)
  }

  /// Returns the run as it has ended by a reading; `nil` if it is still active then.
  ///
  /// - Complexity: O(log steps + entries of the log).
  public func ended(at reading: ClockReading) -> EndedRun? {
    guard case .ended(let ended) = settled(at: reading) else { return nil }
    return ended
  }

  /// Returns the position of a run that is settled at the reading.
  fileprivate func settledPosition(at reading: ClockReading) -> RunPosition {
    let index = log.count
    let elapsed = elapsed(at: reading)
    let isOver = target.map { elapsed >= $0 } ?? false
    let ahead = fitted(at: reading)
    let next = index + 1 < timeline.end ? ahead.step(at: index + 1) : nil
    return RunPosition(
      step: timeline.step(at: index), stepCount: timeline.count,
      state: isPaused ? .paused : isOver ? .overtime : .running,
      elapsed: elapsed, target: target, startedAt: current.startedAt, next: next,
      totalElapsed: log.active(in: timeline) + unrecorded + elapsed,
      totalRemaining: ahead.totalRemaining(ofStep: index, after: elapsed, target: ahead.target))
  }

  /// Returns the position of the run at an event, which may belong to an earlier step.
  package func position(of event: RunEvent) -> RunPosition {
    let step = step(of: event)
    let isOver = event.target.map { event.elapsed >= $0 } ?? false
    let (isPaused, hasEnded) =
      switch event.kind {
      case .paused, .returned: (true, false)
      case .ended: (false, true)
      default: (false, false)
      }
    let hasNext = !hasEnded && event.step + 1 < timeline.end
    return RunPosition(
      step: step, stepCount: timeline.count, state: isPaused ? .paused : isOver ? .overtime : .running,
      elapsed: event.elapsed, target: event.target,
      startedAt: event.at.wall.advanced(by: .zero - event.elapsed),
      next: hasNext ? self.step(at: event.step + 1) : nil,
      totalElapsed: log.active(in: timeline, before: event.step) + unrecorded + event.elapsed,
      totalRemaining: totalRemaining(ofStep: event.step, after: event.elapsed, target: event.target))
  }

  private func totalRemaining(ofStep index: Int, after elapsed: Duration, target: Duration?) -> Duration? {
    guard let count = timeline.count, case .countdown = timeline.timing(at: index), let target,
      !timeline.hasCountUp(from: index)
    else {
      return nil
    }
    return max(.zero, target - elapsed)
      + timeline.duration(of: index + 1..<count, sharing: timeline.shares(of: current.spare))
  }
}
