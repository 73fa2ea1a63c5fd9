import SequencePlatform
import SequencePresentation
package import SequenceRunner

/// The sounds and words of events.
extension Cues {
  /// The shortest countdown with a half-time cue and an announcement of the next step.
  package static let shortest = Duration.seconds(20)
  /// The time left when the next step is announced.
  package static let nextSaidAt = Duration.seconds(10)

  /// The events that have a cue.
  package var events: Set<RunEvent.Name> {
    guard isWanted else { return [] }
    let common: Set<RunEvent.Name> = [.stepStart, .half, .goal, .overtime, .runEnd]
    return speech ? common.union([.remaining]) : common
  }

  /// The remaining times of countdowns that have a cue.
  package var remainingMarks: Set<Duration> {
    guard speech else { return [] }
    return counted.union([Cues.nextSaidAt])
  }

  /// The remaining times whose second is counted.
  package var counted: Set<Duration> { Set((0..<remaining).map { .seconds($0 + 1) }) }

  /// Returns the words to speak at an event; `nil` without any.
  package func words(_ event: RunEvent, in run: ActiveRunSnapshot) -> String? {
    guard speech, condition?.holds(at: event, in: run) ?? true else { return nil }
    let view = RunView(run, at: event)
    switch event.kind {
    case .stepStart: return ([view.title] + StepText.rounds(view.position.step)).joined(separator: ", ")
    case .half: return Cues.isLong(event) ? "Half-time" : nil
    case .remaining(let left):
      if left == Cues.nextSaidAt, Cues.isLong(event), let next = view.next { return "Next: \(next.title)" }
      return !sound && counted.contains(left) ? String(left.components.seconds) : nil
    case .goal: return "Goal reached: \(view.title)"
    case .overtime: return "Time is up: \(view.title)"
    case .ended(.finished): return "\(view.sequence) is finished"
    case .runStart, .reminder, .paused, .resumed, .extended, .returned, .stepEnd, .ended(.stopped),
      .ended(.lost):
      return nil
    }
  }

  /// Whether an event makes pending announcements outdated.
  package static func makesOthersStale(_ event: RunEvent) -> Bool {
    switch event.kind {
    case .stepStart, .paused, .ended: true
    // A number that comes late is a wrong one.
    case .remaining(let left): left != nextSaidAt
    case .runStart, .half, .goal, .reminder, .overtime, .resumed, .extended, .returned, .stepEnd: false
    }
  }

  /// Returns the name or the path of the sound of an event; `nil` without one.
  package func sound(of event: RunEvent, in run: ActiveRunSnapshot) -> String? {
    guard let occasion = occasion(of: event, in: run) else { return nil }
    if case .stepStart = event.kind { return startSound(of: run.timeline.card(at: event.step)) }
    return name(of: occasion)
  }

  /// Returns the name or the path of the sound at the start of a card; `nil` without one.
  package func startSound(of card: Card) -> String? {
    guard let own = card.sound else { return name(of: card.isRest ? .rest : .step) }
    // The orders to the sound program are lines.
    return own.isEmpty || own.utf8.contains { $0 < 0x20 } ? nil : own
  }

  private func occasion(of event: RunEvent, in run: ActiveRunSnapshot) -> CueSound? {
    guard sound, condition?.holds(at: event, in: run) ?? true else { return nil }
    switch event.kind {
    case .stepStart: return run.timeline.card(at: event.step).isRest ? .rest : .step
    case .half: return event.target.map { $0 >= Cues.shortest } == true ? .half : nil
    case .remaining(let left): return counted.contains(left) ? .count : nil
    case .goal: return .goal
    case .overtime: return .overtime
    case .ended(.finished): return .finished
    case .runStart, .reminder, .stepEnd, .paused, .resumed, .extended, .returned, .ended(.stopped),
      .ended(.lost):
      return nil
    }
  }

  private static func isLong(_ event: RunEvent) -> Bool { event.target.map { $0 >= shortest } ?? false }
}
