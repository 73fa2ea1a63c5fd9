import NotificationLedger
import Platform
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

/// Whether what is to be heard of runs can be.
struct CuesCheck {
  let context: CommandContext

  /// How long the sound server may take to answer.
  private static let limit = Duration.seconds(5)

  func finding() -> Finding {
    let cues = context.clientContext.configuration.cues
    guard cues.isWanted else { return Finding(.cues, .ok, "the configuration has none") }
    do {
      if let missing = try context.clientContext.missingPrograms(for: cues).first {
        return Finding(.cues, .error, missing.problem, advice: missing.remedy)
      }
      if cues.sound, let failure = try soundFailure() {
        return Finding(
          .cues, .error, "no sounds can be played: \(failure)",
          advice: "see to it that a sound server runs, or set sound: false")
      }
      let kinds = [cues.sound ? "sound" : nil, cues.speech ? "speech" : nil].compactMap { $0 }
      return Finding(.cues, .ok, kinds.joined(separator: " and "))
    } catch {
      return Finding(.cues, Failure(error))
    }
  }

  /// Why the sound server cannot be used; `nil` if it can.
  private func soundFailure() throws -> String? {
    guard let program = try installedProgram("sequence-sound") else { return nil }
    let trial = try BoundedProcess(
      [program, "--check"], environment: context.environment, within: CuesCheck.limit, by: context.clock)
    switch trial.ending {
    case .ended(.exit(0)), .answered: return nil
    case .timedOut: return "the sound server does not answer"
    case .ended:
      let said = trial.errors.split(whereSeparator: \.isNewline).last.map(String.init)
      return said.map(TextSafety.sanitised) ?? "sequence-sound fails"
    }
  }
}
