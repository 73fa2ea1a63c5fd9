import Glibc
import Platform
import Store

/// The unit that a package of the distribution brings for all users.
///
/// It has the name of the one that `agent install` writes, so that a user's own takes its place.
struct PackagedUnit {
  let path: String
  /// Whether it is enabled for all users.
  let isEnabledForAll: Bool
  /// The link that enables it for the user alone.
  let link: String?
  /// Whether a login of the user starts it.
  var isEnabled: Bool { isEnabledForAll || link != nil }

  /// Looks for it; `nil` if it is missing or masked, or if the user has something in its place.
  ///
  /// - Parameters:
  ///   - directories: where the service manager looks for units of all users, the first first.
  ///   - own: the user's own unit.
  init?(in directories: [String], own: ManagedFile) {
    let paths = directories.map { "\($0)/\(LoginStart.unit)" }
    guard FileKind(of: own.path) == .nothing, let path = paths.first(where: { FileKind(of: $0) != .nothing }),
      // A link to nothing, with which systemd masks a unit, is no file.
      FileKind(of: path) == .file
    else { return nil }
    self.path = path
    isEnabledForAll = directories.contains { PackagedUnit.link(in: $0) != nil }
    link = PackagedUnit.link(in: own.directory)
  }

  /// Whether it starts this agent: the program of the same package, with the usual state directory.
  func starts(_ agent: AgentInvocation, _ environment: EnvironmentVariables) -> Bool {
    guard let home = environment["HOME"], agent.state.path == home + SystemdUnit.usualPlace,
      path.hasSuffix(PackagedUnit.place)
    else { return false }
    return agent.program == path.dropLast(PackagedUnit.place.count) + "/libexec/sequence/sequence-agent"
  }

  /// Where the unit is below the prefix of the package.
  private static let place = "/lib/systemd/user/" + LoginStart.unit

  /// The link that `systemctl enable` makes in a directory; `nil` if it is missing, or leads nowhere.
  private static func link(in directory: String) -> String? {
    let link = "\(directory)/\(SystemdUnit.target).wants/\(LoginStart.unit)"
    return unsafe access(link, F_OK) == 0 ? link : nil
  }
}
