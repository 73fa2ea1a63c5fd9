import SequencePlatform
import SequenceStore

/// The means that starts the agent at login.
package enum LoginStart: String, CaseIterable, Encodable {
  /// A unit of the user's service manager.
  case systemd
  /// An autostart entry, which desktops read.
  case autostart

  /// The name of the unit, whether it is the user's or a package's.
  package static let unit = "sequence-agent.service"

  /// The path of the file below the configuration directory.
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

  /// The line of its file that only an agent of a state directory has.
  func mark(of state: StateDirectory) -> String {
    switch self {
    case .systemd: SystemdUnit.condition(of: state)
    case .autostart: AutostartEntry.arguments(of: state)
    }
  }

  /// The file of a user; `nil` if the environment has no configuration directory.
  ///
  /// It is in `$XDG_CONFIG_HOME`, or in `~/.config` (XDG Base Directory Specification, which requires that a relative
  /// path is ignored).
  func file(_ environment: EnvironmentVariables) -> ManagedFile? {
    guard let base = environment.directory("XDG_CONFIG_HOME", orInHome: ".config"), base.hasPrefix("/") else {
      return nil
    }
    return ManagedFile(path: base + "/" + place)
  }
}
