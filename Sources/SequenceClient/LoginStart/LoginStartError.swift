package import SequencePlatform

/// An error while the start at login is installed or removed.
package enum LoginStartError: ExplainedError, Equatable {
  /// The environment has no configuration directory.
  case noHome
  /// The file exists, and `agent install` did not write it.
  case foreign(path: String)
  /// The path is not a regular file, for example a symbolic link.
  case notAFile(path: String)
  /// A path has characters that the file cannot contain.
  case unwritable(path: String)
  /// The service manager failed; the unit has the given state.
  case serviceManager(ServiceManagerError, Unit)
  /// A system call failed.
  case system(SystemError)

  /// The state of the unit after the failure.
  package enum Unit: Equatable {
    /// It was written, but may not be enabled.
    case isInPlace(path: String)
    /// It was not removed, and may be enabled.
    case isLeft(path: String)
    /// It was disabled and removed, but the service manager may not have noticed.
    case isGone(path: String)
  }
  package var problem: String {
    switch self {
    case .noHome:
      "neither XDG_CONFIG_HOME nor HOME is an absolute path, so the directory for the file is unknown"
    case .foreign(let path): "\(path) was not written by sequence agent install, so it was not changed"
    case .notAFile(let path): "\(path) is not a regular file, so it was not changed"
    case .unwritable(let path):
      "\(quote(path)) contains control characters, so the agent cannot be started from it"
    case .serviceManager(let error, let unit): "\(error.problem), and \(unit.state)"
    case .system(let error): error.problem
    }
  }

  package var remedy: String? {
    switch self {
    case .noHome: "set HOME"
    case .foreign, .notAFile: "move it to another place and try again"
    case .unwritable: "rename it"
    case .serviceManager(_, let unit): unit.remedy
    case .system: nil
    }
  }
}

extension LoginStartError.Unit {
  /// The state in words.
  fileprivate var state: String {
    switch self {
    case .isInPlace(let path): "\(path) was written but may not be enabled"
    case .isLeft(let path): "\(path) was not removed"
    case .isGone(let path): "\(path) was disabled and removed"
    }
  }

  /// The action of the user that completes the change.
  fileprivate var remedy: String {
    switch self {
    case .isInPlace: "run sequence agent install again"
    case .isLeft: "run sequence agent uninstall again"
    case .isGone: "run systemctl --user daemon-reload"
    }
  }
}
