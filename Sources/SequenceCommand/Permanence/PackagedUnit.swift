import Glibc
import Platform
import SequenceRunner
import Store

/// The unit that a package of the distribution brings for all users.
///
/// It goes by the name of the one that `agent install` writes, so that a user's own takes its place.
struct PackagedUnit {
  /// Where its file is.
  let path: String
  /// What its file says.
  let text: String
  /// Whether a login of any user starts it.
  let isEnabledForAll: Bool
  /// What enables it for the user alone, where that is so.
  let link: String?
  /// Whether a login of the user starts it.
  var isEnabled: Bool { isEnabledForAll || link != nil }

  /// Looks for it; `nil` if there is none, or if something that the user has takes its place.
  ///
  /// - Parameters:
  ///   - directories: where the service manager looks for units of all users, the first first.
  ///   - own: what the user's own would be.
  init?(in directories: [String], own: OwnedFile) throws(PermanenceError) {
    guard try !own.isTaken() else { return nil }
    for directory in directories {
      let file = OwnedFile(path: "\(directory)/\(Permanence.unit)")
      guard try file.isTaken() else { continue }
      // A link to nothing, with which systemd masks a unit, is no file.
      guard let text = try file.textOfAnybody() else { return nil }
      self.text = text
      path = file.path
      isEnabledForAll = directories.contains { PackagedUnit.link(in: $0) != nil }
      link = PackagedUnit.link(in: own.directory)
      return
    }
    return nil
  }

  /// Whether it starts just the agent that is asked for.
  func serves(_ agent: AgentInvocation, _ environment: EnvironmentVariables) -> Bool {
    guard let home = environment["HOME"] else { return false }
    return agent.state.path == home + SystemdUnit.usualPlace
      && text == SystemdUnit.text(ofPackageWith: agent.program)
  }

  /// What `systemctl enable` makes in a directory; `nil` if it is not there, or leads nowhere.
  private static func link(in directory: String) -> String? {
    let link = "\(directory)/\(SystemdUnit.target).wants/\(Permanence.unit)"
    return unsafe access(link, F_OK) == 0 ? link : nil
  }
}
