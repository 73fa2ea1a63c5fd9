package import SequencePlatform

/// Plays a sound or speaks a text once, as a run would.
package struct CueTrial: Sendable {
  private let environment: EnvironmentVariables
  private let clock: any ClockSource

  /// The time limit of the sound server's answer.
  private static let longestAnswer = Duration.seconds(5)
  /// The time limit of a sound that is played.
  private static let longestSound = Duration.seconds(10)
  /// The time limit of a text that is spoken.
  private static let longestSpeech = Duration.seconds(30)
  /// The program that speaks a text and ends with it.
  package static let speech = [
    "spd-say", "--application-name", "sequence", "--priority", "message", "--wait", "--",
  ]

  package init(environment: EnvironmentVariables, clock: any ClockSource) {
    self.environment = environment
    self.clock = clock
  }

  /// Plays a sound until its end.
  ///
  /// - Parameters:
  ///   - sound: the name or the path of the sound.
  ///   - volume: the volume in percent.
  /// - Returns: why it can't be played; `nil` if it was played.
  /// - Throws: `SystemError` if the program can't be run.
  package func play(_ sound: String, volume: Int) throws(SystemError) -> Problem? {
    guard let program = try CueTrial.soundProgram() else { return CueTrial.missingProgram }
    let words = [program, "--volume", String(volume), "--play", sound]
    let trial = try BoundedProcess(
      words, environment: environment, within: CueTrial.longestSound, by: clock)
    guard let reason = failure(of: trial, program) else { return nil }
    if let reason = try serverFailure() {
      return Problem("sounds cannot be played: \(reason)", remedy: "start a sound server")
    }
    // A longer sound was heard until it was cut off.
    if case .timedOut = trial.ending { return nil }
    return Problem(
      "\(quote(sound)) cannot be played: \(reason)",
      remedy: "use a name of your sound theme, or the path of a sound file of at most 10 MiB")
  }

  /// Checks whether the sound server can be used.
  ///
  /// - Returns: why it can't be used, in words; `nil` if it can, or if the program is missing.
  func serverFailure() throws(SystemError) -> String? {
    guard let program = try CueTrial.soundProgram() else { return nil }
    return try failure([program, "--check"], within: CueTrial.longestAnswer)
  }

  /// Speaks a text until its end.
  ///
  /// - Returns: why it can't be spoken; `nil` if it was spoken.
  /// - Throws: `SystemError` if the program can't be run.
  package func speak(_ text: String) throws(SystemError) -> Problem? {
    guard let program = CueTrial.speechProgram(environment) else {
      return Problem("program not found: spd-say", remedy: "install speech-dispatcher")
    }
    let words = [program] + CueTrial.speech.dropFirst() + [text]
    guard let reason = try failure(words, within: CueTrial.longestSpeech) else { return nil }
    return Problem(
      "the text cannot be spoken: \(reason)", remedy: "check the settings of speech-dispatcher")
  }

  /// The path of the program that plays sounds; `nil` if it is missing.
  package static func soundProgram() throws(SystemError) -> String? { try installedProgram("sequence-sound") }

  /// The path of the program that speaks; `nil` if it is missing.
  package static func speechProgram(_ environment: EnvironmentVariables) -> String? {
    findProgram(speech[0], in: environment["PATH"])
  }

  private static let missingProgram = Problem("the program sequence-sound was not found")

  /// The reason why a program fails; `nil` if it doesn't.
  private func failure(_ words: [String], within limit: Duration) throws(SystemError) -> String? {
    failure(of: try BoundedProcess(words, environment: environment, within: limit, by: clock), words[0])
  }

  private func failure(of trial: BoundedProcess, _ program: String) -> String? {
    let name = pathParts(program).last ?? program
    switch trial.ending {
    case .ended(.exit(0)), .answered: return nil
    case .timedOut: return name == "spd-say" ? "spd-say does not end" : "the sound server does not respond"
    case .ended:
      let error = trial.errors.split(whereSeparator: \.isNewline).last.map(String.init)
      guard let error else { return "\(name) failed" }
      return TextSafety.sanitised(
        error.hasPrefix(name + ": ") ? String(error.dropFirst(name.count + 2)) : error)
    }
  }
}
