package import SequencePlatform

/// An error of the service manager.
package enum ServiceManagerError: ExplainedError, Equatable {
  /// `systemctl` is missing.
  case missing(program: String)
  /// A command failed or timed out.
  case failed(command: String, reason: String)
  /// `systemctl` could not be run.
  case system(SystemError)

  package var problem: String {
    switch self {
    case .missing(let program): "program not found: \(program)"
    case .failed(let command, let reason): "\(command) failed: \(reason)"
    case .system(let error): error.problem
    }
  }
}
