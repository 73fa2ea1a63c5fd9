import Platform
package import SequenceRunner

/// What is heard of what happens.
extension Cues {
  /// Countdowns that are shorter than this have no half-time, and what comes next is not said before it comes.
  package static let shortest = Duration.seconds(20)
  /// What is left of a countdown when what comes next is said.
  package static let nextSaidAt = Duration.seconds(10)

  /// What has to be found out of runs.
  package var events: Set<RunEvent.Name> {
    guard isWanted else { return [] }
    let common: Set<RunEvent.Name> = [.stepStart, .half, .goal, .overtime, .runEnd]
    return speech ? common.union([.last]) : common
  }

  /// What is left of countdowns when something has to be said.
  package var remainingMarks: Set<Duration> {
    guard speech else { return [] }
    return counted.union([Cues.nextSaidAt])
  }

  /// What is left when a second is counted.
  package var counted: Set<Duration> { Set((0..<last).map { .seconds($0 + 1) }) }

  /// What is said when something happens; `nil` if nothing is.
  package func words(_ event: RunEvent, in run: ActiveRunSnapshot) -> String? {
    guard speech else { return nil }
    let timeline = run.timeline
    let title = TextSafety.sanitised(timeline.card(at: event.step).title)
    switch event.kind {
    case .stepStart: return title
    case .half: return Cues.isLong(event) ? "Half-time" : nil
    case .last(let left):
      if left == Cues.nextSaidAt, Cues.isLong(event), event.step + 1 < timeline.count {
        return "Next: \(TextSafety.sanitised(timeline.card(at: event.step + 1).title))"
      }
      return !sound && counted.contains(left) ? String(left.components.seconds) : nil
    case .goal: return "Goal reached: \(title)"
    case .overtime: return "Time is up: \(title)"
    case .ended(.finished): return "\(TextSafety.sanitised(run.sequence.title)) is finished"
    case .runStart, .reminder, .paused, .resumed, .extended, .stepEnd, .ended(.stopped): return nil
    }
  }

  /// Whether what was to be said before it is of no interest any more.
  package static func makesOthersStale(_ event: RunEvent) -> Bool {
    switch event.kind {
    case .stepStart, .paused, .ended: true
    // A number that comes late is a wrong one.
    case .last(let left): left != nextSaidAt
    case .runStart, .half, .goal, .reminder, .overtime, .resumed, .extended, .stepEnd: false
    }
  }

  /// What is played when something happens; `nil` if nothing is.
  package func sound(of kind: RunEvent.Kind, target: Duration?) -> CueSound? {
    guard sound else { return nil }
    switch kind {
    case .stepStart: return .step
    case .half: return target.map { $0 >= Cues.shortest } == true ? .half : nil
    case .last(let left): return counted.contains(left) ? .count : nil
    case .goal, .overtime: return .reached
    case .ended(.finished): return .finished
    case .runStart, .reminder, .stepEnd, .paused, .resumed, .extended, .ended(.stopped): return nil
    }
  }

  private static func isLong(_ event: RunEvent) -> Bool { event.target.map { $0 >= shortest } ?? false }
}
