import SequencePlatform
import SequenceConfiguration

/// `--cues` of the commands that start a run: its sounds and speech.
enum CueOption {
  static let option = Option<(sound: Bool, speech: Bool)>(
    "cues", "sound,speech|none", "sounds and speech for this run (overrides config.yaml)",
    kind: .choice(["sound", "speech", "sound,speech", "none"])
  ) { text throws(Failure) in
    guard let choice = Cues.named(text) else {
      throw Failure(usage: "--cues must be sound, speech, sound,speech or none, not \(quote(text))")
    }
    return choice
  }
}
