import NotifierLedger
import SequencePlatform
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

/// Checks that the configured sounds and speech can be played.
struct CuesCheck {
  let doctor: Doctor

  /// The time limit of the sound server.
  private static let limit = Duration.seconds(5)

  func finding() -> Finding {
    let cues = doctor.configuration.cues
    guard cues.isWanted else { return Finding(.cues, .ok, "none configured") }
    do {
      if let missing = try cues.missingPrograms(doctor.environment).first {
        return Finding(.cues, .error, missing.problem, advice: missing.remedy)
      }
      if cues.sound, let failure = try soundFailure() {
        return Finding(
          .cues, .error, "sounds cannot be played: \(failure)",
          advice: "start a sound server, or set sound: false in config.yaml")
      }
      let kinds = [cues.sound ? "sound" : nil, cues.speech ? "speech" : nil].compactMap { $0 }
      return Finding(.cues, .ok, kinds.joined(separator: " and "))
    } catch {
      return Finding(.cues, error)
    }
  }

  /// The reason why the sound server cannot be used; `nil` if it can.
  private func soundFailure() throws -> String? {
    guard let program = try installedProgram("sequence-sound") else { return nil }
    let trial = try BoundedProcess(
      [program, "--check"], environment: doctor.environment, within: CuesCheck.limit, by: doctor.clock)
    switch trial.ending {
    case .ended(.exit(0)), .answered: return nil
    case .timedOut: return "the sound server does not respond"
    case .ended:
      let error = trial.errors.split(whereSeparator: \.isNewline).last.map(String.init)
      return error.map(TextSafety.sanitised) ?? "sequence-sound failed"
    }
  }
}
