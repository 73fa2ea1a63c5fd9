import Glibc
import Platform
import SequenceRunner

/// Makes the agent come after a login, or keeps it from that.
struct AgentInstallation {
  let environment: EnvironmentVariables
  /// Whether systemd is what manages services here.
  let hasSystemd: Bool
  let manager: ServiceManager
  /// Where the service manager looks for units of all users.
  let unitDirectories: [String]

  init(_ context: CommandContext) {
    environment = context.environment
    hasSystemd = context.hasSystemd
    manager = ServiceManager(environment: context.environment, clock: context.clock)
    unitDirectories = context.unitDirectories
  }

  /// What an installation did to its file.
  enum Change: String, Encodable {
    case written
    case rewritten
    case none
  }

  /// What starts the agent after a login, and where its file is; `nil` if nothing does.
  func installed() throws(PermanenceError) -> (kind: Permanence, path: String)? {
    for kind in Permanence.allCases {
      if let file = kind.file(environment), try file.isPresent() { return (kind, file.path) }
    }
    guard let unit = try packagedUnit(), unit.isEnabled else { return nil }
    return (.systemd, unit.path)
  }

  /// Whether what is installed starts just the agent that is asked for.
  func starts(_ agent: AgentInvocation) throws(PermanenceError) -> Bool {
    for kind in Permanence.allCases {
      if let file = kind.file(environment), try file.isPresent() {
        return try file.read() == kind.text(for: agent)
      }
    }
    return try packagedUnit()?.serves(agent, environment) ?? false
  }

  /// The unit that a package brings, where systemd is.
  private func packagedUnit() throws(PermanenceError) -> PackagedUnit? {
    guard hasSystemd, let own = Permanence.systemd.file(environment) else { return nil }
    return try PackagedUnit(in: unitDirectories, own: own)
  }

  /// Makes the agent come after a login.
  ///
  /// The unit is enabled even if its file is up to date: whoever asks may have tried before without success. Where a
  /// package brings one that does what is asked for, that is the one.
  func install(
    _ agent: AgentInvocation
  ) throws(PermanenceError) -> (kind: Permanence, path: String, change: Change) {
    let kind = hasSystemd ? Permanence.systemd : .autostart
    guard let file = kind.file(environment) else { throw .noHome }
    if let unit = try packagedUnit(), unit.serves(agent, environment) { return try enable(unit) }
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

  private func enable(
    _ unit: PackagedUnit
  ) throws(PermanenceError) -> (kind: Permanence, path: String, change: Change) {
    guard !unit.isEnabled else { return (.systemd, unit.path, .none) }
    do throws(ServiceManagerError) {
      try manager.enable(Permanence.unit)
    } catch {
      throw .serviceManager(error, .isInPlace(path: unit.path))
    }
    return (.systemd, unit.path, .written)
  }

  /// Removes all that was installed.
  ///
  /// The unit of a package is not the user's to remove, but what enables it for the user alone is.
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
    if let link = try packagedUnit()?.link {
      do throws(ServiceManagerError) {
        try manager.disable(Permanence.unit)
      } catch {
        throw .serviceManager(error, .isLeft(path: link))
      }
      removed.append(link)
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
