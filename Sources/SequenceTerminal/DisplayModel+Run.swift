import SequencePlatform
import SequencePresentation
package import SequenceRunner

extension DisplayModel {
  /// Creates the model of a run that is settled at a reading.
  package init(_ run: ActiveRunSnapshot, at reading: ClockReading) {
    let position = run.position(at: reading)
    let activity = Activity(position)
    self.init(
      sequenceTitle: run.sequence.title, stepTitle: position.step.card.title, note: position.step.card.note,
      state: position.state == .paused ? .paused(activity) : .running(activity),
      suspend: run.suspend.flatMap(SuspendText.past),
      time: DisplayModel.time(position, activity),
      stepProgress: position.target.map { min(1, position.elapsed.seconds / max(1e-9, $0.seconds)) },
      wholeProgress: run.progress(at: position),
      totalElapsed: position.totalElapsed, totalRemaining: position.totalRemaining,
      end: EndText.run(run, position, at: reading.wall),
      stepIndex: position.step.index, stepCount: position.stepCount, rounds: position.step.rounds,
      next: position.next.map { Next(title: $0.card.title, timing: $0.card.timing) })
  }

  private static func time(_ position: RunPosition, _ activity: Activity) -> Duration {
    switch activity {
    case .countdown: remaining(position.remaining ?? .zero)
    case .overtime: elapsed(position.overtime)
    case .countUp, .goalPassed: elapsed(position.elapsed)
    }
  }
}

extension DisplayModel.Activity {
  fileprivate init(_ position: RunPosition) {
    switch (position.step.card.timing, position.target) {
    case (.countdown, _): self = position.remaining == .zero ? .overtime : .countdown
    case (.countUp, let goal?) where position.elapsed >= goal: self = .goalPassed(goal: goal)
    case (.countUp, let goal): self = .countUp(goal: goal)
    }
  }
}
