import NotifierLedger
import SequenceConfiguration
import SequencePlanning
package import SequencePlatform
import SequenceRunner

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

/// The reasons why cues and the sounds of notifications can't be played, as far as files tell, with the Debian package that
/// helps.
struct CueProblems {
  private let cues: Cues
  private let environment: EnvironmentVariables

  init(_ cues: Cues, _ environment: EnvironmentVariables) {
    (self.cues, self.environment) = (cues, environment)
  }

  func ofPrograms() throws(SystemError) -> [Problem] {
    var problems: [Problem] = []
    if cues.speech, CueTrial.speechProgram(environment) == nil {
      problems.append(
        Problem("program not found: spd-say, so speech is off", remedy: "install speech-dispatcher"))
    }
    if cues.playsSounds, try CueTrial.soundProgram() == nil {
      problems.append(
        Problem("program not found: sequence-sound, so sounds are off", remedy: "reinstall sequence"))
    }
    return problems
  }

  /// - Parameter sounds: names of the sound theme, and paths.
  func ofSounds(_ sounds: [String]) -> [Problem] {
    let theme = SoundFolders(environment, theme: SoundFolders.standardTheme)
    let sounds = sounds.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let files = sounds.filter(isAbsolute).compactMap { path in
      MediaFile.soundProblem(path, quote(path)).map {
        Problem("\($0), so it is not played", remedy: CueProblems.useFile)
      }
    }
    let missing = sounds.filter { !isAbsolute($0) && !theme.hasSound($0) }.map(quoted)
    guard !missing.isEmpty else { return files }
    let problem = Problem(
      "the sound theme has no \(alternatives(missing)), so nothing is played for it", remedy: theme.remedy)
    return [problem] + files
  }

  /// The sounds that the configuration chooses for notifications, which the notification server plays.
  static func ofNotifications(
    _ configuration: Configuration, _ environment: EnvironmentVariables
  ) -> [Problem] {
    // The theme is the server's choice.
    let themes = SoundFolders(environment, theme: nil)
    let chosen = configuration.styles.filter { $1.sound != NotificationPlanning.styles[$0]?.sound }
    return Set(chosen.values.compactMap(\.sound)).sorted().compactMap { sound in
      guard !sound.unicodeScalars.contains("/") else {
        return Problem(
          "notifications play no files, such as \(quote(sound))",
          remedy: "use a name of the sound theme, or set the file in cues.sounds")
      }
      guard !themes.hasSound(sound) else { return nil }
      return Problem(
        "no sound theme has \(quote(sound)), so notifications don't play it", remedy: themes.remedy)
    }
  }

  private static let useFile: LocalizedText = "use a WAV or Ogg Vorbis file of at most 10 MiB"
}

/// The folders of sound themes, in which a name is looked for as libcanberra does it (Sound Theme Specification 0.8).
private struct SoundFolders {
  private var folders: [String] = []
  private var hasStandardTheme = false

  /// The theme that libcanberra uses, unless a program asks for another one.
  static let standardTheme = "freedesktop"

  /// - Parameter theme: the name of the theme; `nil` for all.
  init(_ environment: EnvironmentVariables, theme: String?) {
    let shared =
      environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    let own = environment.directory("XDG_DATA_HOME", orInHome: ".local/share")
    for data in [own].compactMap({ $0 }) + shared.split(separator: ":").map(String.init) {
      let sounds = data + "/sounds"
      let themes = SoundFolders.names(in: sounds)
      folders.append(sounds)
      hasStandardTheme = hasStandardTheme || themes.contains(SoundFolders.standardTheme)
      for name in themes where theme == nil || name == theme {
        folders +=
          [sounds + "/" + name]
          + SoundFolders.names(in: sounds + "/" + name).map {
            sounds + "/" + name + "/" + $0
          }
      }
    }
  }

  /// Whether a folder has the sound, or a more general one: `bell` also stands for `bell-window-system`.
  func hasSound(_ name: String) -> Bool {
    var name = name[...]
    while !name.isEmpty {
      let found = folders.contains { folder in
        [".oga", ".ogg", ".wav", ".disabled"].contains { FileKind(of: "\(folder)/\(name)\($0)") == .file }
      }
      if found { return true }
      name = name.lastIndex(of: "-").map { name[..<$0] } ?? ""
    }
    return false
  }

  var remedy: LocalizedText {
    hasStandardTheme
      ? LocalizedText("use another name, or the path of a file")
      : LocalizedText("install sound-theme-freedesktop")
  }

  private static func names(in folder: String) -> [String] {
    do throws(SystemError) {
      return try fileNames(inDirectory: folder).filter { !$0.hasPrefix(".") }
    } catch {
      // A file, or a folder that libcanberra can't read either.
      return []
    }
  }
}
