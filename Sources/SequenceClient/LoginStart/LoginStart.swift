import Platform

/// How the agent is started at login.
package enum LoginStart: String, CaseIterable, Encodable {
  /// By a unit of the user's service manager.
  case systemd
  /// By an autostart entry, which desktops read.
  case autostart

  /// The name of the unit, of the user's own as well as of a package's.
  package static let unit = "sequence-agent.service"

  /// Where its file is, below the directory of configurations.
  var place: String {
    switch self {
    case .systemd: "systemd/user/" + LoginStart.unit
    case .autostart: "autostart/sequence-agent.desktop"
    }
  }

  package var title: String {
    switch self {
    case .systemd: "a systemd user unit"
    case .autostart: "an autostart entry"
    }
  }

  /// The text of its file.
  func text(for agent: AgentInvocation) -> String {
    switch self {
    case .systemd: SystemdUnit.text(for: agent)
    case .autostart: AutostartEntry.text(for: agent)
    }
  }

  /// Its file for a user; `nil` if the environment has no directory of configurations.
  ///
  /// They are in `$XDG_CONFIG_HOME`, else in `~/.config` (XDG Base Directory Specification; a relative path is
  /// ignored, as it demands).
  func file(_ environment: EnvironmentVariables) -> ManagedFile? {
    guard let base = environment.directory("XDG_CONFIG_HOME", orInHome: ".config"), base.hasPrefix("/") else {
      return nil
    }
    return ManagedFile(path: base + "/" + place)
  }
}
