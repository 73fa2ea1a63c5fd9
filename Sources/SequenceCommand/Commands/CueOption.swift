import Platform
import SequenceConfiguration

/// `--cues` of `run` and `start`: what is to be heard of this run.
enum CueOption {
  static let option = Option<(sound: Bool, speech: Bool)>(
    "cues", "sound,speech|none", "what is heard of this run, whatever the configuration has",
    kind: .choice(["sound", "speech", "sound,speech", "none"])
  ) { text throws(UsageError) in
    guard let choice = Cues.named(text) else {
      throw UsageError("\(quote(text)) are no cues", remedy: "write sound, speech, sound,speech or none")
    }
    return choice
  }
}
