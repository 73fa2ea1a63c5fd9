import Platform
import SequenceRunner

/// Why the agent cannot be made to come after a login, or be kept from it.
enum PermanenceError: Error, Equatable {
  /// Nothing says where configurations are.
  case noHome
  /// A file is in the place that was not written here.
  case foreign(path: String)
  /// What is in the place is no file, as a symbolic link is.
  case notAFile(path: String)
  /// A path has characters that no file of configuration can hold.
  case unwritable(path: String)
  /// The service manager failed, which leaves the unit as it is told.
  case serviceManager(ServiceManagerError, Unit)
  /// A call of the system failed.
  case system(SystemError)

  /// What became of the unit.
  enum Unit: Equatable {
    /// It is in its place, and may not be enabled.
    case isInPlace(path: String)
    /// It was left in its place, and may be enabled.
    case isLeft(path: String)
    /// It is disabled and gone, which the service manager may not know.
    case isGone(path: String)
  }
}
