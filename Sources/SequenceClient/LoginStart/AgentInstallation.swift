import CSequenceLinux
import Glibc
package import SequencePlatform
package import SequenceStore

package enum LoginStart: String, Encodable {
  case systemd
  case autostart

  package var title: LocalizedText {
    switch self {
    case .systemd: LocalizedText("a systemd user unit")
    case .autostart: LocalizedText("an autostart entry")
    }
  }
}

/// Installs or removes the start of the agent at login.
///
/// The units and the autostart entry belong to an installation of the programs. A user has links to them.
package struct AgentInstallation: Sendable {
  let environment: EnvironmentVariables
  let hasSystemd: Bool
  let manager: ServiceManager
  let unitDirectories: [String]

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

  /// Returns `nil` as the kind if that agent isn't started at login.
  package func login(of state: StateDirectory) throws -> (kind: LoginStart?, text: LocalizedText) {
    guard let (kind, path) = try installed(for: state) else {
      return (nil, LocalizedText("doesn't start at login"))
    }
    return (kind, LocalizedText("starts at login by \(kind.title): \(path)"))
  }

  private func installed(for state: StateDirectory) throws -> (kind: LoginStart, path: String)? {
    guard let files = LoginFiles(environment) else { return nil }
    let path = absolutePath(state.path)
    let state = StateDirectory(path: pathParts(path).contains("..") ? resolvedPath(path) ?? path : path)
    if hasSystemd, let unit = LoginUnit(state, environment), let path = loadedFile(of: unit, in: files),
      ([files.units] + unitDirectories).contains(where: unit.isEnabled)
    {
      return (.systemd, path)
    }
    let entry = files.entry
    return try entry.owner() == .us && entry.leadsToFile && isOfSession(state)
      ? (.autostart, entry.link) : nil
  }

  /// The unit of a package that starts the agent at the login of every user, who can only mask it.
  package var unitOfAllUsers: String? {
    guard hasSystemd, let files = LoginFiles(environment), FileKind(of: files.usual.link) == .nothing,
      unitDirectories.contains(where: LoginUnit.usual.isEnabled)
    else { return nil }
    return loadedFile(of: .usual, in: files)
  }

  /// - Parameter program: the path of the agent; a unit or the entry of the same installation starts it.
  package func install(
    program: String, _ state: StateDirectory
  ) throws -> (kind: LoginStart, path: String) {
    guard let files = LoginFiles(environment) else { throw LoginStartError.noHome }
    guard let prefix = LoginFiles.prefix(of: program) else {
      throw LoginStartError.notInstalled(path: program)
    }
    let state = try lasting(state)
    guard hasSystemd else {
      guard isOfSession(state) else { throw LoginStartError.notOfSession(path: state.path) }
      try files.entry.link(to: prefix)
      return (.autostart, files.entry.link)
    }
    guard let unit = LoginUnit(state, environment) else { throw LoginStartError.tooLong(path: state.path) }
    let file = files.unit(unit.file)
    if unit.isUsual, let path = unitOfAllUsers, path == prefix + file.shipped { return (.systemd, path) }
    try file.link(to: prefix)
    if let failure = manager.failure(of: "enable", unit.name) {
      throw LoginStartError.serviceManager(failure, .isInPlace(path: file.link))
    }
    return (.systemd, file.link)
  }

  /// Removes everything that starts an agent at the login of this user alone; returns the paths of the removed files.
  ///
  /// - Throws: `LoginStartError.foreign` if there are only files of others.
  package func uninstall() throws -> [String] {
    guard let files = LoginFiles(environment) else { throw LoginStartError.noHome }
    var removed: [String] = []
    for file in [files.usual, files.template] where try file.owner() == .us {
      // systemctl refuses a unit whose file is gone, and no login starts it.
      if file.leadsToFile { try disable(file.name, file.link) }
      try file.remove()
      removed.append(file.link)
    }
    // The user enabled the unit of a package.
    if hasSystemd, LoginUnit.usual.isEnabled(in: files.units), try files.usual.owner() == .nobody {
      let link = LoginUnit.usual.enablingLink(in: files.units)
      try disable(LoginUnit.usual.file, link)
      removed.append(link)
    }
    if try files.entry.owner() == .us {
      try files.entry.remove()
      removed.append(files.entry.link)
    }
    for file in [files.usual, files.template, files.entry] where removed.isEmpty {
      guard try file.owner() != .others else { throw LoginStartError.foreign(path: file.link) }
    }
    return removed
  }

  private func disable(_ unit: String, _ path: String) throws {
    guard hasSystemd, let failure = manager.failure(of: "disable", unit) else { return }
    throw LoginStartError.serviceManager(failure, .isLeft(path: path))
  }

  /// The file that systemd loads a unit from; `nil` if it is missing or masked.
  private func loadedFile(of unit: LoginUnit, in files: LoginFiles) -> String? {
    let paths = ([files.units] + unitDirectories).map { "\($0)/\(unit.file)" }
    // systemd masks a unit with a link to /dev/null, which is not a file.
    guard let path = paths.first(where: { FileKind(of: $0) != .nothing }), FileKind(of: path) == .file,
      unsafe access(path, F_OK) == 0
    else { return nil }
    return path
  }

  /// Returns whether the autostart entry serves a state directory: it takes that of the session's environment.
  private func isOfSession(_ state: StateDirectory) -> Bool {
    guard let usual = StateDirectory(environment: environment) else { return false }
    return LoginUnit.isSame(absolutePath(usual.path), state.path)
  }

  /// Returns the directory with an absolute path without `..`, which systemd rejects in units.
  private func lasting(_ state: StateDirectory) throws -> StateDirectory {
    let path = absolutePath(state.path)
    guard pathParts(path).contains("..") else { return StateDirectory(path: path) }
    try state.make()
    try state.requireOwned()
    guard let real = resolvedPath(path) else { throw SystemError(call: "resolve \(path)", code: errno) }
    return StateDirectory(path: real)
  }
}

package enum LoginStartError: ExplainedError, Equatable {
  case noHome
  /// The program belongs to no installation, which would have the file that starts it.
  case notInstalled(path: String)
  case missing(path: String)
  case foreign(path: String)
  case tooLong(path: String)
  /// Without systemd, only the state directory of the session can be served.
  case notOfSession(path: String)
  case serviceManager(LocalizedText, Unit)

  package enum Unit: Equatable {
    /// It was created, but may not be enabled.
    case isInPlace(path: String)
    /// It was not removed, and may be enabled.
    case isLeft(path: String)
  }

  package var problem: Problem {
    switch self {
    case .noHome:
      Problem(
        "neither XDG_CONFIG_HOME nor HOME is an absolute path, so the directory for the file is unknown",
        remedy: "set HOME")
    case .notInstalled(let path):
      Problem(
        "\(quote(path)) is not installed, so nothing can start it at login",
        remedy: "run make install, and use that sequence")
    case .missing(let path):
      Problem("\(path) is missing, so the agent cannot be started at login", remedy: "install Sequence again")
    case .foreign(let path):
      Problem(
        "\(path) was not written by sequence agent install, so it was not changed",
        remedy: "move it to another place and try again")
    case .tooLong(let path):
      Problem(
        "the path \(quote(path)) is too long for the name of a systemd unit",
        remedy: "use a link to it with a shorter path")
    case .notOfSession(let path):
      Problem(
        """
        without systemd, the agent starts at login only for the state directory of your session, not for \(quote(path))
        """,
        remedy: "set SEQUENCE_STATE_DIR for the session, such as in ~/.profile")
    case .serviceManager(let failure, .isInPlace(let path)):
      Problem(
        "\(failure), and \(path) was written but may not be enabled",
        remedy: "run sequence agent install again")
    case .serviceManager(let failure, .isLeft(let path)):
      Problem("\(failure), and \(path) was not removed", remedy: "run sequence agent uninstall again")
    }
  }
}
