import Glibc
import SequenceRunner

/// Makes the agent come after a login, or keeps it from that.
struct AgentInstallation {
  let environment: EnvironmentVariables
  /// Whether systemd is what manages services here.
  let hasSystemd: Bool
  let manager: ServiceManager

  init(_ context: CommandContext) {
    environment = context.environment
    hasSystemd = context.hasSystemd
    manager = ServiceManager(environment: context.environment, clock: context.clock)
  }

  /// What an installation did to its file.
  enum Change: String, Encodable {
    case written
    case rewritten
    case none
  }

  /// What is installed, and where its file is; `nil` if nothing is.
  func installed() throws(PermanenceError) -> (kind: Permanence, path: String)? {
    for kind in Permanence.allCases {
      if let file = kind.file(environment), try file.isPresent() { return (kind, file.path) }
    }
    return nil
  }

  /// Makes the agent come after a login.
  ///
  /// The unit is enabled even if its file is up to date: whoever asks may have tried before without success.
  func install(
    _ agent: AgentInvocation
  ) throws(PermanenceError) -> (kind: Permanence, path: String, change: Change) {
    let kind = hasSystemd ? Permanence.systemd : .autostart
    guard let file = kind.file(environment) else { throw .noHome }
    let old = try file.read()
    let new = kind.text(for: agent)
    if old != new { try file.write(new) }
    if hasSystemd {
      do throws(ServiceManagerError) {
        try manager.enable(Permanence.unit)
      } catch {
        throw .serviceManager(error, .isInPlace(path: file.path))
      }
    }
    return (kind, file.path, old == nil ? .written : old == new ? .none : .rewritten)
  }

  /// Removes all that was installed.
  ///
  /// - Returns: the paths of the files that were removed.
  /// - Throws: `PermanenceError.foreign` or `.notAFile` if only what was not written here is there.
  func uninstall() throws(PermanenceError) -> [String] {
    var removed: [String] = []
    for kind in Permanence.allCases {
      guard let file = kind.file(environment) else { throw .noHome }
      guard try file.isPresent() else { continue }
      switch kind {
      case .systemd: try removeUnit(file)
      case .autostart: try file.remove()
      }
      removed.append(file.path)
    }
    if removed.isEmpty { for kind in Permanence.allCases { _ = try kind.file(environment)?.read() } }
    return removed
  }

  private func removeUnit(_ file: OwnedFile) throws(PermanenceError) {
    guard hasSystemd else { return try file.remove() }
    do throws(ServiceManagerError) {
      try manager.disable(Permanence.unit)
    } catch {
      throw .serviceManager(error, .isLeft(path: file.path))
    }
    try file.remove()
    do throws(ServiceManagerError) {
      try manager.reload()
    } catch {
      throw .serviceManager(error, .isGone(path: file.path))
    }
  }
}
