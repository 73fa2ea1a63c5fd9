import Platform
import SequenceRunner

/// Why the service manager did not do what it was asked for.
enum ServiceManagerError: Error, Equatable {
  /// The program that speaks to it is not there.
  case missing(program: String)
  /// A command failed, or was not answered in time.
  case failed(command: String, reason: String)
  /// The program that speaks to it could not be run.
  case system(SystemError)
}
