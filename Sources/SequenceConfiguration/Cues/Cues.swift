package import SequenceRunner

/// The settings for sounds and speech.
package struct Cues: Equatable, Sendable {
  /// Whether sounds of the sound theme are played.
  package var sound: Bool
  /// Whether titles are spoken.
  package var speech: Bool
  /// The last seconds that are counted, as a number of them.
  package var remaining: Int
  /// The sounds that were chosen: names of the sound theme or absolute paths of files; empty for none.
  package var sounds: [CueSound: String] = [:]
  /// How loud the sounds are, in percent of the volume of the theme's sounds.
  package var volume = 100
  /// The steps that have cues; `nil` for all.
  package var condition: StepCondition?

  /// How many seconds are counted at most.
  package static let mostCounted = 60

  package init(
    sound: Bool = false, speech: Bool = false, remaining: Int = 3, condition: StepCondition? = nil
  ) {
    self.sound = sound
    self.speech = speech
    self.remaining = remaining
    self.condition = condition
  }

  /// Whether there are any cues.
  package var isWanted: Bool { sound || speech }

  /// The cues of the words that a command line has for them; `nil` if they mean nothing.
  package static func named(_ text: String) -> (sound: Bool, speech: Bool)? {
    guard text != "none" else { return (false, false) }
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    guard words.allSatisfy({ ["sound", "speech"].contains($0) }) else { return nil }
    return (words.contains("sound"), words.contains("speech"))
  }

  /// The cues of a run with options of its own.
  package func with(_ options: RunOptions) -> Cues {
    var cues = self
    if let sound = options.sound { cues.sound = sound }
    if let speech = options.speech { cues.speech = speech }
    return cues
  }

  /// Returns the name or the path of a sound; `nil` for none.
  package func name(of sound: CueSound) -> String? {
    let name = sounds[sound] ?? sound.standard ?? (sound == .rest ? self.name(of: .step) : nil)
    return name?.isEmpty == false ? name : nil
  }

  /// The names and paths of all sounds, each once.
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
