import Platform
import SequenceRunner

/// What starts the agent after a login.
enum Permanence: String, CaseIterable, Encodable {
  /// A unit of the user's service manager.
  case systemd
  /// An entry that a desktop starts what it names by.
  case autostart

  /// What is called by the name of the file.
  static let unit = "sequence-agent.service"

  /// Where its file is, below the directory of configurations.
  var place: String {
    switch self {
    case .systemd: "systemd/user/" + Permanence.unit
    case .autostart: "autostart/sequence-agent.desktop"
    }
  }

  /// What a user calls it.
  var title: String {
    switch self {
    case .systemd: "a systemd user unit"
    case .autostart: "an autostart entry"
    }
  }

  /// What its file has to say.
  func text(for agent: AgentInvocation) -> String {
    switch self {
    case .systemd: SystemdUnit.text(for: agent)
    case .autostart: AutostartEntry.text(for: agent)
    }
  }

  /// Its file for a user; `nil` where nothing says where configurations are.
  ///
  /// They are in `$XDG_CONFIG_HOME`, else in `~/.config` (XDG Base Directory Specification; a relative path is
  /// ignored, as it demands).
  func file(_ environment: EnvironmentVariables) -> OwnedFile? {
    guard let base = environment.directory("XDG_CONFIG_HOME", orInHome: ".config"), base.hasPrefix("/") else {
      return nil
    }
    return OwnedFile(path: base + "/" + place)
  }
}
