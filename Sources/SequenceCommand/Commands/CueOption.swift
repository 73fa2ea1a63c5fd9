import Glibc
import NotificationLedger
import Platform
import SequenceConfiguration
import SequenceRunner

/// `--cues` of `run` and `start`: what is to be heard of this run.
enum CueOption {
  /// What the option chooses; `nil` without it.
  static func choice(_ arguments: ParsedArguments) throws(UsageError) -> (sound: Bool, speech: Bool)? {
    guard let text = arguments.value("cues") else { return nil }
    guard let choice = Cues.named(text) else {
      throw UsageError("\(quote(text)) are no cues; write sound, speech, sound,speech or none")
    }
    return choice
  }

  /// Keeps the choice with the run, for the agent; and says what is missing for what is to be heard, once.
  static func apply(
    _ choice: (sound: Bool, speech: Bool)?, to look: RunLook, in store: RunStore, _ context: CommandContext
  ) throws {
    guard let run = look.run else { return }
    if let choice {
      try store.choose(CueChoice(runID: run.runID, sound: choice.sound, speech: choice.speech))
    }
    let cues = context.configuration(saying: false).cues.with(choice)
    for missing in try missing(for: cues, context) { context.say(Failure(missing, .done)) }
  }

  /// What cues need and what is not there, each with what to do.
  static func missing(for cues: Cues, _ context: CommandContext) throws -> [String] {
    var missing: [String] = []
    if cues.speech, findProgram("spd-say", in: context.environment["PATH"]) == nil {
      missing.append("there is no spd-say, so nothing is said; install speech-dispatcher")
    }
    if cues.sound, try soundProgram(context) == nil {
      missing.append("there is no sequence-sound, so nothing is played; install it beside sequence-agent")
    }
    return missing
  }

  /// The program that plays sounds, beside the agent; `nil` if it is not there.
  static func soundProgram(_ context: CommandContext) throws -> String? {
    let folder = try context.agentProgram().split(separator: "/").dropLast()
    return findProgram("/" + (folder + ["sequence-sound"]).joined(separator: "/"), in: nil)
  }
}
