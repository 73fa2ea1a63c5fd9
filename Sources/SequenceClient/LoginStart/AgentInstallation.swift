package import SequencePlatform
package import SequenceStore

/// Installs or removes the start of the agent at login.
package struct AgentInstallation: Sendable {
  let environment: EnvironmentVariables
  /// Whether systemd manages services.
  let hasSystemd: Bool
  let manager: ServiceManager
  /// The directories with units of all users.
  let unitDirectories: [String]

  /// The installation for an environment.
  package init(
    environment: EnvironmentVariables, clock: any ClockSource, hasSystemd: Bool = ServiceManager.isPresent,
    unitDirectories: [String] = AgentInstallation.unitDirectories
  ) {
    self.environment = environment
    self.hasSystemd = hasSystemd
    manager = ServiceManager(environment: environment, clock: clock)
    self.unitDirectories = unitDirectories
  }

  /// The directories that systemd searches for units of all users, in its order.
  package static let unitDirectories = [
    "/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user",
  ]

  /// The means that starts an agent at login, and its file; `nil` if none is started at login.
  package func installed() throws(LoginStartError) -> (kind: LoginStart, path: String)? {
    for kind in LoginStart.allCases {
      if let file = kind.file(environment), try file.isOurs() { return (kind, file.path) }
    }
    guard let unit = packagedUnit, unit.isEnabled else { return nil }
    return (.systemd, unit.path)
  }

  /// Describes the start of the agent of a state directory at login.
  ///
  /// - Returns: the means, `nil` if that agent isn't started at login, and a text.
  package func login(
    of state: StateDirectory
  ) throws(LoginStartError) -> (kind: LoginStart?, text: String) {
    guard let (kind, path) = try installed() else { return (nil, "doesn't start at login") }
    let state = StateDirectory(path: absolutePath(state.path), database: state.database)
    let isServed =
      packagedUnit?.path == path
      ? PackagedUnit.serves(state, environment) : try ManagedFile(path: path).contains(kind.mark(of: state))
    guard isServed else {
      return (nil, "doesn't start at login, because \(path) is for another state directory")
    }
    return (kind, "starts at login by \(kind.title): \(path)")
  }

  /// Starts the agent at login: with the unit of its package, with a unit of the user, or without systemd with an
  /// autostart entry.
  package func install(_ agent: AgentInvocation) throws(LoginStartError) -> (kind: LoginStart, path: String) {
    let kind = hasSystemd ? LoginStart.systemd : .autostart
    guard let file = kind.file(environment) else { throw .noHome }
    if let unit = packagedUnit, unit.starts(agent, environment) {
      if !unit.isEnabled { try enable(unit.path) }
      return (.systemd, unit.path)
    }
    try file.write(kind.text(for: agent))
    if hasSystemd { try enable(file.path) }
    return (kind, file.path)
  }

  /// Removes everything that was installed.
  ///
  /// The unit of a package stays, but the link that enables it for this user is removed.
  ///
  /// - Returns: the paths of the files that were removed.
  /// - Throws: `LoginStartError.foreign` or `.notAFile` if there are only files of others.
  package func uninstall() throws(LoginStartError) -> [String] {
    var removed: [String] = []
    for kind in LoginStart.allCases {
      guard let file = kind.file(environment) else { throw .noHome }
      guard try file.isOurs() else { continue }
      let isUnit = kind == .systemd && hasSystemd
      if isUnit { try disable(file.path) }
      try file.remove()
      if isUnit { try call(.isGone(path: file.path), manager.reload) }
      removed.append(file.path)
    }
    if let link = packagedUnit?.link {
      try disable(link)
      removed.append(link)
    }
    if removed.isEmpty {
      for kind in LoginStart.allCases { try kind.file(environment)?.requireOursOrMissing() }
    }
    return removed
  }

  /// The unit of a package; `nil` without systemd.
  private var packagedUnit: PackagedUnit? {
    guard hasSystemd, let own = LoginStart.systemd.file(environment) else { return nil }
    return PackagedUnit(in: unitDirectories, own: own)
  }

  /// Whether a package starts the agent at the login of every user, which a user can't change here.
  package var isDoneByPackage: Bool { packagedUnit?.isEnabledForAll == true }

  private func enable(_ path: String) throws(LoginStartError) {
    try call(.isInPlace(path: path)) { () throws(ServiceManagerError) in try manager.enable(LoginStart.unit) }
  }

  private func disable(_ path: String) throws(LoginStartError) {
    try call(.isLeft(path: path)) { () throws(ServiceManagerError) in try manager.disable(LoginStart.unit) }
  }

  /// - Parameter unit: the state of the unit if the service manager fails.
  private func call(
    _ unit: LoginStartError.Unit, _ body: () throws(ServiceManagerError) -> Void
  ) throws(LoginStartError) {
    do throws(ServiceManagerError) {
      try body()
    } catch {
      throw .serviceManager(error, unit)
    }
  }
}
