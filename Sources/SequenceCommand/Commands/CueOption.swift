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
      throw UsageError("\(quote(text)) are no cues", remedy: "write sound, speech, sound,speech or none")
    }
    return choice
  }

  /// Warns of programs that are missing for the cues of a run.
  static func warnOfMissing(for options: RunOptions, _ context: CommandContext) {
    let cues = context.configuration(saying: false).cues.with(options)
    do throws(SystemError) {
      for missing in try missing(for: cues, context) { context.say(missing) }
    } catch {
      context.say(Failure(error.problem, remedy: "sounds may not be played", .done))
    }
  }

  /// The programs that cues need and that are not there.
  static func missing(for cues: Cues, _ context: CommandContext) throws(SystemError) -> [Failure] {
    var missing: [Failure] = []
    if cues.speech, findProgram("spd-say", in: context.environment["PATH"]) == nil {
      missing.append(
        Failure("there is no spd-say, so nothing is said", remedy: "install speech-dispatcher", .unavailable))
    }
    if cues.sound, try installedProgram("sequence-sound") == nil {
      missing.append(
        Failure(
          "there is no sequence-sound, so nothing is played", remedy: "install it beside sequence-agent",
          .unavailable))
    }
    return missing
  }
}
