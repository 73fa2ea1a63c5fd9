import Glibc
package import NotifierLedger
import SequencePlanning
package import SequencePlatform
package import SequenceFiles
package import SequenceRunner

package struct Configuration: Equatable, Sendable {
  package var styles: [RunEvent.Name: NotificationStyle] {
    get { chosenStyles ?? NotificationPlanning.styles }
    set { chosenStyles = newValue }
  }
  /// The styles that the file sets; `nil` without any.
  ///
  /// Most commands need none, so the usual ones are not made for them.
  private var chosenStyles: [RunEvent.Name: NotificationStyle]?
  package var hooks: [Hook] = []
  package var cues = Cues()
  package var sound: Bool? {
    didSet { (cues.sound, cues.isMuted) = (sound ?? false, sound == false) }
  }
  /// Whether runs may ring at their end.
  package var rings = true
  /// The suspend policy of sequences that have none of their own; `nil` if not set.
  package var onSuspend: SuspendPolicy?
  /// The lock policy of sequences that have none of their own; `nil` if not set.
  package var onLock: SuspendPolicy?
  package var keepAwake = KeepAwake.no
  package var keepsAwake: Bool { keepAwake != .no }
  /// Whether the screen is kept on while a display shows a run that isn't paused.
  package var keepsScreenOn: Bool { keepAwake == .screen }
  /// When a run fills the screen.
  package var fullScreen = FullScreenRule.manual
  package var hasMediaKeys = false
  package var hasPanelIcon = false
  /// Whether the desktop shows the current run, which needs an agent.
  package var hasPanel: Bool { hasMediaKeys || hasPanelIcon }

  /// The time at which a day begins in statistics; at most noon.
  package var dayStart = TimeOfDay.midnight
  /// The day on which a week begins in statistics.
  package var weekStart = WeekStart.monday

  /// The last change of its file; `nil` if that is not known.
  package var changedAt: Moment?

  package init() {}

  /// The settings of the file, in the order in which they are read.
  ///
  /// The preferences of the window and the schema follow them.
  package static let settings: [Setting] = {
    let hooks = Setting("hooks", property: \.hooks, form: .hooks)
    return styles(of: nil) + Setting.kinds.flatMap(styles) + [hooks] + cues + [
      Setting("onSuspend", property: \.onSuspend, form: .policy),
      Setting("onLock", property: \.onLock, form: .policy),
      Setting("keepAwake", property: \.keepAwake, form: .word),
      Setting("panel", "icon", property: \.hasPanelIcon, form: .flag),
      Setting("panel", "media", property: \.hasMediaKeys, form: .flag),
      Setting("ring", property: \.rings, form: .flag),
      Setting("dayStart", property: \.dayStart, form: .dayStart),
      Setting("weekStart", property: \.weekStart, form: .word),
      Setting("fullScreen", property: \.fullScreen, form: .word),
    ]
  }()

  /// The settings of a kind of notifications; `nil` for those of all kinds, which are read first so that a kind can differ.
  private static func styles(of kind: RunEvent.Name?) -> [Setting] {
    let common = [
      Setting.style(of: kind, "icon", \.icon, .icon),
      Setting.style(of: kind, "sound", \.sound, .name),
      Setting.style(of: kind, "urgency", \.urgency, .word),
    ]
    return kind == nil ? common : common + [Setting.style(of: kind, "category", \.category, .name)]
  }

  private static var cues: [Setting] {
    let sounds = CueSound.allCases.map { moment in
      Setting("cues", "sounds", moment.rawValue, property: \.cues.sounds[moment], form: .sound(at: moment))
    }
    return [
      Setting("cues", "sound", property: \.sound, form: .optionalFlag),
      Setting("cues", "speech", property: \.cues.speech, form: .flag),
      Setting("cues", "remaining", property: \.cues.remaining, form: .seconds(most: Cues.mostCounted)),
      Setting("cues", "when", property: \.cues.condition, form: .steps),
    ] + sounds + [Setting("cues", "volume", property: \.cues.volume, form: .percent)]
  }

  /// The path of the configuration: `$XDG_CONFIG_HOME/sequence/config.yaml`, else `~/.config/sequence/config.yaml`.
  package static func path(environment: EnvironmentVariables) -> String? {
    environment.directory("XDG_CONFIG_HOME", orInHome: ".config").map { $0 + "/sequence/config.yaml" }
  }

  /// A missing file sets nothing.
  package static func read(path: String) throws(SequenceFileError) -> Configuration {
    guard isThere(path) else { return Configuration() }
    return try parse(try SequenceFile.root(ofFileAt: path))
  }

  /// The defaults apply if there is a mistake, of which the first is returned.
  package static func reading(
    _ environment: EnvironmentVariables
  ) -> (configuration: Configuration, mistake: Problem?) {
    guard let path = Configuration.path(environment: environment) else { return (Configuration(), nil) }
    do throws(SequenceFileError) {
      return (try Configuration.read(path: path), nil)
    } catch {
      let problem = error.problem(inFile: path)
      return (Configuration(), Problem("\(problem.text), so the defaults apply", remedy: problem.remedy))
    }
  }

  /// Returns the policies and cues of a new run, which are written into it, so that every process that reads the run
  /// uses the same ones.
  ///
  /// - Parameter rings: whether the run rings at its end, if the configuration allows that; `nil` to leave that to the
  ///   sequence.
  package func options(
    of definition: SequenceDefinition, _ source: RunSource, sound: Bool?, speech: Bool?, rings: Bool? = nil,
    labels: [String] = []
  ) -> RunOptions {
    RunOptions(
      suspendPolicy: definition.onSuspend == nil ? onSuspend : nil,
      lockPolicy: definition.onLock == nil && source == .file ? onLock : nil, sound: sound, speech: speech,
      rings: self.rings ? rings : false, labels: labels)
  }

  package static func parse(_ bytes: [UInt8]) throws(SequenceFileError) -> Configuration {
    try parse(try SequenceFile.root(of: bytes))
  }

  private static func parse(_ root: YAMLNode?) throws(SequenceFileError) -> Configuration {
    var configuration = Configuration()
    if let root {
      try configuration.read(settings, from: root, of: LocalizedText("the configuration"), depth: 0)
    }
    return configuration
  }

  /// Reads settings whose keys up to a depth lead to a mapping.
  private mutating func read(
    _ settings: [Setting], from node: YAMLNode, of name: LocalizedText, depth: Int
  ) throws(SequenceFileError) {
    var known: [String] = []
    for setting in settings where !known.contains(setting.keys[depth]) { known.append(setting.keys[depth]) }
    let fields = try Fields(node, of: name, known: known)
    for key in known {
      guard let node = fields.optional(key) else { continue }
      let own = settings.filter { $0.keys[depth] == key }
      if let setting = own.first(where: { $0.keys.count == depth + 1 }) {
        try setting.read(node, &self)
      } else {
        try read(own, from: node, of: "\(key)", depth: depth + 1)
      }
    }
  }
}

package enum WeekStart: String, CaseIterable, Sendable {
  case monday, sunday, saturday
}

package enum FullScreenRule: String, CaseIterable, Sendable {
  case manual
  /// A long rest of the run on the window also fills the screen.
  case rest
}

package enum KeepAwake: String, CaseIterable, Sendable {
  case no
  case system
  /// The screen is also kept on while a display shows a run that isn't paused.
  case screen
}

private func isThere(_ path: String) -> Bool {
  unsafe access(path, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR
}
