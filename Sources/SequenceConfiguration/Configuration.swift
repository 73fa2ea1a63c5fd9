package import NotifierLedger
import SequencePlanning
package import SequencePlatform
package import SequenceFiles
package import SequenceRunner

/// The user's settings in `config.yaml`.
package struct Configuration: Equatable, Sendable {
  /// How notifications look and sound.
  package var styles: [NotificationKind: NotificationStyle] {
    get { chosenStyles ?? NotificationStyle.ofSequence }
    set { chosenStyles = newValue }
  }
  /// The styles that the file sets; `nil` without any.
  ///
  /// Most commands need none, so the usual ones are not made for them.
  private var chosenStyles: [NotificationKind: NotificationStyle]?
  /// The programs that are run when something happens in a run.
  package var hooks: [Hook] = []
  /// Sounds and speech for events.
  package var cues = Cues()
  /// Whether the file says if sounds are played.
  package var setsSound = false
  /// The suspend policy of sequences that have none of their own; `nil` if not set.
  package var onSuspend: SuspendPolicy?
  /// The lock policy of sequences that have none of their own; `nil` if not set.
  package var onLock: SuspendPolicy?
  /// Whether automatic suspend is inhibited during a countdown.
  package var keepsAwake = false
  /// Whether the screen is kept on while a display shows a run that isn't paused.
  package var keepsScreenOn = false
  /// Whether media keys act on the current run.
  package var hasMediaKeys = false
  /// Whether the panel has an icon while a run is active.
  package var hasPanelIcon = false
  /// Whether the desktop shows the current run, which needs an agent.
  package var hasPanel: Bool { hasMediaKeys || hasPanelIcon }

  /// The last change of its file; `nil` if that is not known.
  package var changedAt: Moment?

  /// What holds where nothing is set.
  package init() {}

  /// The path of the configuration: `$XDG_CONFIG_HOME/sequence/config.yaml`, else `~/.config/sequence/config.yaml`.
  ///
  /// - Returns: `nil` if not even `HOME` is set.
  package static func path(environment: EnvironmentVariables) -> String? {
    environment.directory("XDG_CONFIG_HOME", orInHome: ".config").map { $0 + "/sequence/config.yaml" }
  }

  /// Reads a configuration; a missing file sets nothing.
  ///
  /// - Throws: `SequenceFileError` with the position of the first mistake.
  package static func read(path: String) throws(SequenceFileError) -> Configuration {
    guard FileExistence.isThere(path) else { return Configuration() }
    return try parse(try SequenceFile.root(ofFileAt: path))
  }

  /// Reads a configuration from the bytes of a file.
  ///
  /// - Throws: `SequenceFileError` with the position of the first mistake.
  package static func parse(_ bytes: [UInt8]) throws(SequenceFileError) -> Configuration {
    try parse(try SequenceFile.root(of: bytes))
  }

  private static func parse(_ root: YAMLNode?) throws(SequenceFileError) -> Configuration {
    var configuration = Configuration()
    guard let root else { return configuration }
    let fields = try Fields(
      root, of: "the configuration",
      known: ["notifications", "hooks", "cues", "onSuspend", "onLock", "keepAwake", "panel"])
    if let node = fields.optional("notifications") { try configuration.readNotifications(node) }
    if let node = fields.optional("hooks") { configuration.hooks = try Hook.list(node) }
    if let node = fields.optional("cues") {
      configuration.cues = try Cues(node)
      if case .mapping(let entries) = node.content {
        configuration.setsSound = entries.contains { $0.key == "sound" }
      }
    }
    if let node = fields.optional("onSuspend") {
      configuration.onSuspend = try SuspendPolicy(node, "onSuspend")
    }
    if let node = fields.optional("onLock") { configuration.onLock = try SuspendPolicy(node, "onLock") }
    if let node = fields.optional("keepAwake") { try configuration.readKeepAwake(node) }
    if let node = fields.optional("panel") {
      let panel = try Fields(node, of: "panel", known: ["icon", "media"])
      if let node = panel.optional("icon") { configuration.hasPanelIcon = try node.boolean() }
      if let node = panel.optional("media") { configuration.hasMediaKeys = try node.boolean() }
    }
    return configuration
  }

  private mutating func readKeepAwake(_ node: YAMLNode) throws(SequenceFileError) {
    switch node.content {
    case .scalar("screen"): (keepsAwake, keepsScreenOn) = (true, true)
    case .scalar("system"): keepsAwake = true
    case .scalar("no"): break
    default: throw wrong("keepAwake must be screen, system or no, not \(node.kind)", node)
    }
  }

  private mutating func readNotifications(_ node: YAMLNode) throws(SequenceFileError) {
    let kinds: [NotificationKind] = [.stepEnd, .overtime, .goal, .reminder, .runEnd, .pause, .return]
    let common = ["icon", "sound", "urgency"]
    let fields = try Fields(node, of: "notifications", known: common + kinds.map(\.rawValue))
    // Settings for all types come first, so that a type can differ from them.
    for kind in kinds {
      var style = styles[kind] ?? NotificationStyle()
      try style.read(fields)
      if let node = fields.optional(kind.rawValue) {
        try style.read(try Fields(node, of: kind.rawValue, known: common + ["category"]))
      }
      if style != styles[kind] { styles[kind] = style }
    }
  }
}

extension NotificationStyle {
  /// Applies the given fields; `none` means no sound, icon or category.
  fileprivate mutating func read(_ fields: Fields) throws(SequenceFileError) {
    if let node = fields.optional("icon") { icon = try NotificationStyle.name(node, "icon") ?? "" }
    if let node = fields.optional("sound") { sound = try NotificationStyle.name(node, "sound") }
    if let node = fields.optional("category") { category = try NotificationStyle.name(node, "category") }
    if let node = fields.optional("urgency") {
      guard case .scalar(let text) = node.content, let value = Urgency(rawValue: text) else {
        throw wrong("urgency must be low, normal or critical, not \(node.kind)", node)
      }
      urgency = value
    }
  }

  private static func name(_ node: YAMLNode, _ key: String) throws(SequenceFileError) -> String? {
    guard case .scalar(let text) = node.content, !text.isEmpty else {
      throw wrong("\(key) must be a name or none, not \(node.kind)", node)
    }
    return text == "none" ? nil : text
  }
}
