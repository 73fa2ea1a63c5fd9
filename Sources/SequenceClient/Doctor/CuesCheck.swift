import NotifierLedger
import SequencePlatform
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

struct CuesCheck {
  let doctor: Doctor
  let sound: String?

  func finding() -> Finding {
    let cues = doctor.configuration.cues
    if let sound { return played(sound) }
    guard cues.isWanted else { return Finding(.cues, .ok, doctor.textForNone) }
    do {
      if let missing = try cues.missingPrograms(doctor.environment).first {
        return Finding(.cues, missing)
      }
      if cues.sound, let failure = try trial.serverFailure() {
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

  private var trial: CueTrial { CueTrial(environment: doctor.environment, clock: doctor.clock) }

  private func played(_ sound: String) -> Finding {
    do {
      guard let failure = try trial.play(sound, volume: doctor.configuration.cues.volume) else {
        return Finding(.cues, .ok, "\(quote(sound)) was played")
      }
      return Finding(.cues, failure)
    } catch {
      return Finding(.cues, error)
    }
  }
}
