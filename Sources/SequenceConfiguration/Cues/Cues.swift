package import SequenceRunner

/// The settings for sounds and speech.
package struct Cues: Equatable, Sendable {
  /// Whether sounds of the sound theme are played.
  package var sound: Bool
  /// Whether titles are spoken.
  package var speech: Bool
  /// The last seconds that are counted, as a number of them.
  package var remaining: Int
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
    Cues(
      sound: options.sound ?? sound, speech: options.speech ?? speech, remaining: remaining,
      condition: condition)
  }
}

/// The sounds of cues, by their names in the sound theme.
///
/// Source: Sound Naming Specification 0.1.
package enum CueSound: String, CaseIterable, Sendable {
  case count = "audio-volume-change"
  case step = "message-new-instant"
  case half = "bell"
  case reached = "alarm-clock-elapsed"
  case finished = "complete"
}
