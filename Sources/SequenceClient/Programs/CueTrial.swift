import SequenceConfiguration
package import SequencePlatform

/// Plays a sound or speaks a text once, as a run would.
package struct CueTrial: Sendable {
  private let environment: EnvironmentVariables
  private let clock: any ClockSource

  private static let longestAnswer = Duration.seconds(5)
  private static let longestSound = Duration.seconds(10)
  private static let longestSpeech = Duration.seconds(30)

  package init(environment: EnvironmentVariables, clock: any ClockSource) {
    self.environment = environment
    self.clock = clock
  }

  /// Returns why the sound can't be played; `nil` if it was played.
  ///
  /// - Parameters:
  ///   - sound: the name or the path of the sound.
  ///   - volume: the volume in percent.
  package func play(_ sound: String, volume: Int) throws(SystemError) -> Problem? {
    guard let program = try CueTrial.soundProgram() else { return CueTrial.missingProgram }
    let words = [program, "--volume", String(volume), "--play", sound]
    let trial = try BoundedProcess(
      words, environment: environment, within: CueTrial.longestSound, by: clock)
    guard let reason = failure(of: trial, program) else { return nil }
    if let problem = try serverProblem() { return problem }
    // A longer sound was heard until it was cut off.
    if case .timedOut = trial.ending { return nil }
    return Problem(
      "\(quote(sound)) cannot be played: \(reason)",
      remedy: "use a name of your sound theme, or the path of a sound file of at most 10 MiB")
  }

  /// Returns why the sound server can't be used; `nil` if it can, or if the program is missing.
  ///
  /// - Parameter limit: how long it is waited for; a server that is starting may take longer than a short time.
  func serverProblem(within limit: Duration = CueTrial.longestAnswer) throws(SystemError) -> Problem? {
    guard let program = try CueTrial.soundProgram() else { return nil }
    let check = try BoundedProcess([program, "--check"], environment: environment, within: limit, by: clock)
    if case .timedOut = check.ending, limit < CueTrial.longestAnswer { return nil }
    return failure(of: check, program).map {
      Problem(
        "sounds cannot be played: \($0)",
        remedy: "start a sound server, or install libcanberra-pulse if one runs")
    }
  }

  /// Returns why the text can't be spoken; `nil` if it was spoken.
  package func speak(_ text: String) throws(SystemError) -> Problem? {
    guard let program = CueTrial.speechProgram(environment) else {
      return Problem("program not found: spd-say", remedy: "install speech-dispatcher")
    }
    let words = [program] + Cues.speechCommand.dropFirst() + [text]
    guard let reason = try failure(words, within: CueTrial.longestSpeech) else { return nil }
    return Problem(
      "the text cannot be spoken: \(reason)", remedy: "check the settings of speech-dispatcher")
  }

  package static func soundProgram() throws(SystemError) -> String? { try installedProgram("sequence-sound") }

  package static func speechProgram(_ environment: EnvironmentVariables) -> String? {
    findProgram(Cues.speechCommand[0], in: environment["PATH"])
  }

  private static let missingProgram = Problem("the program sequence-sound was not found")

  private func failure(_ words: [String], within limit: Duration) throws(SystemError) -> LocalizedText? {
    failure(of: try BoundedProcess(words, environment: environment, within: limit, by: clock), words[0])
  }

  private func failure(of trial: BoundedProcess, _ program: String) -> LocalizedText? {
    let name = pathParts(program).last ?? program
    switch trial.ending {
    case .ended(.exit(0)), .answered: return nil
    case .timedOut:
      return name == "spd-say"
        ? LocalizedText("spd-say does not end") : LocalizedText("the sound server does not respond")
    case .ended:
      let error = trial.errors.split(whereSeparator: \.isNewline).last.map(String.init)
      guard let error else { return LocalizedText("\(name) failed") }
      return LocalizedText(
        verbatim: TextSafety.sanitised(
          error.hasPrefix(name + ": ") ? String(error.dropFirst(name.count + 2)) : error))
    }
  }
}
