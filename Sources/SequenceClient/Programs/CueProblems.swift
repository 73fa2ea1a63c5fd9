import NotifierLedger
import SequenceConfiguration
import SequencePlanning
import SequencePlatform
import SequenceRunner

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
