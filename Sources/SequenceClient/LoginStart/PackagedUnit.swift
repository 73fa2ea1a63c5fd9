import Glibc
import SequencePlatform
import SequenceStore

/// The unit that a package installs for all users.
///
/// A unit that `agent install` writes for a user has the same name, so it replaces this one.
struct PackagedUnit {
  let path: String
  /// Whether the unit is enabled for all users.
  let isEnabledForAll: Bool
  /// The link that enables the unit only for this user.
  let link: String?
  /// Whether a login of the user starts the unit.
  var isEnabled: Bool { isEnabledForAll || link != nil }

  /// Looks for the unit; `nil` if it is missing, masked, or replaced by the user.
  ///
  /// - Parameters:
  ///   - directories: the directories with units of all users, by precedence.
  ///   - own: the user's own unit.
  init?(in directories: [String], own: ManagedFile) {
    let paths = directories.map { "\($0)/\(LoginStart.unit)" }
    guard FileKind(of: own.path) == .nothing, let path = paths.first(where: { FileKind(of: $0) != .nothing }),
      // systemd masks a unit with a link to /dev/null, which is not a file.
      FileKind(of: path) == .file
    else { return nil }
    self.path = path
    isEnabledForAll = directories.contains { PackagedUnit.link(in: $0) != nil }
    link = PackagedUnit.link(in: own.directory)
  }

  /// Whether the unit starts this agent: the program of the same package, with the default state directory.
  func starts(_ agent: AgentInvocation, _ environment: EnvironmentVariables) -> Bool {
    guard PackagedUnit.serves(agent.state, environment), path.hasSuffix(PackagedUnit.place) else {
      return false
    }
    return agent.program == path.dropLast(PackagedUnit.place.count) + "/libexec/sequence/sequence-agent"
  }

  /// Whether a state directory is the default one, which the unit has.
  static func serves(_ state: StateDirectory, _ environment: EnvironmentVariables) -> Bool {
    guard let usual = environment["HOME"].map({ $0 + SystemdUnit.usualPlace }) else { return false }
    return state.path == usual || resolvedPath(state.path).map { $0 == resolvedPath(usual) } ?? false
  }

  /// The path of the unit below the prefix of the package.
  private static let place = "/lib/systemd/user/" + LoginStart.unit

  /// The link that `systemctl enable` creates in a directory; `nil` if it is missing or broken.
  private static func link(in directory: String) -> String? {
    let link = "\(directory)/\(SystemdUnit.target).wants/\(LoginStart.unit)"
    return unsafe access(link, F_OK) == 0 ? link : nil
  }
}
