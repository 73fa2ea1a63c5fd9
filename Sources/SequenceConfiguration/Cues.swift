import SequencePlatform
import SequencePresentation
package import SequenceRunner

package struct Cues: Equatable, Sendable {
  package var sound: Bool
  package var speech: Bool
  /// The last seconds that are counted, as a number of them.
  package var remaining: Int
  /// The sounds that were chosen: names of the sound theme or absolute paths of files; empty for none.
  package var sounds: [CueSound: String] = [:]
  /// How loud the sounds are, in percent of the volume of the theme's sounds.
  package var volume = 100
  /// The steps that have cues; `nil` for all.
  package var condition: StepCondition?
  /// Whether sounds were switched off, so that nothing rings either.
  package var isMuted = false
  /// Whether the sound of the end is repeated until the user reacts, even if there is no other sound.
  package private(set) var rings = false

  package static let mostCounted = 60

  package init(
    sound: Bool = false, speech: Bool = false, remaining: Int = 3, condition: StepCondition? = nil
  ) {
    self.sound = sound
    self.speech = speech
    self.remaining = remaining
    self.condition = condition
  }

  package var isWanted: Bool { playsSounds || speech }
  package var playsSounds: Bool { sound || rings }

  /// The cues of the words that a command line has for them; `nil` if they mean nothing.
  package static func named(_ text: String) -> (sound: Bool, speech: Bool)? {
    guard text != "none", text != "off" else { return (false, false) }
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    guard words.allSatisfy({ ["sound", "speech"].contains($0) }) else { return nil }
    return (words.contains("sound"), words.contains("speech"))
  }

  /// Returns the cues of a run, whose options override those of the configuration.
  package func of(_ run: ActiveRunSnapshot) -> Cues {
    var cues = self
    if let sound = run.options.sound { (cues.sound, cues.isMuted) = (sound, !sound) }
    if let speech = run.options.speech { cues.speech = speech }
    cues.rings = run.rings && !cues.isMuted
    return cues
  }

  /// Returns the name or the path of a sound; `nil` for none.
  package func name(of sound: CueSound) -> String? {
    let name = sounds[sound] ?? sound.standard ?? (sound == .rest ? self.name(of: .step) : nil)
    return name?.isEmpty == false ? name : nil
  }

  package var soundNames: [String] {
    CueSound.allCases.compactMap(name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

/// A moment that has a sound, by its key in the configuration.
package enum CueSound: String, CaseIterable, Sendable {
  case step = "step-start"
  case rest
  case half
  case count = "remaining"
  case goal
  case overtime
  case finished = "run-end"

  /// Its name in the sound theme; a rest begins like other steps.
  ///
  /// Source: Sound Naming Specification 0.1.
  package var standard: String? {
    switch self {
    case .step: "message-new-instant"
    case .rest: nil
    case .half: "bell"
    case .count: "audio-volume-change"
    case .goal, .overtime: "alarm-clock-elapsed"
    case .finished: "complete"
    }
  }

  /// A few sounds that most sound themes have.
  ///
  /// Source: Sound Naming Specification 0.1.
  static let names = [
    "message-new-instant", "bell", "audio-volume-change", "alarm-clock-elapsed", "complete",
    "dialog-information", "dialog-warning", "window-attention", "phone-incoming-call",
  ]
}

extension Cues {
  /// The shortest countdown with a half-time cue and an announcement of the next step.
  package static let shortest = Duration.seconds(20)
  package static let nextSaidAt = Duration.seconds(10)

  package var events: Set<RunEvent.Name> {
    guard isWanted else { return [] }
    guard sound || speech else { return [.runEnd] }
    let common: Set<RunEvent.Name> = [.stepStart, .half, .goal, .overtime, .runEnd]
    return speech ? common.union([.remaining]) : common
  }

  package var remainingMarks: Set<Duration> {
    guard speech else { return [] }
    return counted.union([Cues.nextSaidAt])
  }

  package var counted: Set<Duration> { Set((0..<remaining).map { .seconds($0 + 1) }) }

  /// The program that speaks a text, which follows its words, in the user's language; it ends with the speech.
  package static let speechCommand =
    ["spd-say", "--application-name", "sequence", "--priority", "message", "--wait"]
    + (Language.code.map { ["--language", $0] } ?? []) + ["--"]

  package func words(_ event: RunEvent, in run: ActiveRunSnapshot) -> String? {
    guard speech, condition?.holds(at: event, in: run) ?? true else { return nil }
    let view = RunView(run, at: event)
    switch event.kind {
    case .stepStart: return ([view.title] + StepText.rounds(view.position.step)).joined(separator: ", ")
    case .half: return Cues.isLong(event) ? translated("Half-time") : nil
    case .remaining(let left):
      if left == Cues.nextSaidAt, Cues.isLong(event), let next = view.next {
        return translated("Next: {}", next.title)
      }
      return !sound && counted.contains(left) ? String(left.components.seconds) : nil
    case .goal: return translated("Goal reached: {}", view.title)
    case .overtime: return translated("Time is up: {}", view.title)
    case .ended(.finished): return translated("{} is finished", view.sequence)
    default: return nil
    }
  }

  /// Whether an event makes pending announcements outdated.
  package static func makesOthersStale(_ event: RunEvent) -> Bool {
    switch event.kind {
    case .stepStart, .paused, .ended: true
    // A number that comes late is a wrong one.
    case .remaining(let left): left != nextSaidAt
    default: false
    }
  }

  package func sound(of event: RunEvent, in run: ActiveRunSnapshot) -> String? {
    guard let occasion = occasion(of: event, in: run) else { return nil }
    if case .stepStart = event.kind { return startSound(of: run.timeline.card(at: event.step)) }
    return name(of: occasion)
  }

  package func startSound(of card: Card) -> String? {
    guard let own = card.sound else { return name(of: card.isRest ? .rest : .step) }
    // The orders to the sound program are lines.
    return own.isEmpty || own.utf8.contains { $0 < 0x20 } ? nil : own
  }

  private func occasion(of event: RunEvent, in run: ActiveRunSnapshot) -> CueSound? {
    if rings, event.kind == .ended(.finished) { return .finished }
    guard sound, condition?.holds(at: event, in: run) ?? true else { return nil }
    switch event.kind {
    case .stepStart: return run.timeline.card(at: event.step).isRest ? .rest : .step
    case .half: return event.target.map { $0 >= Cues.shortest } == true ? .half : nil
    case .remaining(let left): return counted.contains(left) ? .count : nil
    case .goal: return .goal
    case .overtime: return .overtime
    case .ended(.finished): return .finished
    default: return nil
    }
  }

  private static func isLong(_ event: RunEvent) -> Bool { event.target.map { $0 >= shortest } ?? false }
}
