package import SequencePlatform

/// The current step of a run whose clock is running, and the steps that follow it without the user.
///
/// Only this type calculates when steps start and end; settling and the agenda share it.
package struct StepChain: Sendable {
  let timeline: Timeline
  let first: Int
  let target: Duration?
  package let since: ClockReading
  let before: Duration
  /// The shares of the steps after the current one in the spare time of the run.
  private let shares: Timeline.Shares?

  /// The time from the start of the clock to the end of the current step; `nil` if only the user can end it.
  private var untilEnd: Duration? {
    guard timeline.timing(at: first).endsByItself else { return nil }
    return target.map { $0 - before }
  }

  /// Returns the index of the step that is current this long after the start of the clock; the end of the
  /// timeline if all have ended.
  ///
  /// A step has ended as soon as none of its time is left.
  ///
  /// - Complexity: O(log steps).
  package func step(after time: Duration) -> Int {
    guard let untilEnd, time >= untilEnd else { return first }
    return timeline.stepReached(from: first + 1, after: time - untilEnd, sharing: shares)
  }

  func target(ofStepAt index: Int) -> Duration? {
    if index == first { return target }
    let planned = timeline.timing(at: index).target
    return shares == nil ? planned : planned.map { $0 + share(ofStepAt: index) }
  }

  /// Returns a step with its length in the run.
  package func step(at index: Int) -> Step {
    var step = timeline.step(at: index)
    if shares != nil, step.timing.duration != nil { step.fitted = target(ofStepAt: index) }
    return step
  }

  private func share(ofStepAt index: Int) -> Duration {
    timeline.duration(of: index..<index + 1, sharing: shares) - timeline.duration(of: index..<index + 1)
  }

  /// Returns the reading at the start of a step, which is the end of the step before it; for the number of steps,
  /// the end of the run.
  ///
  /// The current step starts when the clock would have started without earlier pauses.
  ///
  /// - Complexity: O(log steps).
  func start(ofStepAt index: Int) -> ClockReading { reading(inStepAt: index, after: .zero) }

  // A sum of times is added once: the wall clock would be rounded down with each of them.
  func reading(inStepAt index: Int, after elapsed: Duration) -> ClockReading {
    since.advanced(by: time(ofStepAt: index, elapsed: elapsed))
  }

  func elapsed(ofStepAt index: Int, after time: Duration) -> Duration {
    guard index > first, let untilEnd else { return before + time }
    return time - untilEnd - timeline.duration(of: first + 1..<index, sharing: shares)
  }
}

extension StepChain {
  /// `nil` while the clock of the step is stopped.
  ///
  /// - Parameter first: the index of the step.
  init?(timeline: Timeline, first: Int, current: ActiveRunSnapshot.CurrentStep) {
    guard case .running(let since, let before) = current.clock else { return nil }
    self.init(
      timeline: timeline, first: first, target: current.target(ofStepAt: first, in: timeline), since: since,
      before: before, shares: timeline.shares(of: current.spare))
  }

  /// Returns the time from the start of the clock until a step has this much active time.
  package func time(ofStepAt index: Int, elapsed: Duration) -> Duration {
    guard index > first, let untilEnd else { return elapsed - before }
    return untilEnd + timeline.duration(of: first + 1..<index, sharing: shares) + elapsed
  }
}

extension StepChain {
  /// The number of steps that are listed at least before events of earlier rounds are only counted.
  static let fewestListedSteps = 1000
  /// The number of rounds that are listed at least; they last longer than an event may be late.
  private static let fewestListedRounds = 4

  /// Returns the endless rounds in a span of time that are too many to list their events, numbered from 0.
  ///
  /// All of them begin and end within the span, and its last steps are not among them.
  ///
  /// - Parameters:
  ///   - time: the beginning of the span, after the start of the clock; `nil` for that start.
  ///   - limit: the end of the span.
  ///   - steps: the number of the last steps that are not among them, at least.
  /// - Returns: `nil` if there are none.
  func unreadRounds(after time: Duration?, until limit: Duration, listing steps: Int) -> Range<Int>? {
    guard let round = timeline.firstEndlessRound else { return nil }
    // The first round that begins after the step at the beginning; the last one that has begun.
    let passed = max(0, (time.map(step) ?? first) + 1 - round.lowerBound)
    let begin = (passed + round.count - 1) / round.count
    let reached = max(0, step(after: limit) - round.lowerBound) / round.count
    let listed = max(StepChain.fewestListedRounds, (steps + round.count - 1) / round.count)
    return reached - listed > begin ? begin..<reached - listed : nil
  }

  /// - Parameter round: a round that begins after the current step, numbered from 0.
  func start(ofRound round: Int) -> Duration {
    guard let steps = timeline.firstEndlessRound else { return .zero }
    return time(ofStepAt: steps.lowerBound + round * steps.count, elapsed: .zero)
  }
}

extension ActiveRunSnapshot {
  package var chain: StepChain? {
    guard log.count < timeline.end else { return nil }
    return StepChain(timeline: timeline, first: log.count, current: current)
  }

  /// Returns a step with its length in the run, if the clock of the run is running.
  package func step(at index: Int) -> Step {
    (deadline == nil ? nil : chain)?.step(at: index) ?? timeline.step(at: index)
  }

  /// Returns the step of an event with the length that it had then.
  package func step(of event: RunEvent) -> Step {
    var step = timeline.step(at: event.step)
    if deadline != nil, step.timing.duration != nil { step.fitted = event.target }
    return step
  }
}
