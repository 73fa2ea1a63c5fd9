import Platform

/// Why the start of the agent at login cannot be installed or removed.
enum LoginStartError: Error, Equatable {
  /// The environment has no directory of configurations.
  case noHome
  /// There is a file that `agent install` did not write.
  case foreign(path: String)
  /// There is something that is not a file, such as a symbolic link.
  case notAFile(path: String)
  /// A path has characters that no file of configuration can hold.
  case unwritable(path: String)
  /// The service manager failed, which leaves the unit in a state.
  case serviceManager(ServiceManagerError, Unit)
  /// A call of the system failed.
  case system(SystemError)

  /// The state of the unit after the failure.
  enum Unit: Equatable {
    /// It is in its place, and may not be enabled.
    case isInPlace(path: String)
    /// It was left in its place, and may be enabled.
    case isLeft(path: String)
    /// It is disabled and removed, which the service manager may not know.
    case isGone(path: String)
  }
}
