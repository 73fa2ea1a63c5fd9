import Glibc
import NotificationLedger
import Platform
import SequenceConfiguration
import SequenceRunner

/// `--cues` of `run` and `start`: what is to be heard of this run.
enum CueOption {
  static let option = Option<(sound: Bool, speech: Bool)>(
    "cues", "sound,speech|none", "what is heard of this run, whatever the configuration has",
    kind: .choice(["sound", "speech", "sound,speech", "none"])
  ) { text throws(UsageError) in
    guard let choice = Cues.named(text) else {
      throw UsageError("\(quote(text)) are no cues; write sound, speech, sound,speech or none")
    }
    return choice
  }

  /// Warns of programs that are missing for the cues of a run.
  static func warnOfMissing(for options: RunOptions, _ context: CommandContext) {
    let cues = context.configuration(saying: false).cues.with(options)
    do throws(SystemError) {
      for missing in try missing(for: cues, context) { context.say(Failure(missing, .done)) }
    } catch {
      context.say(Failure("\(Failure(error).text); sounds may not be played", .done))
    }
  }

  /// What cues need and what is not there, each with what to do.
  static func missing(for cues: Cues, _ context: CommandContext) throws(SystemError) -> [String] {
    var missing: [String] = []
    if cues.speech, findProgram("spd-say", in: context.environment["PATH"]) == nil {
      missing.append("there is no spd-say, so nothing is said; install speech-dispatcher")
    }
    if cues.sound, try installedProgram("sequence-sound") == nil {
      missing.append("there is no sequence-sound, so nothing is played; install it beside sequence-agent")
    }
    return missing
  }
}
