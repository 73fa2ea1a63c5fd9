import NotifierLedger
import SequencePlatform
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

/// Checks that the configured sounds and speech can be played.
struct CuesCheck {
  let doctor: Doctor
  /// The name or the path of a sound that is played; `nil` for none.
  let sound: String?

  /// The time limit of the sound server.
  private static let limit = Duration.seconds(5)
  /// The time limit of a sound that is played.
  private static let longestSound = Duration.seconds(10)

  func finding() -> Finding {
    let cues = doctor.configuration.cues
    if let sound { return played(sound) }
    guard cues.isWanted else { return Finding(.cues, .ok, "none configured") }
    do {
      if let missing = try cues.missingPrograms(doctor.environment).first {
        return Finding(.cues, .error, missing.problem, advice: missing.remedy)
      }
      if cues.sound, let failure = try failure(["--check"], within: CuesCheck.limit) {
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

  /// Plays a sound, and says how that went.
  private func played(_ sound: String) -> Finding {
    do {
      guard try installedProgram("sequence-sound") != nil else {
        return Finding(.cues, .error, "the program sequence-sound was not found")
      }
      let words = ["--volume", String(doctor.configuration.cues.volume), "--play", sound]
      guard let failure = try failure(words, within: CuesCheck.longestSound) else {
        return Finding(.cues, .ok, "\(quote(sound)) was played")
      }
      return Finding(
        .cues, .error, "\(quote(sound)) cannot be played: \(failure)",
        advice: "use a name of your sound theme, or the path of a sound file of at most 10 MB")
    } catch {
      return Finding(.cues, error)
    }
  }

  /// The reason why the program that plays sounds fails; `nil` if it doesn't.
  private func failure(_ words: [String], within limit: Duration) throws -> String? {
    guard let program = try installedProgram("sequence-sound") else { return nil }
    let trial = try BoundedProcess(
      [program] + words, environment: doctor.environment, within: limit, by: doctor.clock)
    switch trial.ending {
    case .ended(.exit(0)), .answered: return nil
    case .timedOut: return "the sound server does not respond"
    case .ended:
      let error = trial.errors.split(whereSeparator: \.isNewline).last.map(String.init)
      guard let error else { return "sequence-sound failed" }
      let prefix = "sequence-sound: "
      return TextSafety.sanitised(error.hasPrefix(prefix) ? String(error.dropFirst(prefix.count)) : error)
    }
  }
}
